import type { Keyframe, Section } from '../timeline.js';
import { type AudibleClip, multiplyGain, playableFrameCount } from './audio-clip.js';

/**
 * Lets sound cross over with the picture: what a scene's end cuts off goes on under the transition, as far as
 * its media has more, and fades out, while what begins with the next scene fades in. Unrelated sounds keep
 * their power together (quarter waves of sine); one sound that goes on across the cut keeps its amplitude
 * (straight lines), so that the sum neither dips nor swells. A voice begins at full level, and an element's own
 * fade stays as it is.
 */
export function crossfadeClips(heard: readonly AudibleClip[], sections: readonly Section[], fps: number): AudibleClip[] {
  const scenes = new Map<number, AudibleClip[]>();
  for (const item of heard) if (item.scene !== undefined) scenes.set(item.scene, [...(scenes.get(item.scene) ?? []), item]);
  return heard.map((item) => fadeOutUnderTransition(fadeInAtTransition(item, scenes, sections, fps), scenes, sections, fps));
}

type ByScene = ReadonlyMap<number, readonly AudibleClip[]>;

function fadeInAtTransition(entering: AudibleClip, scenes: ByScene, sections: readonly Section[], fps: number): AudibleClip {
  const { element, clip, scene } = entering;
  const section = scene === undefined ? undefined : sections[scene];
  const frames = section?.transition?.frames ?? 0;
  if (section === undefined || frames === 0 || clip.start !== section.start || element.type === 'voice' || element.fadeIn > 0) return entering;
  const goesOn = scenes.get((scene ?? 0) - 1)?.some((before) => isContinuation(before, entering, fps));
  const curve = [
    { frame: 0, value: 0, ...(goesOn ? {} : { easing: 'easeOutSine' }) },
    { frame: frames, value: 1 },
  ];
  return { ...entering, clip: multiplyGain(clip, curve) };
}

function fadeOutUnderTransition(leaving: AudibleClip, scenes: ByScene, sections: readonly Section[], fps: number): AudibleClip {
  const { element, clip, scene } = leaving;
  const next = scene === undefined ? undefined : sections[scene + 1];
  const transition = next?.transition;
  if (next === undefined || transition === undefined || clip.start + clip.frames !== next.start || element.fadeOut > 0) return leaving;
  const more = Math.min(transition.frames, playableFrameCount(leaving, fps) - clip.frames);
  if (more < 1) return leaving;
  const goesOn = scenes.get((scene ?? 0) + 1)?.some((after) => isContinuation(leaving, after, fps));
  const curve: Keyframe[] = [
    { frame: clip.frames, value: 1, ...(goesOn ? {} : { easing: 'easeInSine' }) },
    { frame: clip.frames + transition.frames, value: 0 },
  ];
  return { ...leaving, clip: multiplyGain({ ...clip, frames: clip.frames + more }, curve) };
}

/** Whether a sound takes up where another is cut off. */
export function isContinuation(before: AudibleClip, after: AudibleClip, fps: number): boolean {
  const { clip: first } = before;
  const { clip: second } = after;
  if (first.source !== second.source || first.start + first.frames !== second.start || (first.media.loops ?? 1) !== 1) return false;
  return Math.abs(first.media.in + first.frames / fps - second.media.in) < MATCHING_SECONDS;
}

/** Times in scripts are rounded. */
const MATCHING_SECONDS = 0.002;
