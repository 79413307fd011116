import type { AudioClip, Curve, Keyframe } from '../../contract/index.js';
import { valueAt } from '../curves.js';
import type { AudibleClip } from './audio-clip.js';
import { isContinuation } from './crossfade.js';

/**
 * Joins clips that continue the same source across a cut, such as music split over scenes, into one clip. This avoids the short
 * anti-click ramps that the mixer applies at clip ends.
 */
export function joinContinuousClips(heard: readonly AudibleClip[], fps: number): AudioClip[] {
  const joined: AudibleClip[] = [];
  const endings = new Map<string, number>();
  for (const item of heard) {
    const { source, start, frames } = item.clip;
    const index = endings.get(`${source} ${start}`) ?? joined.length;
    const before = joined[index];
    if (before === undefined || !isSeamless(before, item, fps)) {
      endings.set(`${source} ${start + frames}`, joined.length);
      joined.push(item);
    } else {
      endings.set(`${source} ${start + frames}`, index);
      joined[index] = { ...before, clip: { ...before.clip, frames: before.clip.frames + frames, gain: joinedGain(before.clip, item.clip) } };
    }
  }
  return joined.map(({ clip }) => clip);
}

function isSeamless(before: AudibleClip, after: AudibleClip, fps: number): boolean {
  const { clip: first } = before;
  const { clip: second } = after;
  const unfaded = [first.fadeOut, second.fadeIn, second.fadeOut].every((fade) => fade === undefined);
  return unfaded && (second.media.loops ?? 1) === 1 && gainsMeet(first, second) && isContinuation(before, after, fps);
}

/** Whether both gains have the same value at the cut. */
function gainsMeet(first: AudioClip, second: AudioClip): boolean {
  const endsThere = keyframesOf(first.gain).every(({ frame }) => frame <= first.frames);
  const beginsThere = keyframesOf(second.gain).every(({ frame }) => frame >= 0);
  return endsThere && beginsThere && Math.abs(valueAt(first.gain, first.frames) - valueAt(second.gain, 0)) < 1e-6;
}

function joinedGain(first: AudioClip, second: AudioClip): Curve {
  if (typeof first.gain === 'number' && typeof second.gain === 'number') return first.gain;
  const before = keyframesOf(first.gain).filter(({ frame }) => frame < first.frames);
  const cut = { frame: first.frames, value: valueAt(second.gain, 0) };
  const after = keyframesOf(second.gain).map((key) => ({ ...key, frame: key.frame + first.frames }));
  return [...before, ...(after[0]?.frame === cut.frame ? [] : [cut]), ...after];
}

function keyframesOf(gain: Curve): Keyframe[] {
  return typeof gain === 'number' ? [] : gain;
}
