import { fileURLToPath } from 'node:url';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { canvasOf, composeAll } from './draw-strips.mjs';

const shapes = [
  { width: 640, height: 360 },
  { width: 480, height: 480 },
  { width: 360, height: 640 },
];
const GAP = 3;
const COLUMN_GAP = 14;
const LABEL = 15;
const QUALITY = 55;
const font = fileURLToPath(new URL('../../node_modules/@fontsource/inter/files/inter-latin-500-normal.woff2', import.meta.url));

/** A sheet of all entries as WebP: each at its moments, in 16:9, 1:1 and 9:16. `media` is the folder of the images that they name. */
export async function drawContactSheet({ columns, height, entries }, media) {
  if (!GlobalFonts.has('Sheet label')) GlobalFonts.registerFromPath(font, 'Sheet label');
  const widths = shapes.map((shape) => Math.round((height * shape.width) / shape.height));
  const tilesOf = ({ script, moments }) => shapes.flatMap((shape, index) => moments.map((at) => ({ script: script(shape), at, width: widths[index] })));
  const columnWidth = widths.reduce((sum, width) => sum + 3 * (width + GAP), 0) + COLUMN_GAP;
  const rowHeight = LABEL + height + 2 * GAP;
  const canvas = createCanvas(columns * columnWidth - COLUMN_GAP, Math.ceil(entries.length / columns) * rowHeight);
  const context = canvas.getContext('2d');
  // Readable on a light page and on a dark one.
  context.fillStyle = '#808080';
  context.font = "11px 'Sheet label'";
  context.textBaseline = 'middle';
  context.imageSmoothingQuality = 'high';
  for (const [index, entry] of entries.entries()) {
    let x = (index % columns) * columnWidth;
    const y = Math.floor(index / columns) * rowHeight;
    context.fillText(entry.label, x, y + LABEL / 2);
    const tiles = tilesOf(entry);
    const frames = await composeAll(tiles, media);
    for (const [number, { width }] of tiles.entries()) {
      context.drawImage(canvasOf(frames[number]), x, y + LABEL, width, height);
      x += width + GAP;
    }
  }
  return canvas.encode('webp', QUALITY);
}
