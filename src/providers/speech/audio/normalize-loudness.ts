import type { PcmAudio } from '../speech.js';
import { loudnessOf } from './loudness.js';

/** Target loudness of every engine's voices; a little above common music beds. */
export const VOICE_LUFS = -18;
/** -2 dBFS: keeps peaks between samples below full scale. */
const CEILING = 10 ** (-2 / 20);
/** Keeps faint noise from being amplified to the loudness of speech. */
const MAX_GAIN = 10 ** (24 / 20);
const LOOKAHEAD_SECONDS = 0.004;
const RELEASE_SECONDS = 0.08;

/** Scales a voice to VOICE_LUFS; a limiter keeps its peaks below the ceiling. */
export function normalizeLoudness(sound: PcmAudio): PcmAudio {
  const loudness = loudnessOf(sound);
  if (!Number.isFinite(loudness)) return sound;
  const gain = Math.min(MAX_GAIN, 10 ** ((VOICE_LUFS - loudness) / 20));
  return {
    ...sound,
    samples: limitPeaks(
      sound.samples.map((sample) => sample * gain),
      sound.sampleRate,
    ),
  };
}

/** A limiter with lookahead and slow release. */
function limitPeaks(samples: Float32Array, rate: number): Float32Array {
  const ahead = Math.max(1, Math.round(LOOKAHEAD_SECONDS * rate));
  const wanted = samples.map((sample) => Math.min(1, CEILING / Math.max(Math.abs(sample), CEILING)));
  if (wanted.every((gain) => gain === 1)) return samples;
  const release = Math.exp(-1 / (RELEASE_SECONDS * rate));
  const gains = slidingMinimum(wanted, ahead);
  // Recovering slowly keeps the gain from rippling with each period of the voice.
  let gain = 1;
  for (let i = 0; i < gains.length; i += 1) {
    gain = Math.min(gains[i] ?? 1, 1 - (1 - gain) * release);
    gains[i] = gain;
  }
  const smooth = movingAverage(gains, ahead);
  return samples.map((sample, i) => sample * (smooth[i] ?? 1));
}

/** The minimum of each value and the `ahead` values after it. */
function slidingMinimum(values: Float32Array, ahead: number): Float32Array {
  const out = new Float32Array(values.length);
  const window: number[] = [];
  let first = 0;
  for (let i = values.length - 1; i >= 0; i -= 1) {
    while (window.length > first && (values[window.at(-1) ?? 0] ?? 1) >= (values[i] ?? 1)) window.pop();
    window.push(i);
    while ((window[first] ?? 0) > i + ahead) first += 1;
    out[i] = values[window[first] ?? i] ?? 1;
  }
  return out;
}

/** The average of each value and the `length` values before it: the ramp ends where the peak begins. */
function movingAverage(values: Float32Array, length: number): Float32Array {
  const out = new Float32Array(values.length);
  let sum = (values[0] ?? 1) * (length + 1);
  for (let i = 0; i < values.length; i += 1) {
    sum += (values[i] ?? 1) - (values[Math.max(0, i - length - 1)] ?? 1);
    out[i] = sum / (length + 1);
  }
  return out;
}
