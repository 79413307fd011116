import { createRequire } from 'node:module';
import type * as Library from '@napi-rs/canvas';
import { withoutSystemFonts } from '../../config/index.js';

/** The drawing library, as this folder takes it: loaded when something is drawn, and without the system's fonts until somebody asks for their names. */
let loaded: typeof Library | undefined;

function library(): typeof Library {
  loaded ??= withoutSystemFonts(() => createRequire(import.meta.url)('@napi-rs/canvas') as typeof Library);
  return loaded;
}

export function createCanvas(width: number, height: number): Library.Canvas {
  return library().createCanvas(width, height);
}

export function pixelsForCanvas(pixels: Uint8ClampedArray, width: number, height: number): Library.ImageData {
  return new (library().ImageData)(pixels, width, height);
}

/** `data`: of an SVG path. */
export function createPath(data: string): Library.Path2D {
  return new (library().Path2D)(data);
}

/** The fonts of this process. */
export function fontRegistry(): Pick<typeof Library.GlobalFonts, 'register' | 'registerFromPath' | 'removeBatch'> {
  return library().GlobalFonts;
}

let hasSystemFonts = false;

/** Every family that can be drawn with; the first call looks through the system's fonts. */
export function listSystemFamilies(): Array<{ family: string; styles: Array<{ weight: number; style: string }> }> {
  const { GlobalFonts } = library();
  // Not among the library's types, nor is what stands behind it.
  if (!hasSystemFonts) (GlobalFonts as typeof GlobalFonts & { loadSystemFonts(): number }).loadSystemFonts();
  hasSystemFonts = true;
  return GlobalFonts.families;
}
