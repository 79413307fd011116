import type { SpokenWord } from '../../providers/transcription/index.js';
import type { Cue } from './formats/cue.js';
import { lingerSeconds } from './pages.js';

const maxWordCount = 20_000;

/** Converts the words of one voice to a cue. `offset`: start of the voice in seconds. Undefined without words. */
export function spokenCue(words: readonly SpokenWord[], offset: number): Cue | undefined {
  const spoken = words.slice(0, maxWordCount).filter(({ text, start, end }) => text.trim() !== '' && Number.isFinite(start) && Number.isFinite(end));
  const [first] = spoken;
  const last = spoken.at(-1);
  if (!first || !last) return undefined;
  return {
    start: first.start + offset,
    end: Math.max(...spoken.map(({ end }) => end)) + offset + lingerSeconds,
    spans: spoken.flatMap(({ text, start, end, joins, loud }, i) => {
      const timed = { start: start + offset, end: Math.max(start, end) + offset, style: loud ? { loud } : {} };
      const space = i > 0 && !joins && !isGlued(spoken[i - 1]?.text ?? '', text) ? [{ text: ' ', style: {}, start: timed.start, end: timed.start }] : [];
      return [...space, { ...timed, text: text.trim() }];
    }),
  };
}

const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Returns whether two words belong to a script that is written without spaces. */
function isGlued(before: string, after: string): boolean {
  return spaceless.test(before.trim().at(-1) ?? '') && (spaceless.test(after.trim().at(0) ?? '') || /^\p{P}/u.test(after.trim()));
}
