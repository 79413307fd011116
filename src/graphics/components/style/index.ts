export { idleKeys, inheritedKeys, plainKey, styleKeys } from './declarations.js';
export type { Place, Style, Viewport } from './style.js';
export { parseStyle, rotationOf, sizeKeys } from './style.js';
