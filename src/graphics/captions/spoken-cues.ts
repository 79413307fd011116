import type { SpokenWord } from '../../providers/transcription/index.js';
import type { Cue } from './formats/cue.js';
import { linger } from './pages.js';

const mostWords = 20_000;

/** What one voice says, as one cue; times count from the voice's own start, which `offset` moves. */
export function spokenCue(words: readonly SpokenWord[], offset: number): Cue | undefined {
  const heard = words.slice(0, mostWords).filter(({ text, start, end }) => text.trim() !== '' && Number.isFinite(start) && Number.isFinite(end));
  const [first] = heard;
  const last = heard.at(-1);
  if (!first || !last) return undefined;
  return {
    start: first.start + offset,
    end: Math.max(...heard.map(({ end }) => end)) + offset + linger,
    spans: heard.flatMap(({ text, start, end, joins }, i) => {
      const timed = { start: start + offset, end: Math.max(start, end) + offset, style: {} };
      const space = i > 0 && !joins && !isGlued(heard[i - 1]?.text ?? '', text) ? [{ text: ' ', style: {}, start: timed.start, end: timed.start }] : [];
      return [...space, { ...timed, text: text.trim() }];
    }),
  };
}

const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Recognisers name the words of scripts without spaces one by one. */
function isGlued(before: string, after: string): boolean {
  return spaceless.test(before.trim().at(-1) ?? '') && (spaceless.test(after.trim().at(0) ?? '') || /^\p{P}/u.test(after.trim()));
}
