import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '../../engine/index.js';
import { parseWav, type SpokenWord } from '../../providers/speech/index.js';

/** Enough for the energy of speech. */
const SAMPLE_RATE = 8000;
/** Decibels above the usual word from which on a word is loud. */
const LOUD = 4;
/** Of silence, so that its level is a number. */
const MIN_POWER = 1e-10;

/** What measures words. */
export interface LoudnessParts {
  engine: Pick<Engine, 'extractSound'>;
  /** Existing folder for temporary files. */
  workDir: string;
  signal: AbortSignal;
}

/** Marks the words of a file that are spoken louder than the others of the file. Times in seconds of the file. */
export async function markLoudWords(words: readonly SpokenWord[], path: string, { engine, workDir, signal }: LoudnessParts): Promise<SpokenWord[]> {
  const sound = join(workDir, `words-${process.hrtime.bigint()}.wav`);
  try {
    await engine.extractSound(path, sound, SAMPLE_RATE, { signal });
    const { samples } = parseWav(await readFile(sound)) ?? { samples: new Float32Array(0) };
    return markLoud(words, samples);
  } finally {
    await rm(sound, { force: true });
  }
}

/** `samples`: at SAMPLE_RATE. */
function markLoud(words: readonly SpokenWord[], samples: Float32Array): SpokenWord[] {
  const levels = words.map(({ start, end }) => {
    const first = Math.max(0, Math.round(start * SAMPLE_RATE));
    const heard = samples.subarray(first, Math.max(first + 1, Math.round(end * SAMPLE_RATE)));
    const power = heard.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, heard.length);
    return 10 * Math.log10(Math.max(MIN_POWER, power));
  });
  const usual = levels.toSorted((a, b) => a - b)[Math.floor(levels.length / 2)] ?? 0;
  return words.map((word, i) => ((levels[i] ?? usual) > usual + LOUD ? { ...word, loud: true } : word));
}
