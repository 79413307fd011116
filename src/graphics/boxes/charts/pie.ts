import type { SKRSContext2D } from '@napi-rs/canvas';
import { cssColor } from '../../canvas/gradients.js';
import type { FrameClock } from '../curves.js';
import type { Box } from '../layout.js';
import type { ComponentPiece } from '../piece.js';
import type { SpritePainter } from '../sprite-painter.js';
import { drawArc, innerRadius, restMotion, squareIn, sweepCurve, traceRing } from './arc.js';

/** Degrees by which a part extends below the next one, so that the ground does not show between their smoothed edges. */
const OVERLAP = 0.5;

/**
 * Draws the arcs of a pie chart. While they grow, each covers the ones before it; then one sprite replaces them, because the edges of the
 * covered arcs would show as a fringe around the ring.
 */
export async function drawPie(box: Box, painter: SpritePainter, clock: FrameClock): Promise<ComponentPiece[]> {
  const [longest] = box.children;
  if (longest === undefined) return [];
  const growth = sweepCurve(longest, clock);
  const full = growth.findIndex(({ value }) => value >= 360 * (longest.node.arc?.share ?? 1) - 0.01);
  const whole = await painter.draw(longest, (context) => paintPie(context, box));
  if (full < 0 || whole === undefined) return drawArcs(box, painter, clock);
  const from = Math.min(clock.frames, Math.ceil(growth[full]?.frame ?? 0));
  const rest = restMotion(longest, whole, clock);
  const pie: ComponentPiece = { kind: 'sprite', ...whole, ...rest, start: from, frames: clock.frames - from };
  if (from === 0) return [pie];
  const growing = (await drawArcs(box, painter, clock)).map((piece) => ({ ...piece, start: 0, frames: from }));
  return from >= clock.frames ? growing : [...growing, pie];
}

async function drawArcs({ children }: Box, painter: SpritePainter, clock: FrameClock): Promise<ComponentPiece[]> {
  const pieces: ComponentPiece[] = [];
  for (const child of children) pieces.push(...(await drawArc(child, painter, clock)));
  return pieces;
}

function paintPie(context: SKRSContext2D, { children }: Box): void {
  let start = -OVERLAP;
  // The longest arc, which is that of the last part, is the first child.
  for (const { node, content } of children.toReversed()) {
    const square = squareIn(content);
    const end = 360 * (node.arc?.share ?? 1);
    context.beginPath();
    traceRing(context, square, innerRadius(square.width / 2, node), children.length === 1 ? [0, 360] : [start, Math.min(360, end + OVERLAP)]);
    context.fillStyle = cssColor(node.style.typography.color);
    context.fill();
    start = end;
  }
}
