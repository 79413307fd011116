import type { PcmAudio } from '../speech.js';

/** Coefficients of the K-weighting's filters (ITU-R BS.1770), for any sample rate. */
interface Biquad {
  b: [number, number, number];
  a: [number, number];
}

function highShelf(rate: number): Biquad {
  const k = Math.tan((Math.PI * 1681.974450955533) / rate);
  const q = 0.7071752369554196;
  const vh = 10 ** (3.999843853973347 / 20);
  const vb = vh ** 0.4996667741545416;
  const a0 = 1 + k / q + k * k;
  return {
    b: [(vh + (vb * k) / q + k * k) / a0, (2 * (k * k - vh)) / a0, (vh - (vb * k) / q + k * k) / a0],
    a: [(2 * (k * k - 1)) / a0, (1 - k / q + k * k) / a0],
  };
}

function highPass(rate: number): Biquad {
  const k = Math.tan((Math.PI * 38.13547087602444) / rate);
  const q = 0.5003270373238773;
  const a0 = 1 + k / q + k * k;
  return { b: [1, -2, 1], a: [(2 * (k * k - 1)) / a0, (1 - k / q + k * k) / a0] };
}

function filter(samples: Float32Array, { b, a }: Biquad): Float32Array {
  const out = new Float32Array(samples.length);
  let z1 = 0;
  let z2 = 0;
  for (let i = 0; i < samples.length; i += 1) {
    const x = samples[i] ?? 0;
    const y = b[0] * x + z1;
    z1 = b[1] * x - a[0] * y + z2;
    z2 = b[2] * x - a[1] * y;
    out[i] = y;
  }
  return out;
}

const OFFSET = -0.691;
/** A mono voice is played on both channels. */
const PLAYED_CHANNELS = 2;
const ABSOLUTE_GATE = -70;
const RELATIVE_GATE = -10;

/** Integrated loudness (LUFS, EBU R128) of a voice that plays on two channels; -Infinity for silence. */
export function loudnessOf({ sampleRate, samples }: PcmAudio): number {
  const weighted = filter(filter(samples, highShelf(sampleRate)), highPass(sampleRate));
  const powers = blockPowers(weighted, sampleRate);
  const audible = powers.filter((power) => lufs(power) > ABSOLUTE_GATE);
  const gate = lufs(mean(audible)) + RELATIVE_GATE;
  return lufs(mean(audible.filter((power) => lufs(power) > gate)));
}

/** Mean squares of 400 ms blocks that overlap by three quarters. */
function blockPowers(samples: Float32Array, rate: number): number[] {
  const step = Math.round(rate / 10);
  const squares = Array.from({ length: Math.ceil(samples.length / step) }, (_, i) => sumOfSquares(samples, i * step, (i + 1) * step));
  const blocks = Array.from({ length: Math.max(1, squares.length - 3) }, (_, i) => squares.slice(i, i + 4).reduce((sum, square) => sum + square, 0));
  return blocks.map((sum) => sum / Math.min(4 * step, Math.max(1, samples.length)));
}

export function sumOfSquares(samples: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < Math.min(to, samples.length); i += 1) sum += (samples[i] ?? 0) ** 2;
  return sum;
}

function lufs(power: number): number {
  return power > 0 ? OFFSET + 10 * Math.log10(power * PLAYED_CHANNELS) : Number.NEGATIVE_INFINITY;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
