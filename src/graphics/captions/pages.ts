import { movingStyles, type SubtitleStyle } from '../../script/index.js';
import type { TimedCue, TimedWord } from './word-timing.js';

/** Words shown at the same time; times in seconds. */
export interface Page {
  start: number;
  end: number;
  words: TimedWord[];
  /** Words are highlighted as they are spoken. */
  highlights: boolean;
}

/** Lines per page of captions without word times; with one word per line, a page has one line. */
const linesPerPage = 2;
/** A pause in speech that starts a new phrase, in seconds. */
const pauseSeconds = 0.8;
/** Pages and words stay until the next one if the gap is at most this long, in seconds. */
const bridgeSeconds = 0.8;
/** Time that the last words stay when nothing follows, in seconds. */
export const lingerSeconds = 0.4;

/** Styles that depend on word times; without them, the cue's time is divided among its words. */
const needsWordTimes: ReadonlySet<SubtitleStyle> = new Set<SubtitleStyle>(['classic-progressive', 'classic-one-word', 'boxed-word', ...movingStyles]);

/** Splits cues into pages of as many words as the style shows at once. */
export function cutPages(cues: readonly TimedCue[], style: SubtitleStyle, maxWordsPerLine: number): Page[] {
  return cues.filter(({ words }) => words.length > 0).flatMap((cue) => cutCue(cue, style, Math.max(1, maxWordsPerLine)));
}

function cutCue(cue: TimedCue, style: SubtitleStyle, perLine: number): Page[] {
  const highlights = cue.hasWordTimes || needsWordTimes.has(style);
  const lines = cue.hasWordTimes || perLine === 1 || style === 'stack' ? 1 : linesPerPage;
  const maxWords = style === 'classic-one-word' ? 1 : perLine * lines;
  const groups = phrasesOf(cue).flatMap((phrase) => split(phrase, maxWords));
  const pages = groups.map((words) => ({ words, highlights, start: words[0]?.start ?? cue.start, end: words.at(-1)?.end ?? cue.end }));
  return extendPages(pages, cue);
}

const endsSentence = /[.!?…。！？]["'”’»)\]]*$/u;
const endsClause = /[,;:，、；：–—]["'”’»)\]]*$/u;

/** Phrases of a cue: recognised speech is split at sentences and pauses, cues of caption files are not split. */
function phrasesOf(cue: TimedCue): TimedWord[][] {
  if (!cue.hasWordTimes) return [cue.words];
  const phrases: TimedWord[][] = [];
  for (const [i, word] of cue.words.entries()) {
    const before = cue.words[i - 1];
    const starts = before === undefined || (!word.glued && (endsSentence.test(before.text) || word.start - before.end > pauseSeconds));
    if (starts) phrases.push([]);
    phrases.at(-1)?.push(word);
  }
  return phrases;
}

/** Splits words into the minimum number of parts of similar size, preferably at line breaks or after commas. */
function split(words: TimedWord[], max: number): TimedWord[][] {
  const parts: TimedWord[][] = [];
  let rest = words;
  for (let left = Math.ceil(words.length / max); left > 1; left--) {
    const size = bestCut(rest, Math.ceil(rest.length / left), Math.max(1, rest.length - (left - 1) * max), max);
    parts.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return [...parts, rest];
}

function bestCut(words: readonly TimedWord[], even: number, min: number, max: number): number {
  const candidates = [even, even - 1, even + 1].filter((size) => size >= min && size <= max && size < words.length);
  return candidates.find((size) => words[size]?.breakBefore) ?? candidates.find((size) => endsClause.test(words[size - 1]?.text ?? '')) ?? even;
}

/** Extends pages to the next page or a moment past their last word, so that captions do not flicker. */
function extendPages(pages: readonly Page[], cue: TimedCue): Page[] {
  return pages.map((page, i) => {
    const start = i === 0 ? cue.start : page.start;
    const next = pages[i + 1]?.start ?? cue.end;
    const end = i === pages.length - 1 || next - page.end <= bridgeSeconds ? next : page.end + lingerSeconds;
    return { ...page, start: Math.min(start, page.start), end: Math.max(end, page.end) };
  });
}

/** End of a word's highlight in seconds: the next word, or the word's own end before a pause. */
export function litUntil(page: Page, index: number): number {
  const word = page.words[index];
  if (word === undefined) return page.end;
  const next = page.words[index + 1]?.start ?? page.end;
  return next - word.end <= bridgeSeconds ? Math.max(word.end, next) : word.end;
}
