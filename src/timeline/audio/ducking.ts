import type { Keyframe } from '../../contract/index.js';
import { type AudibleClip, multiplyGain } from './audio-clip.js';

/** Ramp before a voice starts and after it ends, in seconds. */
const ATTACK_SECONDS = 0.25;
const RELEASE_SECONDS = 0.6;

interface SpokenRange {
  start: number;
  end: number;
}

/** Lowers the gain of clips with `duck` while a voice is heard; pauses too short for both ramps stay lowered. */
export function duckUnderVoices(heard: readonly AudibleClip[], fps: number): AudibleClip[] {
  const voices = voiceRanges(heard, fps);
  return heard.map((item) => {
    const { element, clip } = item;
    if (element.type === 'voice' || element.duck === undefined || element.duck === 0) return item;
    const level = 10 ** (-element.duck / 20);
    const keyframes = voices
      .filter(({ start, end }) => end + RELEASE_SECONDS * fps > clip.start && start - ATTACK_SECONDS * fps < clip.start + clip.frames)
      .flatMap(({ start, end }) => duckCurve(start - clip.start, end - clip.start, level, fps));
    return keyframes.length === 0 ? item : { ...item, clip: multiplyGain(clip, keyframes) };
  });
}

function duckCurve(start: number, end: number, level: number, fps: number): Keyframe[] {
  return [
    { frame: start - ATTACK_SECONDS * fps, value: 1, easing: 'easeInOutSine' },
    { frame: start, value: level },
    { frame: end, value: level, easing: 'easeInOutSine' },
    { frame: end + RELEASE_SECONDS * fps, value: 1 },
  ];
}

/** Ranges of audible voices in frames of the movie; ranges with a pause too short for both ramps are merged. */
function voiceRanges(heard: readonly AudibleClip[], fps: number): SpokenRange[] {
  const stretches: SpokenRange[] = [];
  const spoken = heard
    .filter(({ element }) => element.type === 'voice')
    .map(({ clip, file }) => ({ start: clip.start, end: clip.start + Math.min(clip.frames, Math.max(1, Math.ceil(file.durationSeconds * fps))) }))
    .sort((a, b) => a.start - b.start);
  for (const { start, end } of spoken) {
    const last = stretches.at(-1);
    if (last !== undefined && start - last.end <= (ATTACK_SECONDS + RELEASE_SECONDS) * fps) last.end = Math.max(last.end, end);
    else stretches.push({ start, end });
  }
  return stretches;
}
