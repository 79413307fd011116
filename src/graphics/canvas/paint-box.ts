import type { SKRSContext2D } from '@napi-rs/canvas';
import { type BackgroundLayer, type BoxLook, type BoxShadow, resolveLength, type Sides, sideNames } from '../../script/index.js';
import type { DecodedImage } from '../images/decode-images.js';
import type { Rect } from './bitmap.js';
import { cssColor, fillGradient } from './gradients.js';
import { densityOf } from './surface.js';

/** Decoded images by their URL in the settings. */
export type Images = ReadonlyMap<string, DecodedImage>;

/** Horizontal and vertical radius of a corner; they differ if given in percent. */
interface Radius {
  x: number;
  y: number;
}
type Radii = [Radius, Radius, Radius, Radius];

/** Paints shadows, background and border of a box as CSS does. */
export function paintBox(context: SKRSContext2D, rect: Rect, style: BoxLook, images: Images): void {
  if (rect.width <= 0 || rect.height <= 0) return;
  const radii = radiiOf(style, rect);
  for (const shadow of style.shadows.toReversed()) if (!shadow.inset) castShadow(context, rect, radii, shadow);
  paintBackground(context, rect, radii, style, images);
  for (const shadow of style.shadows.toReversed()) if (shadow.inset) castInsetShadow(context, rect, radii, shadow);
  paintBorder(context, rect, radii, style);
}

/** Corner radii in pixels, clockwise from the top left. */
export function radiiOf(style: BoxLook, rect: Rect): Radii {
  const { width, height } = rect;
  const radii = style.radii.map((length) => ({ x: Math.max(0, resolveLength(length, width)), y: Math.max(0, resolveLength(length, height)) })) as Radii;
  const [a, b, c, d] = radii;
  // CSS scales all corners by the same factor until neighbouring radii fit their side.
  const factor = Math.min(1, width / Math.max(a.x + b.x, c.x + d.x, 1e-6), height / Math.max(a.y + d.y, b.y + c.y, 1e-6));
  return mapRadii(radii, (radius) => radius * factor);
}

/** A corner with only one radius above 0 is square. */
function mapRadii(radii: Radii, change: (radius: number) => number): Radii {
  return radii.map(({ x, y }) => (x <= 0 || y <= 0 ? { x: 0, y: 0 } : { x: Math.max(0, change(x)), y: Math.max(0, change(y)) })) as Radii;
}

/** Starts a path along a rounded rectangle. */
export function tracePath(context: SKRSContext2D, rect: Rect, radii: Radii): void {
  context.beginPath();
  if (radii.every(({ x, y }) => Math.min(x, y) < 0.01)) context.rect(rect.x, rect.y, rect.width, rect.height);
  else context.roundRect(rect.x, rect.y, rect.width, rect.height, radii);
}

function inflate(rect: Rect, by: number): Rect {
  return { x: rect.x - by, y: rect.y - by, width: Math.max(0, rect.width + 2 * by), height: Math.max(0, rect.height + 2 * by) };
}

function castShadow(context: SKRSContext2D, rect: Rect, radii: Radii, shadow: BoxShadow): void {
  if (shadow.color.a === 0) return;
  context.save();
  // The box itself is excluded so that the shadow does not show through a translucent background.
  context.beginPath();
  context.rect(rect.x - 1e5, rect.y - 1e5, 2e5 + rect.width, 2e5 + rect.height);
  context.roundRect(rect.x, rect.y, rect.width, rect.height, radii);
  context.clip('evenodd');
  const away = 1e4;
  // Canvas shadows ignore the transform and use surface pixels.
  const matrix = context.getTransform();
  context.shadowColor = cssColor(shadow.color);
  context.shadowBlur = shadow.blur * densityOf(context);
  context.shadowOffsetX = shadow.x * matrix.a + shadow.y * matrix.c + away * matrix.a;
  context.shadowOffsetY = shadow.x * matrix.b + shadow.y * matrix.d + away * matrix.b;
  const spread = inflate(rect, shadow.spread);
  const grown = mapRadii(radii, (radius) => radius + shadow.spread);
  context.fillStyle = '#000';
  tracePath(context, { ...spread, x: spread.x - away }, grown);
  context.fill();
  context.restore();
}

function castInsetShadow(context: SKRSContext2D, rect: Rect, radii: Radii, shadow: BoxShadow): void {
  context.save();
  tracePath(context, rect, radii);
  context.clip();
  const away = 1e4;
  const inner = inflate(rect, -shadow.spread);
  context.shadowColor = cssColor(shadow.color);
  const matrix = context.getTransform();
  context.shadowBlur = shadow.blur * densityOf(context);
  context.shadowOffsetX = shadow.x * matrix.a + shadow.y * matrix.c + away * matrix.a;
  context.shadowOffsetY = shadow.x * matrix.b + shadow.y * matrix.d + away * matrix.b;
  context.fillStyle = '#000';
  context.beginPath();
  context.rect(rect.x - away - 2000, rect.y - 2000, rect.width + 4000, rect.height + 4000);
  context.roundRect(inner.x - away, inner.y, inner.width, inner.height, radii);
  context.fill('evenodd');
  context.restore();
}

function paintBackground(context: SKRSContext2D, rect: Rect, radii: Radii, style: BoxLook, images: Images): void {
  const { color, layers } = style.background;
  const hasColor = color !== undefined && color.a > 0;
  if (!hasColor && layers.length === 0) return;
  context.save();
  context.beginPath();
  addInsetRect(context, rect, radii, style.background.inset ?? { top: 0, right: 0, bottom: 0, left: 0 }, 1);
  if (hasColor) {
    context.fillStyle = cssColor(color);
    context.fill();
  }
  if (layers.length > 0) {
    context.clip();
    const { top, right, bottom, left } = style.border.widths;
    const padding = { x: rect.x + left, y: rect.y + top, width: rect.width - left - right, height: rect.height - top - bottom };
    for (const layer of layers.toReversed()) paintLayer(context, layer, layer.paint.kind === 'image' ? padding : rect, images);
  }
  context.restore();
}

function paintLayer(context: SKRSContext2D, layer: BackgroundLayer, area: Rect, images: Images): void {
  const { paint } = layer;
  const image = paint.kind === 'image' ? images.get(paint.url) : undefined;
  if (paint.kind === 'image' && image === undefined) return;
  if (area.width <= 0 || area.height <= 0) return;
  const size = tileSize(layer, image ?? area, area);
  if (size.width < 0.5 || size.height < 0.5) return;
  const at = { x: resolveLength(layer.x, area.width - size.width), y: resolveLength(layer.y, area.height - size.height) };
  for (const tile of tiles(layer, at, size, area)) {
    if (image !== undefined) drawTile(context, image, tile);
    else if (paint.kind !== 'image') fillGradient(context, paint, tile);
  }
}

function drawTile(context: SKRSContext2D, image: DecodedImage, rect: Rect): void {
  context.imageSmoothingEnabled = true;
  context.imageSmoothingQuality = 'high';
  context.drawImage(image.canvasFor(rect.width), rect.x, rect.y, rect.width, rect.height);
}

function tileSize({ size }: BackgroundLayer, natural: { width: number; height: number }, area: Rect): { width: number; height: number } {
  const { width, height } = natural;
  if (size === 'stretch') return area;
  if (size === 'auto') return { width, height };
  if (size === 'cover' || size === 'contain') {
    const factors = [area.width / width, area.height / height];
    const factor = size === 'cover' ? Math.max(...factors) : Math.min(...factors);
    return { width: width * factor, height: height * factor };
  }
  const [x, y] = size;
  const w = x === 'auto' ? undefined : resolveLength(x, area.width);
  const h = y === 'auto' ? undefined : resolveLength(y, area.height);
  if (w === undefined && h === undefined) return { width, height };
  return { width: w ?? ((h as number) * width) / height, height: h ?? ((w as number) * height) / width };
}

const maxTileCount = 4000;

function tiles(layer: BackgroundLayer, at: { x: number; y: number }, size: { width: number; height: number }, area: Rect): Rect[] {
  const starts = (offset: number, length: number, whole: number, repeats: boolean) => {
    if (!repeats) return [offset];
    const first = offset - Math.ceil(offset / length) * length;
    const count = Math.min(maxTileCount, Math.ceil((whole - first) / length));
    return Array.from({ length: count }, (_, i) => first + i * length);
  };
  const xs = starts(at.x, size.width, area.width, layer.repeatX);
  const ys = starts(at.y, size.height, area.height, layer.repeatY);
  return ys.flatMap((y) => xs.map((x) => ({ x: area.x + x, y: area.y + y, ...size }))).slice(0, maxTileCount);
}

function paintBorder(context: SKRSContext2D, rect: Rect, radii: Radii, { border }: BoxLook): void {
  const { widths, colors, styles } = border;
  if (sideNames.every((side) => widths[side] === 0)) return;
  const isUniform = sideNames.every((side) => widths[side] === widths.top && cssColor(colors[side]) === cssColor(colors.top) && styles[side] === styles.top);
  for (const side of isUniform ? (['top'] as const) : sideNames) {
    if (widths[side] === 0 || colors[side].a === 0) continue;
    context.save();
    if (!isUniform) clipToSide(context, rect, widths, side);
    const style = styles[side];
    if (style === 'dashed' || style === 'dotted') strokeDashes(context, rect, radii, widths[side], cssColor(colors[side]), style);
    else {
      context.fillStyle = cssColor(colors[side]);
      fillRing(context, rect, radii, widths, style === 'double');
    }
    context.restore();
  }
}

function fillRing(context: SKRSContext2D, rect: Rect, radii: Radii, widths: Sides, isDouble: boolean): void {
  const ring = (outer: number, inner: number) => {
    context.beginPath();
    addInsetRect(context, rect, radii, widths, outer);
    addInsetRect(context, rect, radii, widths, inner);
    context.fill('evenodd');
  };
  if (isDouble) {
    ring(0, 1 / 3);
    ring(2 / 3, 1);
  } else ring(0, 1);
}

function addInsetRect(context: SKRSContext2D, rect: Rect, [a, b, c, d]: Radii, { top, right, bottom, left }: Sides, share: number): void {
  const inner = {
    x: rect.x + left * share,
    y: rect.y + top * share,
    width: Math.max(0, rect.width - (left + right) * share),
    height: Math.max(0, rect.height - (top + bottom) * share),
  };
  const less = (radius: Radius, across: number, along: number) => ({ x: Math.max(0, radius.x - across * share), y: Math.max(0, radius.y - along * share) });
  context.roundRect(inner.x, inner.y, inner.width, inner.height, [less(a, left, top), less(b, right, top), less(c, right, bottom), less(d, left, bottom)]);
}

/** Clips to the trapezium of one side; neighbouring sides meet on the diagonal of their corner. */
function clipToSide(context: SKRSContext2D, { x, y, width, height }: Rect, widths: Sides, side: keyof Sides): void {
  const [r, b] = [x + width, y + height];
  const inner = { l: x + widths.left, t: y + widths.top, r: r - widths.right, b: b - widths.bottom };
  const corners = {
    top: [
      [x, y],
      [r, y],
      [inner.r, inner.t],
      [inner.l, inner.t],
    ],
    right: [
      [r, y],
      [r, b],
      [inner.r, inner.b],
      [inner.r, inner.t],
    ],
    bottom: [
      [r, b],
      [x, b],
      [inner.l, inner.b],
      [inner.r, inner.b],
    ],
    left: [
      [x, b],
      [x, y],
      [inner.l, inner.t],
      [inner.l, inner.b],
    ],
  }[side];
  context.beginPath();
  for (const [i, [px = 0, py = 0]] of corners.entries()) i === 0 ? context.moveTo(px, py) : context.lineTo(px, py);
  context.closePath();
  context.clip();
}

function strokeDashes(context: SKRSContext2D, rect: Rect, radii: Radii, width: number, color: string, style: 'dashed' | 'dotted'): void {
  context.save();
  context.strokeStyle = color;
  context.lineWidth = width;
  context.lineCap = style === 'dotted' ? 'round' : 'butt';
  context.setLineDash(style === 'dotted' ? [0.01, width * 2] : [width * 3, width * 2]);
  tracePath(
    context,
    inflate(rect, -width / 2),
    mapRadii(radii, (radius) => radius - width / 2),
  );
  context.stroke();
  context.restore();
}
