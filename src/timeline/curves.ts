import type { Curve, Keyframe } from '../contract/index.js';
import type { Keyframe as ElementKeyframe } from '../script/index.js';
import { ease } from './easing.js';

type Property = 'x' | 'y' | 'scale' | 'rotation' | 'opacity' | 'volume';

/** One property of an element's keyframes as a curve over its frames; undefined when no keyframe sets it. */
export function keyframeCurve(keyframes: readonly ElementKeyframe[], property: Property, frames: number, fps: number): Keyframe[] | undefined {
  const curve: Keyframe[] = keyframes.flatMap(({ time, easing, ...values }) => {
    const value = values[property];
    const frame = 'seconds' in time ? time.seconds * fps : time.fraction * frames;
    return value === undefined ? [] : [{ frame, value, ...(easing === 'linear' ? {} : { easing }) }];
  });
  if (curve.length === 0) return undefined;
  // A list may mix percentages and seconds, so the order is known only with the length.
  return curve.sort((a, b) => a.frame - b.frame).filter(({ frame }, index) => frame !== curve[index + 1]?.frame);
}

/** Combines two curves frame by frame; an undefined curve has no effect. */
export function combine(a: Curve | undefined, b: Curve | undefined, frames: number, operation: (a: number, b: number) => number): Curve | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (typeof a === 'number') return typeof b === 'number' ? operation(a, b) : b.map((key) => ({ ...key, value: operation(a, key.value) }));
  if (typeof b === 'number') return a.map((key) => ({ ...key, value: operation(key.value, b) }));
  // Easings cannot be combined in closed form, so both curves are sampled at every frame.
  return Array.from({ length: frames + 1 }, (_, frame) => ({ frame, value: operation(valueAt(a, frame), valueAt(b, frame)) }));
}

export const sum = (a: number, b: number): number => a + b;
export const product = (a: number, b: number): number => a * b;

/** The curve's value at a frame; constant before the first keyframe and after the last. */
export function valueAt(curve: Curve, frame: number): number {
  if (typeof curve === 'number') return curve;
  const next = curve.findIndex((key) => key.frame > frame);
  const to = curve[next];
  const from = curve[next === -1 ? curve.length - 1 : next - 1];
  if (from === undefined) return to?.value ?? 0;
  if (to === undefined) return from.value;
  return from.value + (to.value - from.value) * ease(from.easing ?? 'linear', (frame - from.frame) / (to.frame - from.frame));
}
