import type { SpokenWord } from './spoken-word.js';

const MAX_WORDS = 20_000;

/** The words of a verbose_json response; undefined when it has no times. */
export function parseTranscription(text: string): SpokenWord[] | undefined {
  let answer: { text?: unknown; words?: unknown; segments?: unknown };
  try {
    answer = JSON.parse(text) as typeof answer;
  } catch {
    return undefined;
  }
  const words = timedEntries(answer?.words, 'word');
  if (words.length > 0) return withPunctuation(words, typeof answer.text === 'string' ? answer.text : '');
  const segments = timedEntries(answer?.segments, 'text');
  return segments.length > 0 ? segments.flatMap(divideByLength) : Array.isArray(answer?.words) || Array.isArray(answer?.segments) ? [] : undefined;
}

function timedEntries(list: unknown, field: string): SpokenWord[] {
  return (Array.isArray(list) ? list.slice(0, MAX_WORDS) : []).flatMap((entry: Record<string, unknown> | null) => {
    const [text, start, end] = [entry?.[field], entry?.start, entry?.end];
    if (typeof text !== 'string' || text.trim() === '' || typeof start !== 'number' || typeof end !== 'number') return [];
    return start >= 0 && end >= start && end < 86_400 ? [{ text: text.trim().slice(0, 200), start, end }] : [];
  });
}

/** Adds punctuation, which only the whole text contains; it marks where sentences end. */
function withPunctuation(words: readonly SpokenWord[], text: string): SpokenWord[] {
  const lower = text.toLowerCase();
  let at = 0;
  return words.map((word) => {
    const found = lower.indexOf(word.text.toLowerCase(), at);
    // Too far away: the text differs from the words here.
    if (found < 0 || found - at > 40) return word;
    at = found + word.text.length;
    const marks = /^[\p{P}]+(?=\s|$)/u.exec(text.slice(at, at + 8))?.[0] ?? '';
    at += marks.length;
    return { ...word, text: `${word.text}${marks}` };
  });
}

/** Divides a sentence's time among its words by length. */
function divideByLength({ text, start, end }: SpokenWord): SpokenWord[] {
  const words = text.split(/\s+/);
  const total = words.reduce((sum, word) => sum + word.length + 1, 0);
  let before = 0;
  return words.map((word) => {
    const from = start + ((end - start) * before) / total;
    before += word.length + 1;
    return { text: word, start: from, end: start + ((end - start) * before) / total };
  });
}
