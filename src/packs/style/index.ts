export type { Background, BackgroundLayer, ColorStop, Paint } from './background.js';
export { colorAt, degreesOf, parsePaint } from './background.js';
export type { Declarations } from './declarations.js';
export { idleKeys, inheritedKeys, plainKey, styleKeys, words } from './declarations.js';
export type { Border, BoxShadow } from './edges.js';
export type { AutoLength, Length } from './lengths.js';
export { lengthAt, parseLayoutLength, resolveLength } from './lengths.js';
export type { Place, Style, Viewport } from './style.js';
export { parseStyle, rotationOf, sizeKeys } from './style.js';
