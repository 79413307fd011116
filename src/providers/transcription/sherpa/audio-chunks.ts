import { readSync } from 'node:fs';

/** A chunk of audio, cut at pauses where possible; `start` in seconds from the start of the audio. */
export interface AudioChunk {
  start: number;
  samples: Float32Array;
}

/** A range with speech, in seconds from the start of the chunk. */
export interface TimeRange {
  start: number;
  end: number;
}

export const SAMPLE_RATE = 16_000;
const HEADER_BYTES = 44;
const MAX_CHUNK_SECONDS = 25;
/** Shorter chunks would lose the context of their words. */
const MIN_CHUNK_SECONDS = 8;
const BLOCK = SAMPLE_RATE / 100;
/** Length of a pause at which audio is cut, in blocks of 10 ms. */
const PAUSE_BLOCKS = 20;
/** Levels below this fraction of full scale are silence. */
const SILENCE_LEVEL = 0.001;

/** Reads the engine's WAV file in chunks, one in memory at a time. */
export function* readChunks(file: number): Generator<AudioChunk> {
  const maxLength = MAX_CHUNK_SECONDS * SAMPLE_RATE;
  let at = 0;
  while (true) {
    const window = readSamples(file, at, maxLength + 1);
    const isLast = window.length <= maxLength;
    const length = isLast ? window.length : findPause(window.subarray(0, maxLength));
    const samples = window.slice(0, length);
    if (levelsOf(samples).some((level) => level > SILENCE_LEVEL)) yield { start: at / SAMPLE_RATE, samples };
    if (isLast) return;
    at += length;
  }
}

function readSamples(file: number, from: number, count: number): Float32Array {
  const bytes = Buffer.alloc(count * 2);
  let read = 0;
  while (read < bytes.length) {
    const got = readSync(file, bytes, read, bytes.length - read, HEADER_BYTES + from * 2 + read);
    if (got === 0) break;
    read += got;
  }
  return Float32Array.from({ length: Math.floor(read / 2) }, (_, i) => bytes.readInt16LE(i * 2) / 32_768);
}

/** The middle of the quietest pause, in samples; the last among equals. */
function findPause(samples: Float32Array): number {
  const levels = levelsOf(samples);
  let best = levels.length - PAUSE_BLOCKS;
  let minSum = Number.POSITIVE_INFINITY;
  for (let i = MIN_CHUNK_SECONDS * 100; i <= levels.length - PAUSE_BLOCKS; i++) {
    let sum = 0;
    for (let k = 0; k < PAUSE_BLOCKS; k++) sum += (levels[i + k] ?? 0) ** 2;
    if (sum > minSum) continue;
    minSum = sum;
    best = i;
  }
  return (best + PAUSE_BLOCKS / 2) * BLOCK;
}

/** The root mean square of each hundredth of a second. */
function levelsOf(samples: Float32Array): number[] {
  const levels: number[] = [];
  for (let from = 0; from < samples.length; from += BLOCK) {
    const block = samples.subarray(from, from + BLOCK);
    let sum = 0;
    for (const sample of block) sum += sample * sample;
    levels.push(Math.sqrt(sum / block.length));
  }
  return levels;
}

/** Silences shorter than this belong to the speech around them. */
const MIN_GAP_BLOCKS = 25;

/** Ranges louder than a thirtieth of the chunk's maximum. */
export function detectSpeech(samples: Float32Array): TimeRange[] {
  const levels = levelsOf(samples);
  const threshold = Math.max(SILENCE_LEVEL, levels.reduce((max, level) => Math.max(max, level), 0) / 30);
  const stretches: TimeRange[] = [];
  for (const [i, level] of levels.entries()) {
    if (level < threshold) continue;
    const last = stretches.at(-1);
    if (last !== undefined && i - last.end < MIN_GAP_BLOCKS) last.end = i + 1;
    else stretches.push({ start: i, end: i + 1 });
  }
  return stretches.map(({ start, end }) => ({ start: start / 100, end: end / 100 }));
}
