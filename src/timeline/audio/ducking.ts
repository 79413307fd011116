import type { Keyframe } from '../timeline.js';
import { type AudibleClip, multiplyGain } from './audio-clip.js';

/** Seconds before a voice in which what it is heard over goes down, and after it in which that comes back. */
const ATTACK_SECONDS = 0.25;
const RELEASE_SECONDS = 0.6;

interface SpokenRange {
  start: number;
  end: number;
}

/** Lowers what has `duck` while a voice of the movie is heard. In shorter pauses it stays down. */
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

/** When voices are heard, in frames of the movie; those without room for a rise in between are one. */
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
