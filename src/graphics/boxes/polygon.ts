import type { SKRSContext2D } from '@napi-rs/canvas';
import { parseColor } from '../../script/index.js';
import { cssColor } from '../box-paint/gradients.js';
import { densityOf } from '../text/sheet.js';
import type { Box } from './lay-out.js';

/** Points in a square of 100 units, stretched over the box; the stroke keeps its width. */
export function paintPolygon(context: SKRSContext2D, box: Box): void {
  const { values, style } = box.node;
  const points = parsePoints(String(values.points ?? ''));
  if (points.length < 2) return;
  context.save();
  context.beginPath();
  for (const [i, [x, y]] of points.entries()) {
    const at = [box.x + (x * box.width) / 100, box.y + (y * box.height) / 100] as const;
    if (i === 0) context.moveTo(...at);
    else context.lineTo(...at);
  }
  context.closePath();
  const [shadow] = style.shadows;
  if (shadow !== undefined) {
    context.shadowColor = cssColor(shadow.color);
    // In the canvas's own pixels.
    const density = densityOf(context);
    context.shadowBlur = shadow.blur * density;
    context.shadowOffsetX = shadow.x * density;
    context.shadowOffsetY = shadow.y * density;
  }
  const fill = parseColor(String(values.fill ?? 'transparent'));
  if (fill !== undefined && fill.a > 0) {
    context.fillStyle = cssColor(fill);
    context.fill();
    context.shadowColor = 'transparent';
  }
  const stroke = parseColor(String(values.stroke ?? 'transparent'));
  const width = Number.parseFloat(String(values['stroke-width'] ?? 1));
  if (stroke !== undefined && stroke.a > 0 && width > 0) {
    context.strokeStyle = cssColor(stroke);
    context.lineWidth = width;
    context.lineJoin = 'miter';
    context.stroke();
  }
  context.restore();
}

/** SVG points: `0,0 50,100 100,0`, with commas or spaces. */
export function parsePoints(text: string): Array<[number, number]> {
  const numbers = (text.match(/[+-]?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
  return Array.from({ length: Math.floor(numbers.length / 2) }, (_, i) => [numbers[2 * i] as number, numbers[2 * i + 1] as number]);
}
