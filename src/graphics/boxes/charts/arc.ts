import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Keyframe } from '../../../contract/index.js';
import type { Rect } from '../../canvas/bitmap.js';
import { cssColor } from '../../canvas/gradients.js';
import type { Motion } from '../../components/index.js';
import { combineCurves } from '../combine-curves.js';
import { type FrameClock, frameAt, motionCurves, toCurve } from '../curves.js';
import type { Box } from '../layout.js';
import type { ComponentPiece } from '../piece.js';
import type { SpritePainter } from '../sprite-painter.js';

/** Pixels by which a half ring extends beyond both ends at its inner edge, so that no seam shows between both halves. */
const OVERLAP = 2;

/**
 * Draws a part of a ring that grows clockwise from the top. Each half of the circle is a window over a rotating half ring, so that the growth
 * needs no redrawing.
 */
export async function drawArc(box: Box, painter: SpritePainter, clock: FrameClock): Promise<ComponentPiece[]> {
  const { node } = box;
  const square = squareIn(box.content);
  const size = square.width;
  if (size < 4) return [];
  const degrees = sweepCurve(box, clock);
  const overlap = overlapOf(size / 2, node);
  const rest = restMotion(box, square, clock);
  const pieces: ComponentPiece[] = [];
  for (const half of ['right', 'left'] as const) {
    const sprite = await painter.draw({ x: square.x - 4, y: square.y - 4, width: size + 8, height: size + 8 }, (context) =>
      paintHalf(context, square, box, half, overlap),
    );
    if (sprite === undefined) continue;
    const window = { x: half === 'right' ? square.x + size / 2 : square.x, y: square.y, width: size / 2, height: size };
    const start = half === 'right' ? 0 : 180;
    // Until it is in its window whole, its end is where the ring ends.
    const rotationAt = (value: number): number => (value >= start + 180 ? 180 : Math.max(0, value - start - overlap));
    const rotation = degrees.map(({ frame, value }) => ({ frame, value: rotationAt(value) }));
    const shown = degrees.map(({ frame, value }) => ({ frame, value: value > start + overlap ? 1 : 0, easing: 'hold' as const }));
    const { opacity, ...moved } = rest;
    pieces.push({
      kind: 'sprite',
      ...sprite,
      ...moved,
      rotation,
      opacity: combineCurves([shown, opacity], ([a = 1, b = 1]) => a * b) ?? shown,
      anchor: { x: (square.x + size / 2 - sprite.x) / sprite.width, y: (square.y + size / 2 - sprite.y) / sprite.height },
      clip: window,
    });
  }
  return pieces;
}

/** The square of a ring, in even pixels. */
export function squareIn(content: Rect): Rect {
  const size = Math.floor(Math.min(content.width, content.height) / 4) * 4;
  return { x: even(content.x + (content.width - size) / 2), y: even(content.y + (content.height - size) / 2), width: size, height: size };
}

/** Degrees of the ring at each frame in which they change. */
export function sweepCurve({ node }: Box, clock: FrameClock): Keyframe[] {
  const whole = 360 * (node.arc?.share ?? 1);
  const sweep = node.motion.find(({ property }) => property === 'sweep');
  if (sweep === undefined) return [{ frame: 0, value: whole }];
  return toCurve(keysOf(sweep, node.delayMs, clock), true).map(({ frame, value }) => ({ frame, value: value * whole }));
}

function keysOf({ keys }: Motion, delayMs: number, clock: FrameClock) {
  return keys.map(({ atMs, isAbsolute, value, easing }) => ({
    frame: frameAt((isAbsolute === true ? 0 : delayMs) + atMs, clock),
    value: 'number' in value ? value.number : 0,
    ...(easing === undefined ? {} : { easing }),
  }));
}

/** Paints the half ring that lies in the other half of the circle before it rotates into its window. */
function paintHalf(context: SKRSContext2D, square: Rect, { node }: Box, half: 'left' | 'right', overlap: number): void {
  const [from, to] = half === 'right' ? [180 - overlap, 360 + overlap] : [-overlap, 180 + overlap];
  context.beginPath();
  traceRing(context, square, innerRadius(square.width / 2, node), [from, to]);
  context.fillStyle = cssColor(node.style.typography.color);
  context.fill();
}

/** Adds a part of a ring to the path, between two angles in degrees clockwise from the top. */
export function traceRing(context: SKRSContext2D, square: Rect, inner: number, [from, to]: readonly [number, number]): void {
  const radius = square.width / 2;
  const [x, y] = [square.x + radius, square.y + radius];
  // Canvas angles start at three o'clock.
  const radians = (degrees: number) => ((degrees - 90) * Math.PI) / 180;
  context.arc(x, y, radius, radians(from), radians(to));
  if (inner > 0.5) context.arc(x, y, inner, radians(to), radians(from), true);
  else if (to - from < 360) context.lineTo(x, y);
  context.closePath();
}

export function innerRadius(radius: number, { arc }: Box['node']): number {
  return radius * (1 - Math.min(1, Math.max(0.01, arc?.thickness ?? 1)));
}

/** OVERLAP in degrees; of a full circle at a quarter of its radius. */
function overlapOf(radius: number, node: Box['node']): number {
  return (OVERLAP / Math.max(innerRadius(radius, node), radius / 4)) * (180 / Math.PI);
}

function even(value: number): number {
  return Math.round(value / 2) * 2;
}

/** The motion of an arc besides its growth, for a drawing in a rectangle. */
export function restMotion(box: Box, drawn: Parameters<typeof motionCurves>[3], clock: FrameClock): ReturnType<typeof motionCurves> {
  const { motion, delayMs } = box.node;
  const rest = motion.filter(({ property }) => property !== 'sweep' && property !== 'rotate');
  return motionCurves(rest, delayMs, box, drawn, clock);
}
