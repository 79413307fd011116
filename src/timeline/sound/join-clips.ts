import type { AudioClip } from '../timeline.js';
import type { HeardClip } from './audio-clip.js';
import { continues } from './cross-fades.js';

/**
 * Makes one clip of those that go on with the same sound where the one before ends, as a piece of music does
 * whose scenes each play a part: nothing is heard of the cut then, not even the short ramps that keep cuts in
 * the middle of a sound from clicking.
 */
export function joinClips(heard: readonly HeardClip[], fps: number): AudioClip[] {
  const joined: HeardClip[] = [];
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
      joined[index] = { ...before, clip: { ...before.clip, frames: before.clip.frames + frames } };
    }
  }
  return joined.map(({ clip }) => clip);
}

function isSeamless(before: HeardClip, after: HeardClip, fps: number): boolean {
  const { clip: first } = before;
  const { clip: second } = after;
  const plain = typeof first.gain === 'number' && first.gain === second.gain && first.fadeOut === undefined && second.fadeIn === undefined;
  return plain && second.fadeOut === undefined && (second.media.loops ?? 1) === 1 && continues(before, after, fps);
}
