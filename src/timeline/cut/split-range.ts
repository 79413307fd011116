import type { Timeline } from '../../contract/index.js';
import type { FrameRange } from './frame-range.js';

/** Longest range that one encoder run takes, in seconds. */
const MAX_SECONDS = 20;

/**
 * Splits a long scene into ranges of about equal length that can be rendered separately and stitched, at frames where the encoder
 * would place an IDR frame anyway. A scene of up to 20 s is not split.
 */
export function splitRange({ first, end }: FrameRange, { canvas, encode }: Pick<Timeline, 'canvas' | 'encode'>): FrameRange[] {
  const rate = canvas.fps.num / canvas.fps.den;
  const keyframes = Math.max(1, Math.round(encode.keyframeSeconds * rate));
  const count = Math.ceil((end - first) / Math.round(MAX_SECONDS * rate));
  const step = Math.ceil((end - first) / count / keyframes) * keyframes;
  const ranges: FrameRange[] = [];
  for (let at = first; at < end; at += step) ranges.push({ first: at, end: Math.min(end, at + step) });
  return ranges;
}
