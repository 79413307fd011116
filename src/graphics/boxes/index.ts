import type { drawComponent as Draw } from './draw-component.js';

export type { DrawComponentOptions } from './draw-component.js';
export type { ComponentPiece } from './piece.js';

/** Lays out and draws a component. The implementation is loaded on first use: its layout engine takes longer to start than a short render. */
export const drawComponent: typeof Draw = async (...args) => (await import('./draw-component.js')).drawComponent(...args);
