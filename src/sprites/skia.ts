import { createRequire } from 'node:module';
import type * as Library from '@napi-rs/canvas';
import { withoutSystemFonts } from '../config/index.js';

/** The drawing library, as this folder takes it: without the system's fonts until somebody asks for their names. */
const library = withoutSystemFonts(() => createRequire(import.meta.url)('@napi-rs/canvas') as typeof Library);

export const { createCanvas, GlobalFonts, Path2D } = library;

export function pixelsForCanvas(pixels: Uint8ClampedArray, width: number, height: number): Library.ImageData {
  return new library.ImageData(pixels, width, height);
}
export type Path2D = Library.Path2D;

let knowsSystem = false;

/** Every family that can be drawn with; the first call looks through the system's fonts. */
export function knownFamilies(): Array<{ family: string; styles: Array<{ weight: number; style: string }> }> {
  // Not among the library's types, nor is what stands behind it.
  if (!knowsSystem) (GlobalFonts as typeof GlobalFonts & { loadSystemFonts(): number }).loadSystemFonts();
  knowsSystem = true;
  return GlobalFonts.families;
}
