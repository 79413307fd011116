import type { Keyframe } from '../../contract/index.js';
import { findEasing } from '../components/index.js';

/**
 * Combines curves frame by frame; undefined if there are none. A single curve that passes through unchanged keeps its easings. Absent curves
 * count as their entry of `neutral`.
 */
export function combineCurves(
  curves: ReadonlyArray<Keyframe[] | undefined>,
  merge: (values: number[]) => number,
  neutral: readonly (number | undefined)[] = [],
): Keyframe[] | undefined {
  const given = curves.filter((curve) => curve !== undefined && curve.length > 0) as Keyframe[][];
  const [only] = given;
  if (only === undefined) return undefined;
  const values = (frame: number) => curves.map((curve, index) => (curve === undefined ? neutral[index] : valueAt(curve, frame)) as number);
  if (given.length === 1 && neutral.length === 0) return only;
  const frames = new Set<number>();
  for (const curve of given) {
    for (const [index, key] of curve.entries()) {
      const next = curve[index + 1];
      frames.add(key.frame);
      if (next === undefined || next.value === key.value) continue;
      for (let frame = Math.floor(key.frame) + 1; frame < next.frame; frame++) frames.add(frame);
    }
  }
  const ordered = [...frames].sort((a, b) => a - b);
  return ordered.map((frame) => ({ frame, value: merge(values(frame)) }));
}

/** Value of a curve at a frame, constant before and after its keyframes. */
function valueAt(curve: readonly Keyframe[], frame: number): number {
  const after = curve.findIndex((key) => key.frame > frame);
  if (after === 0) return curve[0]?.value ?? 0;
  const [from, to] = after === -1 ? [curve.at(-1), undefined] : [curve[after - 1], curve[after]];
  if (from === undefined) return 0;
  if (to === undefined) return from.value;
  const ease = findEasing(from.easing ?? 'linear') ?? ((t: number) => t);
  return from.value + (to.value - from.value) * ease((frame - from.frame) / (to.frame - from.frame));
}
