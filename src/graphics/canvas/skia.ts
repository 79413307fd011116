import { createRequire } from 'node:module';
import type * as Library from '@napi-rs/canvas';
import { withoutSystemFonts } from '../../config/index.js';

/** The drawing library, loaded on first use. System fonts are loaded only when their names are listed. */
let loaded: typeof Library | undefined;

function library(): typeof Library {
  loaded ??= withoutSystemFonts(() => createRequire(import.meta.url)('@napi-rs/canvas') as typeof Library);
  return loaded;
}

/** Creates a transparent canvas; sizes in pixels. */
export function createCanvas(width: number, height: number): Library.Canvas {
  return library().createCanvas(width, height);
}

/** Creates a square canvas that records vector graphics, with texts as outlines. */
export function createOutlineCanvas(side: number): Library.SvgCanvas {
  const { SvgExportFlag, createCanvas: create } = library();
  return create(side, side, SvgExportFlag.ConvertTextToPaths);
}

/** Wraps straight RGBA pixels for putImageData(). */
export function pixelsForCanvas(pixels: Uint8ClampedArray, width: number, height: number): Library.ImageData {
  return new (library().ImageData)(pixels, width, height);
}

/** Decodes an image file. */
export function decodeImage(file: Buffer): Promise<Library.Image> {
  return library().loadImage(file);
}

/** Creates a path from the data of an SVG path. */
export function createPath(data: string): Library.Path2D {
  return new (library().Path2D)(data);
}

/** Registry of the fonts that this process can draw with. */
export function fontRegistry(): Pick<typeof Library.GlobalFonts, 'register' | 'registerFromPath' | 'removeBatch'> {
  return library().GlobalFonts;
}

let hasSystemFonts = false;

/** All families that can be drawn with. The first call scans the system's fonts. */
export function listSystemFamilies(): Array<{ family: string; styles: Array<{ weight: number; style: string }> }> {
  const { GlobalFonts } = library();
  // loadSystemFonts() is missing from the library's types.
  if (!hasSystemFonts) (GlobalFonts as typeof GlobalFonts & { loadSystemFonts(): number }).loadSystemFonts();
  hasSystemFonts = true;
  return GlobalFonts.families;
}
