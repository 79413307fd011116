import type { Cue, Span, WordStyle } from './formats/cue.js';

/** A word with its attached punctuation; times in seconds. */
export interface TimedWord {
  text: string;
  start: number;
  end: number;
  style: WordStyle;
  /** No space before the word. */
  glued: boolean;
  /** The caption file has a line break before the word. */
  breakBefore: boolean;
}

/** A cue split into words; times in seconds. */
export interface TimedCue {
  start: number;
  end: number;
  words: TimedWord[];
  /** False: word times are estimated by dividing the cue's time by word length. */
  hasWordTimes: boolean;
}

/** Returns the word index of every UTF-16 unit of a line; spaces belong to the word before them. */
type FindWords = (line: string, lang: string) => { wordOf: Uint32Array };

interface Unit {
  character: string;
  style: WordStyle;
  start: number;
  end: number;
}

/** Splits a cue into words with their times. */
export function timeWords(cue: Cue, lang: string, findWords: FindWords): TimedCue {
  const hasWordTimes = cue.spans.some(({ start }) => start !== undefined);
  const units = unitsOf(hasWordTimes ? cue.spans.map((span) => ({ start: cue.start, end: cue.start, ...span })) : distributeTimes(cue));
  const words: TimedWord[] = [];
  let from = 0;
  for (const line of units
    .map(({ character }) => character)
    .join('')
    .split('\n')) {
    words.push(...wordsOfLine(line, units.slice(from, from + line.length), lang, findWords));
    from += line.length + 1;
  }
  return { start: cue.start, end: cue.end, words, hasWordTimes };
}

/** Divides the time of a cue among its spans by their estimated length. */
function distributeTimes(cue: Cue): Span[] {
  const weights = cue.spans.map(({ text }) => weightOf(text));
  const total = Math.max(
    1,
    weights.reduce((sum, weight) => sum + weight, 0),
  );
  let before = 0;
  return cue.spans.map((span, i) => {
    const start = cue.start + ((cue.end - cue.start) * before) / total;
    before += weights[i] ?? 0;
    return { ...span, start, end: cue.start + ((cue.end - cue.start) * before) / total };
  });
}

/** Relative speaking time of a text: letters, and pauses at punctuation. */
function weightOf(text: string): number {
  let weight = 0;
  for (const character of text) weight += weightOfCharacter(character);
  return weight;
}

function weightOfCharacter(character: string): number {
  if (/[.!?…。！？]/u.test(character)) return 4;
  if (/[,;:、，；：]/u.test(character)) return 2;
  return /[\p{L}\p{N}]/u.test(character) ? 1 : 0;
}

function unitsOf(spans: readonly Span[]): Unit[] {
  return spans.flatMap(({ text, style, start = 0, end = start }) => {
    const total = Math.max(1, weightOf(text));
    let before = 0;
    return [...text].flatMap((character) => {
      const from = start + ((end - start) * before) / total;
      before += weightOfCharacter(character);
      const unit = { style, start: from, end: start + ((end - start) * before) / total };
      // One entry per UTF-16 unit, so that string indexes apply.
      return [...Array(character.length).keys()].map((i) => ({ ...unit, character: character.charAt(i) }));
    });
  });
}

function wordsOfLine(line: string, units: readonly Unit[], lang: string, findWords: FindWords): TimedWord[] {
  const { wordOf } = findWords(line, lang);
  const words: TimedWord[] = [];
  for (let from = 0; from < line.length; ) {
    let to = from + 1;
    while (to < line.length && wordOf[to] === wordOf[from]) to += 1;
    const raw = line.slice(from, to);
    const lead = raw.length - raw.trimStart().length;
    const text = raw.trim();
    const first = units[from + lead];
    const last = units[from + lead + text.length - 1];
    if (text !== '' && first && last) {
      const glued = words.length > 0 && from > 0 && lead === 0 && !/\s/.test(line.charAt(from - 1));
      words.push({ text, start: first.start, end: Math.max(first.start, last.end), style: first.style, glued, breakBefore: words.length === 0 });
    }
    from = to;
  }
  return joinMarks(words);
}

/** Joins standalone dashes and punctuation, which are not spoken, to a neighbouring word. */
function joinMarks(words: readonly TimedWord[]): TimedWord[] {
  const joined: TimedWord[] = [];
  let before: TimedWord | undefined;
  for (const word of words) {
    const last = joined.at(-1);
    if (!/^[\p{P}|+=~]+$/u.test(word.text)) {
      joined.push(before === undefined ? word : { ...word, text: joinedText(before, word), breakBefore: before.breakBefore, glued: before.glued });
      before = undefined;
    } else if (last === undefined) before = before === undefined ? word : { ...before, text: joinedText(before, word) };
    else joined.splice(-1, 1, { ...last, text: joinedText(last, word), end: Math.max(last.end, word.end) });
  }
  return before === undefined ? joined : [...joined, before];
}

function joinedText(first: TimedWord, second: TimedWord): string {
  return `${first.text}${second.glued ? '' : ' '}${second.text}`;
}
