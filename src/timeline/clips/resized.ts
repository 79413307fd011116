import type { Clip, Curve, PieceMotion, Rect } from '../../contract/index.js';
import type { Visual } from '../../script/index.js';
import { combine, keyframeCurve, product } from '../curves.js';

const shares: Readonly<Record<string, number>> = { top: 0, left: 0, center: 0.5, bottom: 1, right: 1 };

/** The width and height of the keyframes as scales of the box, together with a flip of the element. */
export function resized(element: Visual, box: Rect, flip: PieceMotion | undefined, frames: number, fps: number): Pick<Clip, 'piece'> {
  const { keyframes } = element;
  const sideOf = (side: 'width' | 'height') => combine(keyframeCurve(keyframes, side, frames, fps), 1 / box[side], frames, product);
  const scaled = (side: 'width' | 'height') => (keyframes.some((keyframe) => keyframe[side] !== undefined) ? sideOf(side) : undefined);
  const [width, height] = [scaled('width'), scaled('height')];
  if (width === undefined && height === undefined) return flip === undefined ? {} : { piece: flip };
  const scaleX = both(width ?? (element.width > 0 ? undefined : height), flip?.scaleX, frames);
  const scaleY = both(height ?? (element.height > 0 ? undefined : width), flip?.scaleY, frames);
  return { piece: { ...flip, anchor: anchorOf(element), ...(scaleX && { scaleX }), ...(scaleY && { scaleY }) } };
}

function both(a: Curve | undefined, b: Curve | undefined, frames: number): Curve | undefined {
  return combine(a, b, frames, product);
}

/** What stays in its place: the top left corner, or that at which a preset places the element. */
function anchorOf({ position }: Visual): { x: number; y: number } {
  if (position === 'custom') return { x: 0, y: 0 };
  const [vertical = 'center', horizontal = 'center'] = position.split('-');
  return { x: shares[horizontal] ?? 0.5, y: shares[vertical] ?? 0.5 };
}
