import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import { cropToInk, type Rect } from './bitmap.js';
import { createCanvas } from './skia.js';
import type { Bitmap } from './sprite-file.js';

/** A drawing surface over a part of the movie's canvas, in whose coordinates its context draws. */
export interface Surface {
  at: Rect;
  canvas: Canvas;
  context: SKRSContext2D;
  /** Its pixels to one of the canvas: more than 1 for what is magnified while it is shown. */
  density: number;
}

/** Of a sheet that is denser than the canvas: four pictures of 1080p. */
const maxDensePixels = 4 * 1920 * 1080;

/** In steps, so that what is magnified nearly alike shares its drawing. */
export function roundDensity(wanted = 1): number {
  return Math.max(1, Math.min(4, Math.ceil(wanted * 8 - 1e-6) / 8));
}

/** What of a wanted density a part can have, at least 1: however far it is magnified, its `count` pictures stay within bounds. */
export function surfaceDensity({ width, height }: Rect, wanted: number, count = 1): number {
  return Math.max(1, Math.min(wanted, Math.sqrt(maxDensePixels / Math.max(1, width * height * count))));
}

/** Of a context that nothing stretches in one direction alone. */
export function densityOf(context: SKRSContext2D): number {
  const { a, b } = context.getTransform();
  return Math.hypot(a, b);
}

/** `at`: on even coordinates. The sheet covers no less. */
export function createSurface(at: Rect, density: number): Surface {
  const pixels = (length: number): number => Math.ceil((length * density) / 2 - 1e-6) * 2;
  const canvas = createCanvas(pixels(at.width), pixels(at.height));
  const context = canvas.getContext('2d');
  context.scale(density, density);
  context.translate(-at.x, -at.y);
  return { at: { ...at, width: canvas.width / density, height: canvas.height / density }, canvas, context, density };
}

/** Lays one sheet over another of the same place and density, pixel by pixel. */
export function compositeSurface(target: SKRSContext2D, { canvas }: Surface, alpha = 1): void {
  target.save();
  target.resetTransform();
  target.globalAlpha = alpha;
  target.drawImage(canvas, 0, 0);
  target.restore();
}

/** What is visible of a sheet, and where it lies on the canvas. The sheet is given up. */
export function cropSurface({ at, canvas, density }: Surface): { at: Rect; bitmap: Bitmap } | undefined {
  const cut = cropToInk(canvas);
  if (cut === undefined) return undefined;
  const { x, y, width, height } = cut.at;
  return { at: { x: at.x + x / density, y: at.y + y / density, width: width / density, height: height / density }, bitmap: cut.bitmap };
}
