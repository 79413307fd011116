import type { Clip, Curve, PieceMotion, Rect } from '../../contract/index.js';
import type { EasingFunction } from '../../script/index.js';
import { tween, valueAt } from '../curves.js';

/** Where an element is seen: the middle and the size of its box on the canvas, and its rotation in degrees. */
export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
  rotation: number;
}

/** What an element has shrunk to when it is invisible, because a place is divided by its size. */
const MIN_SIZE = 1;

/** The place of an element at a frame of its clips. The pieces of a text move within it. */
export function placeOf(clips: readonly Clip[], frame: number): Place {
  const [only] = clips;
  const box = boundsOf(clips);
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  if (only === undefined || clips.length > 1) return { ...middle, width: box.width, height: box.height, rotation: 0 };
  const at = (curve: Clip['x'], fallback: number): number => valueAt(curve ?? fallback, frame);
  const [scale, rotation] = [at(only.scale, 1), at(only.rotation, 0)];
  const anchor = { x: box.x + box.width * at(only.anchor?.x, 0.5), y: box.y + box.height * at(only.anchor?.y, 0.5) };
  const [cos, sin] = [Math.cos((rotation * Math.PI) / 180) * scale, Math.sin((rotation * Math.PI) / 180) * scale];
  const [dx, dy] = [middle.x - anchor.x, middle.y - anchor.y];
  return {
    x: anchor.x + at(only.x, 0) + cos * dx - sin * dy,
    y: anchor.y + at(only.y, 0) + sin * dx + cos * dy,
    width: Math.max(MIN_SIZE, box.width * scale),
    height: Math.max(MIN_SIZE, box.height * scale),
    rotation,
  };
}

/** The rectangle around the boxes of all clips. */
export function boundsOf(clips: readonly Clip[]): Rect {
  const x = Math.min(...clips.map(({ box }) => box.x));
  const y = Math.min(...clips.map(({ box }) => box.y));
  const right = Math.max(...clips.map(({ box }) => box.x + box.width));
  const bottom = Math.max(...clips.map(({ box }) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** How a group around an element moves from one of two places to the other; the element is at `own`. */
export function morphMotion(own: Place, from: Place, to: Place, frames: number, easing: EasingFunction): PieceMotion {
  const curve = (start: number, end: number): Curve => (start === end ? start : tween({ frame: 0, value: start }, { frame: frames, value: end }, easing));
  // A scale must not fall below 0 where an easing overshoots.
  const scale = (start: number, end: number): Curve =>
    start === end ? start : tween({ frame: 0, value: start }, { frame: frames, value: end }, easing, { min: 0, max: 1e4 });
  return {
    x: curve(from.x - own.x, to.x - own.x),
    y: curve(from.y - own.y, to.y - own.y),
    scaleX: scale(from.width / own.width, to.width / own.width),
    scaleY: scale(from.height / own.height, to.height / own.height),
    rotation: curve(from.rotation - own.rotation, to.rotation - own.rotation),
  };
}

/** The box of a group that turns about the middle of an element. */
export function boxAround({ x, y, width, height }: Place): Rect {
  return { x: x - width / 2, y: y - height / 2, width, height };
}
