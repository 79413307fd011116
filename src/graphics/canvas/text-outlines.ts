import type { Path2D, SKRSContext2D } from '@napi-rs/canvas';
import { createOutlineCanvas, createPath } from './skia.js';

/** Where outlines are drawn on a sheet of twice this side. Skia leaves out runs that lie outside as a whole. */
const ORIGIN = 512;

/** Where the baseline of a text starts, and the scale of its letters there. */
interface Placement {
  x: number;
  y: number;
  scale: number;
}

/** Outlines of a text, without letters that are images. Unlike letters, which Skia draws on quarters of pixels, they may lie anywhere. `prepare`: sets the font. */
export function outlineText(prepare: (context: SKRSContext2D) => void, text: string, { x, y, scale }: Placement): Path2D {
  const sheet = createOutlineCanvas(2 * ORIGIN);
  const context = sheet.getContext('2d');
  prepare(context);
  context.fillText(text, ORIGIN, ORIGIN);
  const outlines = createPath('');
  const placed = { a: scale, b: 0, c: 0, d: scale, e: x - ORIGIN * scale, f: y - ORIGIN * scale };
  for (const [, data = ''] of sheet
    .getContent()
    .toString()
    .matchAll(/ d="([^"]*)"/g))
    outlines.addPath(createPath(data), placed);
  return outlines;
}
