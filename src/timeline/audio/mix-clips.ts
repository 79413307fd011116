import type { AudioClip, Section } from '../../contract/index.js';
import type { AudibleClip } from './audio-clip.js';
import { crossfadeClips } from './crossfade.js';
import { duckUnderVoices } from './ducking.js';
import { joinContinuousClips } from './join-clips.js';

/** The audio clips of the whole movie after crossfades, ducking and joining. */
export function mixClips(heard: readonly AudibleClip[], sections: readonly Section[], fps: number): AudioClip[] {
  return joinContinuousClips(duckUnderVoices(crossfadeClips(heard, sections, fps), fps), fps);
}
