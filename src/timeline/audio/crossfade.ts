import type { Keyframe, Section } from '../../contract/index.js';
import { type AudibleClip, multiplyGain, playableFrameCount, soundEffects } from './audio-clip.js';

/**
 * Crossfades audio with video transitions: clips cut off by the end of a scene continue under the transition, as far as their
 * media reaches, and fade out, while clips that start with the next scene fade in. Different sources use an equal-power
 * crossfade (quarter sine), a source that continues across the cut an equal-gain one (linear), so that the level stays
 * constant. Voices start at full level, and an element's own fades win.
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
  const continued = scenes.get((scene ?? 0) - 1)?.some((before) => isContinuation(before, entering, fps));
  const curve: Keyframe[] = [
    { frame: 0, value: 0, ...(continued ? {} : { easing: 'easeOutSine' }) },
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
  const continued = scenes.get((scene ?? 0) + 1)?.some((after) => isContinuation(leaving, after, fps));
  const curve: Keyframe[] = [
    { frame: clip.frames, value: 1, ...(continued ? {} : { easing: 'easeInSine' }) },
    { frame: clip.frames + transition.frames, value: 0 },
  ];
  return { ...leaving, clip: multiplyGain({ ...clip, frames: clip.frames + more }, curve) };
}

/** Whether `after` continues the same source where `before` ends. */
export function isContinuation(before: AudibleClip, after: AudibleClip, fps: number): boolean {
  const { clip: first } = before;
  const { clip: second } = after;
  if (first.source !== second.source || first.start + first.frames !== second.start || (first.media.loops ?? 1) !== 1) return false;
  if (JSON.stringify(soundEffects(first)) !== JSON.stringify(soundEffects(second))) return false;
  // Effects that change do so over their own clip.
  if (hasMovingEffects(first)) return false;
  const { speed = 1, keepsPitch = true } = first.media;
  if (
    typeof speed !== 'number' ||
    first.media.reverse ||
    second.media.reverse ||
    speed !== (second.media.speed ?? 1) ||
    keepsPitch !== (second.media.keepsPitch ?? true)
  )
    return false;
  return Math.abs(first.media.in + (first.frames / fps) * speed - second.media.in) < MATCHING_SECONDS;
}

function hasMovingEffects({ balance, pitch, reverb, equalizer = [] }: AudibleClip['clip']): boolean {
  return [balance, pitch, reverb?.wet, ...equalizer.flatMap(({ frequency, gain, q }) => [frequency, gain, q])].some(Array.isArray);
}

/** Tolerance for rounded times in scripts. */
const MATCHING_SECONDS = 0.002;
