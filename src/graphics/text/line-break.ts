import { graphemesOf, isSimple } from './graphemes.js';

/**
 * Line break opportunities and word boundaries, simplified from UAX #14: spaces, hyphens and dashes, slashes, East Asian
 * characters (with their punctuation rules), and dictionary words in scripts without spaces.
 */
const spaceless = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\u30fc\uff00-\uffef]/u;
/** Characters that cannot start a line: closing punctuation, small kana, iteration and length marks. */
const notFirst = /^[!%),.:;?\]}¢°’”‰′″℃、。々〉》」』】〕〗〙〛〜ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶー・ヽヾ゛゜！％），．：；？］｝～»›]/;
const joinsBefore = /^[\p{M}\u200d]/u;
/** Characters that cannot end a line: opening punctuation, and currency signs, which precede their number. */
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

const letter = /\p{L}/u;
const digit = /\p{N}/u;

// Unicode property tables are used only for non-simple characters, which most texts do not have.
function isNotFirst(cluster: string): boolean {
  return notFirst.test(cluster) || (!isSimple(cluster) && joinsBefore.test(cluster));
}

function isEastAsian(cluster: string): boolean {
  return !isSimple(cluster) && eastAsian.test(cluster);
}

function hasLetter(cluster: string): boolean {
  return /[A-Za-z]/.test(cluster) || (!isAscii(cluster) && letter.test(cluster));
}

function hasDigit(cluster: string): boolean {
  return /[0-9]/.test(cluster) || (!isAscii(cluster) && digit.test(cluster));
}

function isAscii(cluster: string): boolean {
  return cluster.length === 1 && cluster < '\u0080';
}

function mayBreak(before: string, after: string, beforePrevious: string | undefined): boolean {
  if (isSpace(after)) return false;
  if (isSpace(before)) return true;
  if (before === '\u200b' || before === '\u00ad') return true;
  if (isNotFirst(after) || notLast.test(before)) return false;
  if (/[\u00a0\u2060\u202f\ufeff\u2011]/.test(before + after)) return false;
  if (before === '-' || before === '\u2010') {
    // Breaks only inside hyphenated words, not in "-5", "2-3" or before a closing hyphen.
    return beforePrevious !== undefined && (hasLetter(beforePrevious) || hasDigit(beforePrevious)) && !hasDigit(after);
  }
  if (/[\u2013\u2014]/.test(before)) return true;
  if (before === '/') return hasLetter(after) && beforePrevious !== undefined && beforePrevious !== '/';
  if (/\u2014/.test(after)) return true;
  return isEastAsian(before) || isEastAsian(after);
}

type WordBreak = 'break-all' | 'keep-all' | undefined;

/** Breaks at spaces, punctuation and between East Asian characters; never inside grapheme clusters. */
function plainBreaks(text: string, lang: string, wordBreak: WordBreak): Set<number> {
  const found = new Set<number>([text.length]);
  let before: string | undefined;
  let beforeThat: string | undefined;
  for (const { segment, index } of graphemesOf(text, lang)) {
    const allowed = before !== undefined && (wordBreak === 'break-all' ? !isSpace(segment) : mayBreak(before, segment, beforeThat));
    if (allowed && !(wordBreak === 'keep-all' && isEastAsianPair(before, segment))) found.add(index);
    beforeThat = before;
    before = segment;
  }
  return found;
}

function isEastAsianPair(before: string | undefined, after: string): boolean {
  return before !== undefined && !isSpace(before) && (isEastAsian(before) || isEastAsian(after));
}

/** Starts of dictionary words in text without spaces; punctuation stays with its word. */
function dictionaryStarts(text: string, from: number, to: number, lang: string): number[] {
  const starts: number[] = [];
  let holdsWord = false;
  let glued = false;
  for (const { segment, index, isWordLike } of new Intl.Segmenter(lang, { granularity: 'word' }).segment(text.slice(from, to))) {
    const opens = notLast.test(segment);
    const begins = (isWordLike || opens || /\p{Extended_Pictographic}/u.test(segment)) && !isNotFirst(segment);
    if (index > 0 && begins && holdsWord && !glued) starts.push(from + index);
    if (begins) holdsWord = true;
    glued = opens;
  }
  return starts;
}

/** Finds line break opportunities and words of one paragraph. */
export function findWords(text: string, lang: string, wordBreak?: WordBreak): TextWords {
  const breaks = plainBreaks(text, lang, wordBreak);
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
