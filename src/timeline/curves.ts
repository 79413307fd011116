import type { Curve, Keyframe } from '../contract/index.js';
import { type EasingFunction, type Keyframe as ElementKeyframe, ease, evaluate } from '../script/index.js';

type Property = { [K in keyof ElementKeyframe]-?: NonNullable<ElementKeyframe[K]> extends number ? K : never }[keyof ElementKeyframe];

/** One property of an element's keyframes as a curve over its frames; undefined when no keyframe sets it. */
export function keyframeCurve(keyframes: readonly ElementKeyframe[], property: Property, frames: number, fps: number): Keyframe[] | undefined {
  return curveOf(keyframes, (keyframe) => keyframe[property], limits[property], frames, fps);
}

/** What `valueAtKeyframe` finds in an element's keyframes as a curve over its frames; undefined when it finds nothing. */
export function curveOf(
  keyframes: readonly ElementKeyframe[],
  valueAtKeyframe: (keyframe: ElementKeyframe) => number | undefined,
  within: Limits,
  frames: number,
  fps: number,
): Keyframe[] | undefined {
  const curve = keyframes.flatMap((keyframe) => {
    const { time, easing } = keyframe;
    const value = valueAtKeyframe(keyframe);
    return value === undefined ? [] : [{ frame: frameOf(time, frames, fps), value, easing }];
  });
  if (curve.length === 0) return undefined;
  const ordered = inOrder(curve);
  return ordered.flatMap((key, index) => segment(key, ordered[index + 1], within));
}

/** The frame of an element with `frames` frames at which a keyframe is; may be fractional. */
export function frameOf(time: ElementKeyframe['time'], frames: number, fps: number): number {
  return 'seconds' in time ? time.seconds * fps : time.fraction * frames;
}

/** Keyframes by time, of several at one frame the last. A list may mix percentages and seconds, so the order is known only with the length. */
export function inOrder<K extends { frame: number }>(keys: readonly K[]): K[] {
  const sorted = keys.toSorted((a, b) => a.frame - b.frame);
  return sorted.filter(({ frame }, index) => frame !== sorted[index + 1]?.frame);
}

/** A range of values. */
export interface Limits {
  min: number;
  max: number;
}

const unlimited: Limits = { min: -1e6, max: 1e6 };

/** Values that the engine accepts, which the samples of an easing that overshoots may exceed. */
const limits: Readonly<Record<Property, Limits>> = {
  x: unlimited,
  y: unlimited,
  rotation: unlimited,
  rotateX: unlimited,
  rotateY: unlimited,
  scale: { min: 0, max: 1e4 },
  opacity: { min: 0, max: 1 },
  blur: { min: 0, max: 500 },
  volume: { min: 0, max: 10 },
  cornerRadius: { min: 0, max: 1e6 },
  brightness: { min: -1, max: 1 },
  contrast: { min: -1000, max: 1000 },
  gamma: { min: 0.1, max: 10 },
  saturation: { min: 0, max: 3 },
  sharpen: { min: 0, max: 1 },
  vignette: { min: 0, max: 1 },
  grain: { min: 0, max: 1 },
  skewX: { min: -85, max: 85 },
  skewY: { min: -85, max: 85 },
  width: { min: 1, max: 1e6 },
  height: { min: 1, max: 1e6 },
  shadowBlur: { min: 0, max: 500 },
  shadowX: { min: -2000, max: 2000 },
  shadowY: { min: -2000, max: 2000 },
  glowRadius: { min: 0, max: 500 },
  glowIntensity: { min: 0, max: 4 },
  anchorX: { min: -1e4, max: 1e4 },
  anchorY: { min: -1e4, max: 1e4 },
  perspective: { min: 1, max: 1e6 },
  balance: { min: -1, max: 1 },
  vignetteSize: { min: 0, max: 1 },
  vignetteSoftness: { min: 0, max: 1 },
  keyTolerance: { min: 1, max: 100 },
  keySoftness: { min: 0, max: 1 },
  keyDespill: { min: 0, max: 1 },
  keyChoke: { min: 0, max: 1 },
  motionBlur: { min: 0, max: 1 },
  amplitude: { min: 0, max: 10 },
  pitch: { min: -12, max: 12 },
  reverbWet: { min: 0, max: 1 },
};

/** Maximum number of samples of one segment; longer ones are interpolated between samples. */
const MAX_SAMPLES = 2000;

/** A keyframe whose easing may be any function. */
interface EasedKeyframe {
  frame: number;
  value: number;
  easing: EasingFunction;
}

/**
 * The keyframes of a timeline from one keyframe up to the next one, exclusively. The engine evaluates named easings itself. Others become one
 * keyframe for each frame, which is exact, because the engine evaluates curves at whole frames.
 */
function segment({ frame, value, easing }: EasedKeyframe, next: EasedKeyframe | undefined, { min, max }: Limits): Keyframe[] {
  if (typeof easing === 'string' || next === undefined) return [{ frame, value, ...(easing === 'linear' || typeof easing !== 'string' ? {} : { easing }) }];
  const first = Math.floor(frame) + 1;
  const step = Math.max(1, Math.ceil((next.frame - frame) / MAX_SAMPLES));
  const samples: Keyframe[] = [{ frame, value }];
  for (let at = first; at < next.frame; at += step) {
    const eased = value + (next.value - value) * evaluate(easing, (at - frame) / (next.frame - frame));
    samples.push({ frame: at, value: Math.min(max, Math.max(min, eased)) });
  }
  return samples;
}

/** A curve from one value to another; values that the easing takes beyond `within` are limited to it. */
export function tween(
  from: { frame: number; value: number },
  to: { frame: number; value: number },
  easing: EasingFunction,
  within: Limits = unlimited,
): Keyframe[] {
  const last: EasedKeyframe = { ...to, easing: 'linear' };
  return [...segment({ ...from, easing }, last, within), ...segment(last, undefined, within)];
}

/** Combines two curves frame by frame; an undefined curve has no effect. */
export function combine(a: Curve | undefined, b: Curve | undefined, frames: number, operation: (a: number, b: number) => number): Curve | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (typeof a === 'number') return typeof b === 'number' ? operation(a, b) : b.map((key) => ({ ...key, value: operation(a, key.value) }));
  if (typeof b === 'number') return a.map((key) => ({ ...key, value: operation(key.value, b) }));
  // Easings cannot be combined in closed form, so both curves are sampled at every frame.
  return Array.from({ length: frames + 1 }, (_, frame) => ({ frame, value: operation(valueAt(a, frame), valueAt(b, frame)) }));
}

/** The curve of what `change` makes of each value; a linear change keeps the easings. */
export function mapCurve(curve: Curve, change: (value: number) => number): Curve {
  return typeof curve === 'number' ? change(curve) : curve.map((key) => ({ ...key, value: change(key.value) }));
}

export const sum = (a: number, b: number): number => a + b;
/** The standard deviation of successive Gaussian blurs. */
export const quadrature = (a: number, b: number): number => Math.hypot(a, b);
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
