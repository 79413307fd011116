export type { Background, BackgroundLayer, ColorStop, Paint } from './background.js';
export { degreesOf, parseBackground } from './background.js';
export type { Declarations } from './declarations.js';
export { words } from './declarations.js';
export type { Border, BoxLook, BoxShadow } from './edges.js';
export { parseBorder, parseBoxShadows, parseRadii, parseSides, sideNames } from './edges.js';
export type { AutoLength, Length } from './lengths.js';
export { autoLengthAt, lengthAt, parseLayoutLength, resolveLength } from './lengths.js';
export { cssName, cssPropertyNames, isCssProperty } from './property-names.js';
