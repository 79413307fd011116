import type { PcmAudio } from '../speech.js';
import { sumOfSquares } from './loudness.js';

/** Seconds from the start. */
export interface TimeRange {
  start: number;
  end: number;
}

const STEP_SECONDS = 0.01;
/** Amplitudes this far below the loudest (38 dB) are not speech. */
const BELOW_LOUDEST = 10 ** (-38 / 20);
/** Amplitudes below this (-60 dBFS) are the converter's noise. */
const SILENCE = 10 ** (-60 / 20);
/** Shorter gaps are stops within words (the p of "happy"). */
const MIN_PAUSE_SECONDS = 0.1;

/** Root mean square of each hundredth of a second. */
function levelsOf({ sampleRate, samples }: PcmAudio): Float32Array {
  const step = Math.max(1, Math.round(sampleRate * STEP_SECONDS));
  return Float32Array.from({ length: Math.ceil(samples.length / step) }, (_, i) => {
    const count = Math.min(step, samples.length - i * step);
    return Math.sqrt(sumOfSquares(samples, i * step, i * step + count) / Math.max(1, count));
  });
}

/** Time ranges with speech, in order, between the pauses. Empty for silence. */
export function detectSpeech(sound: PcmAudio): TimeRange[] {
  const levels = levelsOf(sound);
  const loudest = levels.reduce((max, level) => Math.max(max, level), 0);
  const threshold = Math.max(loudest * BELOW_LOUDEST, SILENCE);
  const stretches: TimeRange[] = [];
  const total = sound.samples.length / sound.sampleRate;
  levels.forEach((level, i) => {
    if (level < threshold) return;
    const start = i * STEP_SECONDS;
    const end = Math.min(total, start + STEP_SECONDS);
    const last = stretches.at(-1);
    if (last !== undefined && start - last.end < MIN_PAUSE_SECONDS) last.end = end;
    else stretches.push({ start, end });
  });
  return stretches;
}
