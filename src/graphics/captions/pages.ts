import type { SubtitleStyle } from '../../script/index.js';
import type { TimedCue, TimedWord } from './word-timing.js';

/** What is on the screen at the same time; seconds. */
export interface Page {
  start: number;
  end: number;
  words: TimedWord[];
  /** Words light up as they are spoken. */
  highlights: boolean;
}

/** Lines at once of captions whose words have no times of their own; who asks for one word on a line wants to see one word. */
const linesPerPage = 2;
/** A pause of the speaker that ends a line, in seconds. */
const pauseSeconds = 0.8;
/** Pages and words stay until the next ones when it is no longer than this. */
const bridgeSeconds = 0.8;
/** How long the last words stay when nothing follows. */
export const lingerSeconds = 0.4;

/** These styles are nothing without the times of words, so that shares of the cue's time stand in for them. */
const needsWordTimes: ReadonlySet<SubtitleStyle> = new Set(['classic-progressive', 'classic-one-word', 'boxed-word']);

/** Cuts cues into pages of as many words as the style shows at once. */
export function cutPages(cues: readonly TimedCue[], style: SubtitleStyle, maxWordsPerLine: number): Page[] {
  return cues.filter(({ words }) => words.length > 0).flatMap((cue) => cutCue(cue, style, Math.max(1, maxWordsPerLine)));
}

function cutCue(cue: TimedCue, style: SubtitleStyle, perLine: number): Page[] {
  const highlights = cue.hasWordTimes || needsWordTimes.has(style);
  const lines = cue.hasWordTimes || perLine === 1 ? 1 : linesPerPage;
  const maxWords = style === 'classic-one-word' ? 1 : perLine * lines;
  const groups = phrasesOf(cue).flatMap((phrase) => split(phrase, maxWords));
  const pages = groups.map((words) => ({ words, highlights, start: words[0]?.start ?? cue.start, end: words.at(-1)?.end ?? cue.end }));
  return extendPages(pages, cue);
}

const endsSentence = /[.!?…。！？]["'”’»)\]]*$/u;
const endsClause = /[,;:，、；：–—]["'”’»)\]]*$/u;

/** A caption file's own cues are its phrases; what is spoken is cut at sentences and pauses. */
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

/** As few parts as can be, as even as can be, rather after a comma than before one. */
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

/** Pages fill their cue without flicker: up to the next page, or a moment past the last word. */
function extendPages(pages: readonly Page[], cue: TimedCue): Page[] {
  return pages.map((page, i) => {
    const start = i === 0 ? cue.start : page.start;
    const next = pages[i + 1]?.start ?? cue.end;
    const end = i === pages.length - 1 || next - page.end <= bridgeSeconds ? next : page.end + lingerSeconds;
    return { ...page, start: Math.min(start, page.start), end: Math.max(end, page.end) };
  });
}

/** When a word of a page is lit: until the next one, unless the speaker pauses. */
export function litUntil(page: Page, index: number): number {
  const word = page.words[index];
  if (word === undefined) return page.end;
  const next = page.words[index + 1]?.start ?? page.end;
  return next - word.end <= bridgeSeconds ? Math.max(word.end, next) : word.end;
}
