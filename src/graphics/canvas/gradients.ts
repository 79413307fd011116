import type { CanvasGradient, SKRSContext2D } from '@napi-rs/canvas';
import { type Color, type ColorStop, type Paint, resolveLength } from '../../script/index.js';
import type { Rect } from './bitmap.js';
import { markGradient } from './gradient-canvases.js';

type Gradient = Exclude<Paint, { kind: 'image' }>;

/** A colour in CSS syntax. */
export const cssColor = ({ r, g, b, a }: Color) => `rgba(${r}, ${g}, ${b}, ${a / 255})`;

/** Fills the context's clip with a CSS gradient over a rectangle. */
export function fillGradient(context: SKRSContext2D, gradient: Gradient, rect: Rect): void {
  if (gradient.kind === 'linear') fillLinear(context, gradient, rect);
  else if (gradient.kind === 'radial') fillRadial(context, gradient, rect);
  else fillConic(context, gradient, rect);
}

function fillLinear(context: SKRSContext2D, gradient: Extract<Gradient, { kind: 'linear' }>, rect: Rect): void {
  const angle = gradient.degrees === 'corner' ? cornerAngle(gradient.toward, rect) : (gradient.degrees * Math.PI) / 180;
  const [dx, dy] = [Math.sin(angle), -Math.cos(angle)];
  const length = Math.abs(rect.width * dx) + Math.abs(rect.height * dy);
  const [cx, cy] = [rect.x + rect.width / 2, rect.y + rect.height / 2];
  const [hx, hy] = [(dx * length) / 2, (dy * length) / 2];
  fill(context, context.createLinearGradient(cx - hx, cy - hy, cx + hx, cy + hy), gradient.stops, length, gradient.repeats, rect);
}

/** Angle of a gradient towards a corner, at which the two neighbouring corners get the middle colour. */
function cornerAngle([x, y]: [number, number], { width, height }: Rect): number {
  return Math.atan2(x * height, -y * width);
}

function fillRadial(context: SKRSContext2D, gradient: Extract<Gradient, { kind: 'radial' }>, rect: Rect): void {
  const cx = resolveLength(gradient.x, rect.width);
  const cy = resolveLength(gradient.y, rect.height);
  const [farX, farY] = [Math.max(cx, rect.width - cx), Math.max(cy, rect.height - cy)];
  const radius = gradient.circle ? Math.hypot(farX, farY) : farX * Math.SQRT2;
  const squeeze = gradient.circle || farX === 0 ? 1 : farY / farX;
  context.save();
  context.translate(rect.x + cx, rect.y + cy);
  context.scale(1, squeeze || 1);
  const local = { x: -cx, y: -cy / (squeeze || 1), width: rect.width, height: rect.height / (squeeze || 1) };
  fill(context, context.createRadialGradient(0, 0, 0, 0, 0, Math.max(radius, 0.01)), gradient.stops, radius, gradient.repeats, local);
  context.restore();
}

function fillConic(context: SKRSContext2D, gradient: Extract<Gradient, { kind: 'conic' }>, rect: Rect): void {
  const start = ((gradient.degrees - 90) * Math.PI) / 180;
  const [x, y] = [rect.x + resolveLength(gradient.x, rect.width), rect.y + resolveLength(gradient.y, rect.height)];
  fill(context, context.createConicGradient(start, x, y), gradient.stops, 360, false, rect);
}

function fill(context: SKRSContext2D, gradient: CanvasGradient, stops: readonly ColorStop[], length: number, repeats: boolean, rect: Rect): void {
  for (const [at, color] of stopsAlong(stops, length, repeats)) gradient.addColorStop(at, cssColor(color));
  context.fillStyle = gradient;
  context.fillRect(rect.x, rect.y, rect.width, rect.height);
  markGradient(context);
}

/** Positions of all stops from 0 to 1; stops without a position are spaced evenly between their neighbours. */
function stopsAlong(stops: readonly ColorStop[], length: number, repeats: boolean): Array<[number, Color]> {
  const places: Array<number | undefined> = stops.map(({ at }) => (at === undefined ? undefined : resolveLength(at, length) / Math.max(length, 1e-6)));
  places[0] ??= 0;
  if (places.length > 1) places[places.length - 1] ??= 1;
  let reached = 0;
  const placed = places.map((place, i) => {
    const next = places.findIndex((other, k) => k >= i && other !== undefined);
    const before = i - 1;
    const value = place ?? reached + ((places[next] as number) - reached) / (next - before);
    reached = Math.max(reached, value);
    return [reached, stops[i]?.color as Color] as [number, Color];
  });
  const period = reached - (placed[0]?.[0] ?? 0);
  if (!repeats || period < 0.002) return placed.map(([at, color]) => [Math.min(1, Math.max(0, at)), color]);
  const all: Array<[number, Color]> = [];
  for (let shift = -Math.ceil(placed[0]?.[0] ?? 0) * period; shift < 1; shift += period) {
    for (const [at, color] of placed) if (at + shift >= 0 && at + shift <= 1) all.push([at + shift, color]);
  }
  return all;
}
