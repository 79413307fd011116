/**
 * Where a line may end and what counts as a word, in the spirit of UAX #14: spaces, hyphens and dashes, slashes,
 * between East Asian characters (with their rules for punctuation), and dictionary words in scripts without spaces.
 */
const spaceless = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\u30fc\uff00-\uffef]/u;
/** May not begin a line: closing punctuation, small kana, marks of repetition and length. */
const notFirst =
  /^[!%),.:;?\]}¢°’”‰′″℃、。々〉》」』】〕〗〙〛〜ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶー・ヽヾ゛゜！％），．：；？］｝～»›]|^\p{M}|^\u200d/u;
/** May not end a line: opening punctuation and currency signs before their number. */
const notLast = /[([{‘“«‹〈《「『【〔〖〘〚（［｛＄￥￡#$£¥]$/u;
const breakingSpace = /[ \t\u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]/;

export interface TextWords {
  /** Positions where a new line may start, ascending, without 0 and with the text's length. */
  breaks: number[];
  /** The word of every UTF-16 unit; spaces belong to the word before them. */
  wordOf: Uint32Array;
  wordCount: number;
}

export function isSpace(character: string): boolean {
  return breakingSpace.test(character);
}

function mayBreak(before: string, after: string, beforeThat: string | undefined): boolean {
  if (isSpace(after)) return false;
  if (isSpace(before)) return true;
  if (before === '\u200b' || before === '\u00ad') return true;
  if (notFirst.test(after) || notLast.test(before)) return false;
  if (/[\u00a0\u2060\u202f\ufeff\u2011]/.test(before + after)) return false;
  if (before === '-' || before === '\u2010') {
    // No break in "-5", "2-3" or before a closing hyphen: a letter on the left makes it a hyphenated word.
    return beforeThat !== undefined && /[\p{L}\p{N}]/u.test(beforeThat) && !/\p{N}/u.test(after);
  }
  if (/[\u2013\u2014]/.test(before)) return true;
  if (before === '/') return /\p{L}/u.test(after) && beforeThat !== undefined && beforeThat !== '/';
  if (/\u2014/.test(after)) return true;
  return eastAsian.test(before) || eastAsian.test(after);
}

export type WordBreak = 'break-all' | 'keep-all' | undefined;

/** Breaks at spaces and punctuation, and between East Asian characters. Grapheme clusters are never split. */
function plainBreaks(text: string, lang: string, wordBreak: WordBreak): Set<number> {
  const found = new Set<number>([text.length]);
  let before: string | undefined;
  let beforeThat: string | undefined;
  for (const { segment, index } of new Intl.Segmenter(lang, { granularity: 'grapheme' }).segment(text)) {
    const allowed = before !== undefined && (wordBreak === 'break-all' ? !isSpace(segment) : mayBreak(before, segment, beforeThat));
    if (allowed && !(wordBreak === 'keep-all' && isEastAsianPair(before, segment))) found.add(index);
    beforeThat = before;
    before = segment;
  }
  return found;
}

function isEastAsianPair(before: string | undefined, after: string): boolean {
  return before !== undefined && !isSpace(before) && (eastAsian.test(before) || eastAsian.test(after));
}

/** Splits text without spaces between words at its dictionary words; punctuation stays with its word. */
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

/** Finds lines' and words' boundaries of one paragraph. */
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
    const thin = spaceless.test(chunk);
    const starts = thin || eastAsian.test(chunk) ? dictionaryStarts(text, at, end, lang) : [];
    if (thin) for (const start of starts) breaks.add(start);
    for (const [i, start] of [at, ...starts].entries()) {
      word++;
      wordOf.fill(word, start, starts[i] ?? end);
    }
    at = end;
  }
  return { breaks: [...breaks].sort((a, b) => a - b), wordOf, wordCount: word + 1 };
}
