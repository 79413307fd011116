import type { SKRSContext2D } from '@napi-rs/canvas';
import { cssColor } from '../../canvas/gradients.js';
import { createPath } from '../../canvas/skia.js';
import type { Box } from '../layout.js';

/** Share of the height that the line leaves free at the top and bottom. */
const margin = 0.08;

/** Opacity of the area next to the line, and of the line at zero, of 255. */
const opacity = { area: 90, zero: 110 };

/**
 * Paints `values` of the node's group as a smooth line from edge to edge in the text colour, over an area that fades out downwards; between values
 * below and above zero the area fades out towards a line at zero.
 */
export function paintPlot(context: SKRSContext2D, { content, node }: Box): void {
  const values = [node.values.values].flat().map(Number).filter(Number.isFinite);
  if (values.length < 2) return;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const levelOf = (value: number) => content.y + content.height * (1 - margin - (high > low ? (value - low) / (high - low) : 0.5) * (1 - 2 * margin));
  const points = values.map((value, index) => ({ x: content.x + (content.width * index) / (values.length - 1), y: levelOf(value) }));
  const line = smoothPath(points);
  const { color } = node.style.typography;
  const width = Math.max(1, Number(node.values['stroke-width']) || content.height * 0.02);
  const bottom = content.y + content.height;
  const hasZero = low < 0 && high > 0;
  const ground = hasZero ? levelOf(0) : bottom;
  context.save();
  const fade = context.createLinearGradient(0, content.y, 0, bottom);
  fade.addColorStop(0, cssColor({ ...color, a: opacity.area }));
  fade.addColorStop((ground - content.y) / content.height, cssColor({ ...color, a: 0 }));
  if (hasZero) fade.addColorStop(1, cssColor({ ...color, a: opacity.area }));
  context.fillStyle = fade;
  context.fill(createPath(`${line} L ${points.at(-1)?.x} ${ground} L ${points[0]?.x} ${ground} Z`));
  if (hasZero) {
    context.fillStyle = cssColor({ ...color, a: opacity.zero });
    context.fillRect(content.x, ground - width / 6, content.width, width / 3);
  }
  context.strokeStyle = cssColor(color);
  context.lineWidth = width;
  context.lineJoin = 'round';
  context.lineCap = 'round';
  context.stroke(createPath(line));
  context.restore();
}

/** A monotone cubic curve through the points: it never swings beyond neighbouring values. */
function smoothPath(points: ReadonlyArray<{ x: number; y: number }>): string {
  const slopes = points.slice(1).map((point, index) => (point.y - (points[index]?.y ?? 0)) / Math.max(1e-6, point.x - (points[index]?.x ?? 0)));
  const tangents = points.map((_, index) => {
    const [before, after] = [slopes[index - 1], slopes[index]];
    if (before === undefined || after === undefined) return before ?? after ?? 0;
    return before * after <= 0 ? 0 : (2 * before * after) / (before + after);
  });
  return points
    .map((point, index) => {
      const previous = points[index - 1];
      if (previous === undefined) return `M ${point.x} ${point.y}`;
      const third = (point.x - previous.x) / 3;
      return `C ${previous.x + third} ${previous.y + third * (tangents[index - 1] ?? 0)} ${point.x - third} ${point.y - third * (tangents[index] ?? 0)} ${point.x} ${point.y}`;
    })
    .join(' ');
}
