import { createRequire } from 'node:module';
import type { LineBreaker } from 'css-line-break';
import { isSimple } from './graphemes.js';

/** Scripts whose words are found in a dictionary. */
const spaceless = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\u30fc\uff00-\uffef]/u;
/** Characters that cannot start a word: closing punctuation, small kana, iteration and length marks. */
const notFirst = /^[!%),.:;?\]}¢°’”‰′″℃、。々〉》」』】〕〗〙〛〜ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶー・ヽヾ゛゜！％），．：；？］｝～»›\p{M}\u200d]/u;
/** Characters that cannot end a word: opening punctuation, and currency signs, which precede their number. */
const notLast = /[([{‘“«‹〈《「『【〔〖〘〚（［｛＄￥￡#$£¥]$/;
const breakingSpace = /[ \t\u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]/;

/** Line breaks and words of a paragraph. */
export interface TextWords {
  /** Break opportunities in ascending order; excludes 0 and includes the text's length. */
  breaks: number[];
  /** Word index of every UTF-16 unit; spaces belong to the word before them. */
  wordOf: Uint32Array;
  wordCount: number;
}

/** Whether a character is white space that allows a line break. */
export function isSpace(character: string): boolean {
  return breakingSpace.test(character);
}

let loaded: typeof LineBreaker | undefined;

/** The line breaking algorithm (UAX #14) with the settings of CSS, loaded for the first text that needs it. */
function library(): typeof LineBreaker {
  loaded ??= (createRequire(import.meta.url)('css-line-break') as { LineBreaker: typeof LineBreaker }).LineBreaker;
  return loaded;
}

const latin = /^[A-Za-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f .,:;!?'"()-]*$/;
/** Punctuation that allows a break without a space, or forbids one after a space; hyphens within words are handled apart. */
const notable =
  /[!?][^ .,:;!?'"]| [.,:;!?)-]|(?:^|[^0-9.,:;])[.,:;]+[0-9]|["'] *\(|[^ A-Za-z0-9]\(|\([^A-Za-z0-9]|\)[^ .,:;!?'"]|-(?![A-Za-z])|(?:^|[^A-Za-z0-9])-/;
const latinBreak = / (?! )|-/g;

type WordBreak = 'break-all' | 'keep-all' | undefined;

/** Korean is broken between words, as in print, although UAX #14 and `keep-all` treat single syllables. */
const unbrokenPairs = {
  normal: /^(?:\p{Script=Hangul}[\p{Script=Hangul}\p{Script=Latin}\p{N}]|[\p{Script=Latin}\p{N}]\p{Script=Hangul})/u,
  'keep-all': /^[\p{L}\p{N}]{2}/u,
  'break-all': undefined,
};

/** Break opportunities of a text without dictionary words. */
function plainBreaks(text: string, wordBreak: WordBreak): Set<number> {
  const found = new Set<number>();
  if (wordBreak !== 'break-all' && latin.test(text) && !notable.test(text)) {
    for (const { index } of text.matchAll(latinBreak)) found.add(index + 1);
    return found.add(text.length);
  }
  const breaker = library()(text, { lineBreak: 'strict', wordBreak: wordBreak === 'break-all' ? 'break-all' : 'normal' });
  const unbroken = unbrokenPairs[wordBreak ?? 'normal'];
  let at = 0;
  for (let next = breaker.next(); !next.done; next = breaker.next()) {
    const part = next.value.slice();
    at += part.length;
    const pair = `${part.match(/\P{M}\p{M}*$/u)?.[0].replace(/\p{M}/gu, '')}${text.slice(at, at + 2)}`;
    // The library separates some marks from their letters.
    const splitsMark = /^\p{M}/u.test(text.slice(at, at + 2)) && !/[\s\u0085\u200b]$/.test(part);
    if (!isSpace(text.charAt(at)) && !splitsMark && unbroken?.test(pair) !== true) found.add(at);
  }
  return found.add(text.length);
}

/** Starts of dictionary words in text without spaces; punctuation stays with its word. */
function dictionaryStarts(text: string, from: number, to: number, lang: string): number[] {
  const starts: number[] = [];
  let holdsWord = false;
  let glued = false;
  for (const { segment, index, isWordLike } of new Intl.Segmenter(lang, { granularity: 'word' }).segment(text.slice(from, to))) {
    const opens = notLast.test(segment);
    const begins = (isWordLike || opens || /\p{Extended_Pictographic}/u.test(segment)) && !notFirst.test(segment);
    if (index > 0 && begins && holdsWord && !glued) starts.push(from + index);
    if (begins) holdsWord = true;
    glued = opens;
  }
  return starts;
}

/** Finds line break opportunities and words of one paragraph. */
export function findWords(text: string, lang: string, wordBreak?: WordBreak): TextWords {
  const breaks = plainBreaks(text, wordBreak);
  const wordOf = new Uint32Array(text.length);
  let word = -1;
  let at = 0;
  for (const [chunk] of text.matchAll(/[^ \t\u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]+|[ \t\u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]+/g)) {
    const end = at + chunk.length;
    if (isSpace(chunk.charAt(0))) {
      wordOf.fill(Math.max(0, word), at, end);
      at = end;
      continue;
    }
    const isPlain = isSimple(chunk);
    const isSpaceless = !isPlain && spaceless.test(chunk);
    const starts = isSpaceless || (!isPlain && eastAsian.test(chunk)) ? dictionaryStarts(text, at, end, lang) : [];
    if (isSpaceless) for (const start of starts) breaks.add(start);
    for (const [i, start] of [at, ...starts].entries()) {
      word++;
      wordOf.fill(word, start, starts[i] ?? end);
    }
    at = end;
  }
  return { breaks: [...breaks].sort((a, b) => a - b), wordOf, wordCount: word + 1 };
}

/** Particles of Chinese and Japanese that belong to the word before them. */
const particles = /[的地得了着过吗呢吧はがをにへともので]/;

/** Whether a break is within a word: at a hyphen, between the letters of a dictionary word, or before a particle. */
export function splitsWord(text: string, { wordOf }: TextWords, at: number): boolean {
  if (at >= text.length || isSpace(text.charAt(at - 1))) return false;
  return wordOf[at] === wordOf[at - 1] || (wordOf[at] !== wordOf[at + 1] && particles.test(text.charAt(at)));
}
