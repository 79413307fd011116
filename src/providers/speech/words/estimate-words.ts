import type { TimeRange } from '../audio/detect-speech.js';
import type { SpokenWord } from '../speech.js';
import { spokenWord } from './align-words.js';
import { weightOf } from './letters.js';
import type { WrittenWord } from './split-words.js';

/**
 * Estimates the times of words that an engine reported without times: the duration of speech is divided by the words'
 * lengths, and boundaries close to a pause move into it.
 */
export function estimateWords(written: readonly WrittenWord[], stretches: readonly TimeRange[]): SpokenWord[] {
  const speechSeconds = stretches.reduce((sum, { start, end }) => sum + end - start, 0);
  const weights = written.map(({ text }) => weightOf(text));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const cuts = snapToPauses(
    cumulative(weights).map((weight) => (weight / Math.max(1e-9, total)) * speechSeconds),
    stretches,
  );
  return written.map((word, i) =>
    spokenWord(word, atSpeechSeconds(cuts[i] ?? 0, stretches, 'after'), atSpeechSeconds(cuts[i + 1] ?? speechSeconds, stretches, 'before')),
  );
}

function cumulative(weights: readonly number[]): number[] {
  let sum = 0;
  return [0, ...weights.map((weight) => (sum += weight))];
}

/** About half a short word: a boundary this close to a pause belongs into it. */
const SNAP_SECONDS = 0.18;

function snapToPauses(cuts: readonly number[], stretches: readonly TimeRange[]): number[] {
  const pauses = cumulative(stretches.map(({ start, end }) => end - start)).slice(1, -1);
  let last = 0;
  return cuts.map((cut) => {
    const nearest = pauses.find((pause) => Math.abs(pause - cut) < SNAP_SECONDS && pause >= last);
    last = Math.max(last, nearest ?? cut);
    return last;
  });
}

/** The time after this many seconds of speech; at a pause, its end or its start. */
function atSpeechSeconds(seconds: number, stretches: readonly TimeRange[], side: 'before' | 'after'): number {
  let left = seconds;
  for (const [index, { start, end }] of stretches.entries()) {
    const length = end - start;
    const isLast = index === stretches.length - 1;
    if (left < length - 1e-9 || isLast || (side === 'before' && left <= length + 1e-9)) return start + Math.min(left, length);
    left -= length;
  }
  return 0;
}
