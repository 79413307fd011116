import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import { cropToInk, type Rect } from './bitmap.js';
import { inheritGradient } from './gradient-canvases.js';
import { createCanvas } from './skia.js';
import type { Bitmap } from './sprite-file.js';

/** A canvas that covers a part of the movie's canvas; its context draws in the movie's coordinates. */
export interface Surface {
  at: Rect;
  canvas: Canvas;
  context: SKRSContext2D;
  /** Surface pixels per canvas pixel: above 1 for content that is magnified when shown. */
  density: number;
}

/** Pixel limit of a surface with a density above 1: four 1080p frames. */
const maxDensePixels = 4 * 1920 * 1080;

/** Rounds a density up to a multiple of 1/8 from 1 to 4, so that similar magnifications share one drawing. */
export function roundDensity(wanted = 1): number {
  return Math.max(1, Math.min(4, Math.ceil(wanted * 8 - 1e-6) / 8));
}

/** Limits a density so that `count` surfaces of this size stay within the pixel limit; at least 1. */
export function surfaceDensity({ width, height }: Rect, wanted: number, count = 1): number {
  return Math.max(1, Math.min(wanted, Math.sqrt(maxDensePixels / Math.max(1, width * height * count))));
}

/** Surface pixels per unit of a context that is scaled equally in both directions. */
export function densityOf(context: SKRSContext2D): number {
  const { a, b } = context.getTransform();
  return Math.hypot(a, b);
}

/** Creates a transparent surface that covers at least `at`, a rectangle on even coordinates. */
export function createSurface(at: Rect, density: number): Surface {
  const pixels = (length: number): number => Math.ceil((length * density) / 2 - 1e-6) * 2;
  const canvas = createCanvas(pixels(at.width), pixels(at.height));
  const context = canvas.getContext('2d');
  context.scale(density, density);
  context.translate(-at.x, -at.y);
  return { at: { ...at, width: canvas.width / density, height: canvas.height / density }, canvas, context, density };
}

/** Draws a surface over another one with the same rectangle and density. */
export function compositeSurface(target: SKRSContext2D, { canvas }: Surface, alpha = 1): void {
  target.save();
  target.resetTransform();
  target.globalAlpha = alpha;
  target.drawImage(canvas, 0, 0);
  inheritGradient(target, canvas);
  target.restore();
}

/** Crops a surface to its visible pixels; undefined if there are none. The surface cannot be used afterwards. */
export function cropSurface({ at, canvas, density }: Surface): { at: Rect; bitmap: Bitmap } | undefined {
  const cut = cropToInk(canvas);
  if (cut === undefined) return undefined;
  const { x, y, width, height } = cut.at;
  return { at: { x: at.x + x / density, y: at.y + y / density, width: width / density, height: height / density }, bitmap: cut.bitmap };
}
