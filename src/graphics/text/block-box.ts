import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Background, Sides, Typography } from '../../script/index.js';
import type { Rect } from '../canvas/bitmap.js';
import { expandToEven } from '../canvas/bitmap.js';
import { inheritGradient } from '../canvas/gradient-canvases.js';
import { cssColor } from '../canvas/gradients.js';
import { paintBox } from '../canvas/paint-box.js';
import { compositeSurface, createSurface, type Surface } from '../canvas/surface.js';
import { boxOutsets } from './decoration.js';

const noImages = new Map();

/** Whether a text has a background, box or outline. */
export function hasBox({ backgroundColor, box, outline }: Typography): boolean {
  return backgroundColor.a > 0 || box !== undefined || outline !== undefined;
}

/** Paints background, border, shadows and outline of a block, or of each of its lines. */
export function paintBoxes(context: SKRSContext2D, rects: readonly Rect[], { backgroundColor, borderRadius, box, outline }: Typography): void {
  if (rects.length === 0) return;
  if (box === undefined) {
    context.fillStyle = cssColor(backgroundColor);
    context.beginPath();
    // One path, so that overlapping rectangles are blended once.
    for (const { x, y, width, height } of rects) context.roundRect(x, y, width, height, borderRadius);
    context.fill();
  }
  for (const rect of rects) {
    if (box !== undefined) paintBox(context, rect, box, noImages);
    if (outline !== undefined)
      paintBox(context, expandRect(rect, { left: outline.offset, top: outline.offset, right: outline.offset, bottom: outline.offset }), outline.look, noImages);
  }
}

/** Rectangles extended by their shadows and outline. */
export function boxBounds(rects: readonly Rect[], typography: Typography): Rect[] {
  return rects.map((rect) => expandRect(rect, boxOutsets(typography)));
}

function expandRect({ x, y, width, height }: Rect, by: Sides): Rect {
  return { x: x - by.left, y: y - by.top, width: width + by.left + by.right, height: height + by.top + by.bottom };
}

/** Clips to the inside of a block's border. */
export function clipToBlock(context: SKRSContext2D, { x, y, width, height }: Rect, { box }: Typography): void {
  const { top = 0, right = 0, bottom = 0, left = 0 } = box?.border.widths ?? {};
  context.beginPath();
  context.rect(x + left, y + top, width - left - right, height - top - bottom);
  context.clip();
}

/** Replaces the colour of a surface's content by a background of the size of the block. */
export function fillWithBackground({ at, density, context: target }: Surface, block: Rect, background: Background): void {
  const filling = createSurface(at, density);
  const none = { px: 0 };
  const border = { widths: { top: 0, right: 0, bottom: 0, left: 0 }, colors: {}, styles: {} } as NonNullable<Typography['box']>['border'];
  paintBox(filling.context, block, { background, border, radii: [none, none, none, none], shadows: [] }, noImages);
  target.save();
  target.globalCompositeOperation = 'source-in';
  compositeSurface(target, filling);
  target.restore();
}

type Matrix = NonNullable<Typography['transform']>;

/** The matrix applied around the centre of a block. */
function aboutCentre([a, b, c, d, e, f]: Matrix, block: Rect): Matrix {
  const [x, y] = [block.x + block.width / 2, block.y + block.height / 2];
  return [a, b, c, d, e + x - a * x - c * y, f + y - b * x - d * y];
}

/** Bounding rectangle of a transformed rectangle. */
export function transformedRect(matrix: Matrix, block: Rect, { x, y, width, height }: Rect): Rect {
  const [a, b, c, d, e, f] = aboutCentre(matrix, block);
  const corners = [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ].map(([px = 0, py = 0]) => [a * px + c * py + e, b * px + d * py + f] as const);
  const xs = corners.map(([px]) => px);
  const ys = corners.map(([, py]) => py);
  const left = Math.min(...xs);
  const top = Math.min(...ys);
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

/** The largest factor by which a transform scales a length; at least 1. */
export function maxScaleOf([a, b, c, d]: Matrix): number {
  return Math.max(1, Math.hypot(a, b), Math.hypot(c, d));
}

/** Transforms a surface around the centre of the block. `densityAt` returns the density for the transformed rectangle. */
export function transformSurface(source: Surface, matrix: Matrix, block: Rect, densityAt: (at: Rect) => number): Surface {
  const { x, y, width, height } = transformedRect(matrix, block, source.at);
  const at = expandToEven({ x: x - 1, y: y - 1, width: width + 2, height: height + 2 });
  const sheet = createSurface(at, densityAt(at));
  const { context } = sheet;
  context.imageSmoothingEnabled = true;
  context.imageSmoothingQuality = 'high';
  context.transform(...aboutCentre(matrix, block));
  context.drawImage(source.canvas, source.at.x, source.at.y, source.at.width, source.at.height);
  inheritGradient(context, source.canvas);
  return sheet;
}
