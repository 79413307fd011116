import type { SKRSContext2D } from '@napi-rs/canvas';
import { parseColor } from '../../script/index.js';
import type { Rect } from '../canvas/bitmap.js';
import { inheritGradient } from '../canvas/gradient-canvases.js';
import { cssColor } from '../canvas/gradients.js';
import { type Images, paintBox, radiiOf } from '../canvas/paint-box.js';
import { createCanvas } from '../canvas/skia.js';
import { densityOf } from '../canvas/surface.js';
import type { Box } from './layout.js';

/** Rotates the context around the centre of a rectangle. */
export function rotateAbout(context: SKRSContext2D, rect: Rect, degrees: number): void {
  const [x, y] = [rect.x + rect.width / 2, rect.y + rect.height / 2];
  context.translate(x, y);
  context.rotate((degrees * Math.PI) / 180);
  context.translate(-x, -y);
}

/** Paints a polygon whose points lie in a square of 100 units, stretched over the box. The stroke keeps its width. */
export function paintPolygon(context: SKRSContext2D, box: Box): void {
  const { values, style } = box.node;
  if (parsePoints(String(values.points ?? '')).length < 2) return;
  context.save();
  context.beginPath();
  tracePoints(context, box);
  const [shadow] = style.shadows;
  if (shadow !== undefined) {
    context.shadowColor = cssColor(shadow.color);
    // Canvas shadows ignore the transform, so they are given in the surface's pixels.
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

/** Paints a box's background with the shapes of its children cut out. */
export function paintCutout(context: SKRSContext2D, box: Box, images: Images): void {
  const layer = createCanvas(context.canvas.width, context.canvas.height);
  const inner = layer.getContext('2d');
  inner.setTransform(context.getTransform());
  paintBox(inner, box, box.node.style, images);
  inner.globalCompositeOperation = 'destination-out';
  inner.fillStyle = '#000';
  for (const hole of box.children) {
    inner.save();
    rotateAbout(inner, hole, hole.node.style.rotation);
    traceHole(inner, hole);
    inner.fill();
    inner.restore();
  }
  context.save();
  context.resetTransform();
  context.drawImage(layer, 0, 0);
  inheritGradient(context, layer);
  context.restore();
}

function traceHole(context: SKRSContext2D, hole: Box): void {
  const { x, y, width, height, node } = hole;
  const shape = String(node.values.shape ?? 'ellipse');
  context.beginPath();
  if (shape === 'rect' || shape === 'rectangle') {
    context.roundRect(x, y, width, height, radiiOf(node.style, hole));
  } else if (shape === 'polygon') {
    tracePoints(context, hole);
  } else {
    const radius = Math.min(width, height) / 2;
    const [rx, ry] = shape === 'circle' ? [radius, radius] : [width / 2, height / 2];
    context.ellipse(x + width / 2, y + height / 2, rx, ry, 0, 0, 2 * Math.PI);
  }
}

function tracePoints(context: SKRSContext2D, { x, y, width, height, node }: Box): void {
  for (const [i, [px, py]] of parsePoints(String(node.values.points ?? '')).entries()) {
    const at = [x + (px * width) / 100, y + (py * height) / 100] as const;
    i === 0 ? context.moveTo(...at) : context.lineTo(...at);
  }
  context.closePath();
}

/** Parses SVG points such as `0,0 50,100 100,0`, separated by commas or spaces. */
function parsePoints(text: string): Array<[number, number]> {
  const numbers = (text.match(/[+-]?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
  return Array.from({ length: Math.floor(numbers.length / 2) }, (_, i) => [numbers[2 * i] as number, numbers[2 * i + 1] as number]);
}
