import type { AudioClip, Section } from '../timeline.js';
import type { HeardClip } from './audio-clip.js';
import { crossFade } from './cross-fades.js';
import { duck } from './ducking.js';
import { joinClips } from './join-clips.js';

/** All clips together: how one makes way for the other. */
export function soundTrack(heard: readonly HeardClip[], sections: readonly Section[], fps: number): AudioClip[] {
  return joinClips(duck(crossFade(heard, sections, fps), fps), fps);
}
