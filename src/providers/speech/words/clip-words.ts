import type { TimeRange } from '../audio/detect-speech.js';
import type { SpokenWord } from '../speech.js';

/** Ends words at pauses: engines extend each word to the start of the next one. */
export function clipWordsToSpeech(words: readonly SpokenWord[], stretches: readonly TimeRange[]): SpokenWord[] {
  return words.map((word) => {
    const within = stretches.filter(({ start, end }) => end > word.start && start < word.end);
    const first = within[0];
    const last = within.at(-1);
    if (first === undefined || last === undefined) return word;
    return { ...word, start: Math.max(word.start, first.start), end: Math.min(word.end, last.end) };
  });
}
