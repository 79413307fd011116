import type { TimeRange } from '../audio/detect-speech.js';
import type { SpokenWord } from '../speech.js';
import { spokenWord } from './align-words.js';
import { weightOf } from './letters.js';
import type { WrittenWord } from './split-words.js';

/**
 * Times for words that an engine told none for: the time in which something is heard is shared out by the words'
 * lengths, and a word never reaches over a pause that it almost filled up to.
 */
export function estimateWords(written: readonly WrittenWord[], stretches: readonly TimeRange[]): SpokenWord[] {
  const heard = stretches.reduce((sum, { start, end }) => sum + end - start, 0);
  const weights = written.map(({ text }) => weightOf(text));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const cuts = snapToPauses(
    cumulative(weights).map((weight) => (weight / Math.max(1e-9, total)) * heard),
    stretches,
  );
  return written.map((word, i) => spokenWord(word, atHeard(cuts[i] ?? 0, stretches, 'after'), atHeard(cuts[i + 1] ?? heard, stretches, 'before')));
}

function cumulative(weights: readonly number[]): number[] {
  let sum = 0;
  return [0, ...weights.map((weight) => (sum += weight))];
}

/** Half a short word: a cut that lies so near to a pause is meant to be in it. */
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

/** The moment at which so many seconds of speech have been heard; at a pause, its end or its start. */
function atHeard(seconds: number, stretches: readonly TimeRange[], side: 'before' | 'after'): number {
  let left = seconds;
  for (const [index, { start, end }] of stretches.entries()) {
    const length = end - start;
    const isLast = index === stretches.length - 1;
    if (left < length - 1e-9 || isLast || (side === 'before' && left <= length + 1e-9)) return start + Math.min(left, length);
    left -= length;
  }
  return 0;
}
