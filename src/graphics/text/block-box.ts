import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Background, Sides, Typography } from '../../script/index.js';
import type { Rect } from '../canvas/bitmap.js';
import { evenOut } from '../canvas/bitmap.js';
import { paintBox } from '../canvas/paint-box.js';
import { openSheet, overlay, type Sheet } from '../canvas/surface.js';
import { boxOutsets } from './decoration.js';

const noImages = new Map();
const cssAlpha = ({ r, g, b, a }: Typography['color']) => `rgba(${r}, ${g}, ${b}, ${a / 255})`;

/** Whether there is anything behind the letters. */
export function hasBox({ backgroundColor, box, outline }: Typography): boolean {
  return backgroundColor.a > 0 || box !== undefined || outline !== undefined;
}

/** Background, border, shadows and outline of a block, or of each of its lines. */
export function paintBoxes(context: SKRSContext2D, rects: readonly Rect[], { backgroundColor, borderRadius, box, outline }: Typography): void {
  if (rects.length === 0) return;
  if (box === undefined) {
    context.fillStyle = cssAlpha(backgroundColor);
    context.beginPath();
    // Where they overlap they are one shape.
    for (const { x, y, width, height } of rects) context.roundRect(x, y, width, height, borderRadius);
    context.fill();
  }
  for (const rect of rects) {
    if (box !== undefined) paintBox(context, rect, box, noImages);
    if (outline !== undefined)
      paintBox(context, grown(rect, { left: outline.offset, top: outline.offset, right: outline.offset, bottom: outline.offset }), outline.look, noImages);
  }
}

export function boxBounds(rects: readonly Rect[], typography: Typography): Rect[] {
  return rects.map((rect) => grown(rect, boxOutsets(typography)));
}

function grown({ x, y, width, height }: Rect, by: Sides): Rect {
  return { x: x - by.left, y: y - by.top, width: width + by.left + by.right, height: height + by.top + by.bottom };
}

/** What is within the border of a block. */
export function clipToBlock(context: SKRSContext2D, { x, y, width, height }: Rect, { box }: Typography): void {
  const { top = 0, right = 0, bottom = 0, left = 0 } = box?.border.widths ?? {};
  context.beginPath();
  context.rect(x + left, y + top, width - left - right, height - top - bottom);
  context.clip();
}

/** Replaces the colour of what a sheet holds by a background that is as large as the block. */
export function fillShape({ at, density, context: target }: Sheet, block: Rect, background: Background): void {
  const filling = openSheet(at, density);
  const none = { px: 0 };
  const border = { widths: { top: 0, right: 0, bottom: 0, left: 0 }, colors: {}, styles: {} } as NonNullable<Typography['box']>['border'];
  paintBox(filling.context, block, { background, border, radii: [none, none, none, none], shadows: [] }, noImages);
  target.save();
  target.globalCompositeOperation = 'source-in';
  overlay(target, filling);
  target.restore();
}

type Matrix = NonNullable<Typography['transform']>;

/** Around the middle of a block. */
function aroundMiddle([a, b, c, d, e, f]: Matrix, block: Rect): Matrix {
  const [x, y] = [block.x + block.width / 2, block.y + block.height / 2];
  return [a, b, c, d, e + x - a * x - c * y, f + y - b * x - d * y];
}

/** The smallest rectangle that holds what a rectangle becomes. */
export function transformedRect(matrix: Matrix, block: Rect, { x, y, width, height }: Rect): Rect {
  const [a, b, c, d, e, f] = aroundMiddle(matrix, block);
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

/** How many times as long a transform makes what it stretches most; at least 1. */
export function stretchOf([a, b, c, d]: Matrix): number {
  return Math.max(1, Math.hypot(a, b), Math.hypot(c, d));
}

/** A drawing turned, stretched and moved as one, with the density that `densityAt` tells for where it then lies. */
export function transformDrawing(drawn: Sheet, matrix: Matrix, block: Rect, densityAt: (at: Rect) => number): Sheet {
  const { x, y, width, height } = transformedRect(matrix, block, drawn.at);
  const at = evenOut({ x: x - 1, y: y - 1, width: width + 2, height: height + 2 });
  const sheet = openSheet(at, densityAt(at));
  const { context } = sheet;
  context.imageSmoothingEnabled = true;
  context.imageSmoothingQuality = 'high';
  context.transform(...aroundMiddle(matrix, block));
  context.drawImage(drawn.canvas, drawn.at.x, drawn.at.y, drawn.at.width, drawn.at.height);
  return sheet;
}
