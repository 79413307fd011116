import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';

/** Canvases on which a gradient was drawn, also by way of another canvas. */
const gradientCanvases = new WeakSet<Canvas>();

/** Records that a gradient was drawn. */
export function markGradient(context: SKRSContext2D): void {
  gradientCanvases.add(context.canvas);
}

/** Records that a canvas was drawn onto another one. */
export function inheritGradient(context: SKRSContext2D, drawn: Canvas): void {
  if (gradientCanvases.has(drawn)) markGradient(context);
}

/** Whether a gradient was drawn on the canvas. */
export function hasGradient(canvas: Canvas): boolean {
  return gradientCanvases.has(canvas);
}
