export type { DrawComponentOptions } from './draw-component.js';
export { drawComponent } from './draw-component.js';
export type { ComponentPiece } from './piece.js';
