import type { PcmAudio } from '../speech.js';

/** Length of the fade at cut edges, which prevents clicks. */
const RAMP_SECONDS = 0.004;

export function silence(seconds: number, sampleRate: number): PcmAudio {
  return { sampleRate, samples: new Float32Array(Math.round(seconds * sampleRate)) };
}

/** A part of the audio, faded at both cuts; silence beyond its ends. */
export function trimAudio({ sampleRate, samples }: PcmAudio, start: number, end: number): PcmAudio {
  const first = Math.round(start * sampleRate);
  const length = Math.max(0, Math.round(end * sampleRate) - first);
  const cut = new Float32Array(length);
  const from = Math.max(0, first);
  cut.set(samples.subarray(from, Math.max(from, first + length)), Math.min(length, from - first));
  const ramp = Math.min(Math.round(RAMP_SECONDS * sampleRate), Math.floor(length / 2));
  for (let i = 0; i < ramp; i += 1) {
    const gain = (i + 0.5) / ramp;
    cut[i] = (cut[i] ?? 0) * gain;
    cut[length - 1 - i] = (cut[length - 1 - i] ?? 0) * gain;
  }
  return { sampleRate, samples: cut };
}

/** Concatenates audio of one sample rate. */
export function concatAudio(sounds: readonly PcmAudio[], sampleRate: number): PcmAudio {
  const samples = new Float32Array(sounds.reduce((sum, sound) => sum + sound.samples.length, 0));
  let at = 0;
  for (const sound of sounds) {
    samples.set(sound.samples, at);
    at += sound.samples.length;
  }
  return { sampleRate, samples };
}

export function durationOf({ sampleRate, samples }: PcmAudio): number {
  return samples.length / sampleRate;
}
