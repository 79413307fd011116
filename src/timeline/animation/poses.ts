import type { Rect } from '../../contract/index.js';
import type { Direction, PhaseAnimation } from '../../script/index.js';

/** Properties that an animation moves away from their values at rest. Sides: fraction hidden from there. */
export type PoseProperty = 'x' | 'y' | 'scaleX' | 'scaleY' | 'rotation' | 'opacity' | 'blur' | 'left' | 'top' | 'right' | 'bottom';

/** Values of an element or part away from its place; absent: as at rest. */
export type Pose = Partial<Record<PoseProperty, number>>;

/** Values of an element at rest. */
export const atRest: Readonly<Record<PoseProperty, number>> = {
  x: 0,
  y: 0,
  scaleX: 1,
  scaleY: 1,
  rotation: 0,
  opacity: 1,
  blur: 0,
  left: 0,
  top: 0,
  right: 0,
  bottom: 0,
};

/** What moves, on its canvas. */
export interface Subject {
  /** Canvas pixels. */
  rect: Rect;
  canvas: { width: number; height: number };
  /** Font size of a text in canvas pixels; absent for other elements. */
  em?: number;
}

/** How far a blur visibly fades an edge, in standard deviations. */
const BLUR_REACH = 2.5;
const DEGREES = 120;

/** Unit vector of a direction; y points down. */
export function vectorOf(direction: Direction): { x: number; y: number } {
  return { x: direction === 'left' ? -1 : direction === 'right' ? 1 : 0, y: direction === 'up' ? -1 : direction === 'down' ? 1 : 0 };
}

/** Where an entrance starts or an exit ends. The direction is that of the movement, so an entrance starts on the opposite side. */
export function awayPose(animation: PhaseAnimation, phase: 'in' | 'out', subject: Subject): Pose {
  const { type, direction, distance, amount } = animation;
  switch (type) {
    case 'fade':
    case 'typewriter':
      return { opacity: 0 };
    case 'slide':
      return { ...shift(animation, phase, distance ?? distanceToEdge(animation, phase, subject)), ...(distance === undefined ? {} : { opacity: 0 }) };
    case 'rise':
      return { ...shift(animation, phase, distance ?? shortDistance(subject)), opacity: 0 };
    case 'scale':
      return { ...sized(amount ?? 0.6), opacity: 0 };
    case 'pop':
      return { ...sized(amount ?? 0), opacity: 0 };
    case 'blur':
      return blurred(amount ?? shortDistance(subject) / 3, subject);
    case 'mask-reveal':
      return { [hiddenSide(direction, phase)]: 1 };
    case 'highlight':
    case 'scramble':
    case 'draw-on':
      return {};
    case 'flip':
      return vectorOf(direction).x === 0 ? { scaleY: 0 } : { scaleX: 0 };
    case 'spin':
      return { ...sized(0.4), rotation: (amount ?? DEGREES) * (direction === 'left' ? 1 : -1) * (phase === 'in' ? 1 : -1), opacity: 0 };
  }
}

/** The displacement away from rest over a distance. */
export function shift({ direction }: Pick<PhaseAnimation, 'direction'>, phase: 'in' | 'out', distance: number): Pose {
  const { x, y } = vectorOf(direction);
  const sign = phase === 'in' ? -distance : distance;
  return { ...(x === 0 ? {} : { x: x * sign }), ...(y === 0 ? {} : { y: y * sign }) };
}

function sized(factor: number): Pose {
  return { scaleX: factor, scaleY: factor };
}

/** A distance that reads as motion without leaving the place. */
function shortDistance({ canvas, em }: Subject): number {
  return em === undefined ? Math.min(canvas.width, canvas.height) * 0.08 : em * 0.8;
}

/** How far the element moves until it is outside the canvas. */
function distanceToEdge({ direction }: PhaseAnimation, phase: 'in' | 'out', { rect, canvas }: Subject): number {
  const { x, y } = vectorOf(direction);
  const towardsEnd = (phase === 'in' ? -1 : 1) * (x + y) > 0;
  const [start, length, side] = x === 0 ? [rect.y, rect.height, canvas.height] : [rect.x, rect.width, canvas.width];
  return Math.max(0, towardsEnd ? side - start : start + length);
}

/** Enlarges an image that fills the canvas while it is blurred, so that its fading edges stay outside. */
function blurred(blur: number, { rect, canvas }: Subject): Pose {
  const fills = rect.x < 0.5 && rect.y < 0.5 && rect.x + rect.width > canvas.width - 0.5 && rect.y + rect.height > canvas.height - 0.5;
  return { blur, opacity: 0, ...(fills ? sized(1 + (2 * BLUR_REACH * blur) / Math.min(rect.width, rect.height)) : {}) };
}

/** The side from which a wipe hides: an entrance uncovers in the direction of its edge, an exit covers. */
function hiddenSide(direction: Direction, phase: 'in' | 'out'): PoseProperty {
  const ahead = { left: 'left', right: 'right', up: 'top', down: 'bottom' } as const;
  const behind = { left: 'right', right: 'left', up: 'bottom', down: 'top' } as const;
  return (phase === 'in' ? ahead : behind)[direction];
}
