import type { Timeline } from '../timeline.js';
import type { FrameRange } from './frame-range.js';

/** Frames of a scene that one encoder run takes; a longer scene is split. */
const longestSeconds = 20;

/**
 * Stretches of a long scene that can be rendered apart and joined: about equally long, and split where the encoder would put
 * a key frame anyway. A scene of up to 20 s stays whole.
 */
export function splitRange({ first, end }: FrameRange, { canvas, encode }: Pick<Timeline, 'canvas' | 'encode'>): FrameRange[] {
  const rate = canvas.fps.num / canvas.fps.den;
  const keyframes = Math.max(1, Math.round(encode.keyframeSeconds * rate));
  const count = Math.ceil((end - first) / Math.round(longestSeconds * rate));
  const step = Math.ceil((end - first) / count / keyframes) * keyframes;
  const ranges: FrameRange[] = [];
  for (let at = first; at < end; at += step) ranges.push({ first: at, end: Math.min(end, at + step) });
  return ranges;
}
