import type { Keyframe } from '../../contract/index.js';
import type { Rect } from '../canvas/bitmap.js';
import { combineCurves } from './combine-curves.js';
import { clipByReveal, type FrameClock, motionCurves } from './curves.js';
import type { Box } from './layout.js';
import type { ComponentPiece } from './piece.js';

/** Moves a piece with the moving boxes around it, from the innermost to the outermost; rotation is not inherited. */
export function followAncestors(piece: ComponentPiece, ancestors: readonly Box[], clock: FrameClock): ComponentPiece {
  return ancestors.toReversed().reduce((inner, ancestor) => followOne(inner, ancestor, clock), piece);
}

function followOne(piece: ComponentPiece, ancestor: Box, clock: FrameClock): ComponentPiece {
  const { motion, delayMs } = ancestor.node;
  // A revealing box hides what is in it as well.
  const shown = clipByReveal(piece, ancestor, motion, delayMs, clock);
  const outer = motionCurves(motion, delayMs, ancestor, ancestor, clock);
  const opacity = combineCurves([outer.opacity, shown.opacity], ([a = 1, b = 1]) => a * b);
  const scales = outer.scaleX !== undefined || outer.scaleY !== undefined;
  if (!scales) {
    const shiftX = combineCurves([outer.shiftX, shown.shiftX], ([a = 0, b = 0]) => a + b);
    const shiftY = combineCurves([outer.shiftY, shown.shiftY], ([a = 0, b = 0]) => a + b);
    return { ...shown, ...(opacity && { opacity }), ...(shiftX && { shiftX }), ...(shiftY && { shiftY }) };
  }
  const anchor = shown.anchor ?? { x: 0.5, y: 0.5 };
  const centre = middleOf(ancestor);
  const offset = { x: shown.x + anchor.x * shown.width - centre.x, y: shown.y + anchor.y * shown.height - centre.y };
  // A scale about the ancestor's centre is a scale about the piece's anchor and a shift of the anchor.
  const shift = (outerShift: Keyframe[] | undefined, scale: Keyframe[] | undefined, own: Keyframe[] | undefined, distance: number) =>
    combineCurves([outerShift, scale, own], ([a = 0, s = 1, b = 0]) => a + (s - 1) * distance + s * b, [0, 1, 0]);
  return {
    ...shown,
    anchor,
    ...(opacity && { opacity }),
    ...filled('shiftX', shift(outer.shiftX, outer.scaleX, shown.shiftX, offset.x)),
    ...filled('shiftY', shift(outer.shiftY, outer.scaleY, shown.shiftY, offset.y)),
    ...filled(
      'scaleX',
      combineCurves([outer.scaleX, shown.scaleX], ([a = 1, b = 1]) => a * b),
    ),
    ...filled(
      'scaleY',
      combineCurves([outer.scaleY, shown.scaleY], ([a = 1, b = 1]) => a * b),
    ),
  };
}

function filled<K extends string>(key: K, curve: Keyframe[] | undefined): Partial<Record<K, Keyframe[]>> {
  return curve === undefined ? {} : ({ [key]: curve } as Record<K, Keyframe[]>);
}

function middleOf({ x, y, width, height }: Rect): { x: number; y: number } {
  return { x: x + width / 2, y: y + height / 2 };
}
