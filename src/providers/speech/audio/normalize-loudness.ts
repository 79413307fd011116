import type { PcmAudio } from '../speech.js';
import { loudnessOf } from './loudness.js';

/** Every voice is brought here, so that voices of different engines are equally loud; a little above common music beds. */
export const VOICE_LUFS = -18;
/** -2 dBFS: what lies between samples stays below full scale. */
const CEILING = 10 ** (-2 / 20);
/** A whisper of noise is not blown up to speech. */
const MAX_GAIN = 10 ** (24 / 20);
const LOOKAHEAD_SECONDS = 0.004;
const RELEASE_SECONDS = 0.08;

/** The same sound at the loudness of every voice, its peaks held below the ceiling without clipping. */
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

/** A limiter that is down before a peak comes and recovers slowly after it. */
function limitPeaks(samples: Float32Array, rate: number): Float32Array {
  const ahead = Math.max(1, Math.round(LOOKAHEAD_SECONDS * rate));
  const wanted = samples.map((sample) => Math.min(1, CEILING / Math.max(Math.abs(sample), CEILING)));
  if (wanted.every((gain) => gain === 1)) return samples;
  const release = Math.exp(-1 / (RELEASE_SECONDS * rate));
  const held = slidingMinimum(wanted, ahead);
  // Recovering slowly keeps the gain from rippling with each period of the voice.
  let gain = 1;
  for (let i = 0; i < held.length; i += 1) {
    gain = Math.min(held[i] ?? 1, 1 - (1 - gain) * release);
    held[i] = gain;
  }
  const smooth = movingAverage(held, ahead);
  return samples.map((sample, i) => sample * (smooth[i] ?? 1));
}

/** The least of each value and the `ahead` ones after it. */
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

/** The average of each value and the `length` ones before it: a ramp that has arrived when the peak comes. */
function movingAverage(values: Float32Array, length: number): Float32Array {
  const out = new Float32Array(values.length);
  let sum = (values[0] ?? 1) * (length + 1);
  for (let i = 0; i < values.length; i += 1) {
    sum += (values[i] ?? 1) - (values[Math.max(0, i - length - 1)] ?? 1);
    out[i] = sum / (length + 1);
  }
  return out;
}
