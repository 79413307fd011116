import type { SpokenWord, TimedText } from '../speech.js';
import { lettersOf, weightOf } from './letters.js';
import type { WrittenWord } from './split-words.js';

interface Letter {
  letter: string;
  start: number;
  end: number;
}

interface Span {
  start: number;
  end: number;
}

/** Maximum distance in letters after which diverging texts (a number read out, an omitted word) must agree again. */
const MAX_DETOUR = 60;
/** Number of equal letters that count as agreement. */
const MEETING = 3;

/**
 * Assigns the times of recognised words to the written words. Engines split words differently, read "25" as "twenty-
 * five" or omit words, so the texts are compared letter by letter; words without a match share the time between their
 * neighbours.
 */
export function alignWords(written: readonly WrittenWord[], heard: readonly TimedText[], total: number): SpokenWord[] {
  const own = written.flatMap(({ text }, word) => [...lettersOf(text)].map((letter) => ({ letter, word })));
  const theirs = heard.flatMap(timedLetters);
  const spans: Array<Span | undefined> = written.map(() => undefined);
  for (const [ownIndex, theirIndex] of matches(own, theirs)) {
    const word = own[ownIndex]?.word ?? 0;
    const letter = theirs[theirIndex] as Letter;
    const span = spans[word];
    if (span === undefined) spans[word] = { start: letter.start, end: letter.end };
    else span.end = Math.max(span.end, letter.end);
  }
  return fillUnmatched(written, spans, total);
}

function timedLetters({ text, start, end }: TimedText): Letter[] {
  const letters = [...lettersOf(text)];
  const each = (end - start) / Math.max(1, letters.length);
  return letters.map((letter, i) => ({ letter, start: start + i * each, end: start + (i + 1) * each }));
}

function* matches(own: ReadonlyArray<{ letter: string }>, theirs: readonly Letter[]): Generator<[number, number]> {
  let i = 0;
  let j = 0;
  while (i < own.length && j < theirs.length) {
    if (own[i]?.letter === theirs[j]?.letter) {
      yield [i, j];
      i += 1;
      j += 1;
      continue;
    }
    const [skipOwn, skipTheirs] = detour(own, i, theirs, j);
    i += skipOwn;
    j += skipTheirs;
  }
}

/** The shortest distance to where both texts agree again. */
function detour(own: ReadonlyArray<{ letter: string }>, i: number, theirs: readonly Letter[], j: number): [number, number] {
  for (let steps = 1; steps <= MAX_DETOUR; steps += 1) {
    for (let skipOwn = 0; skipOwn <= steps; skipOwn += 1) {
      if (meets(own, i + skipOwn, theirs, j + steps - skipOwn)) return [skipOwn, steps - skipOwn];
    }
  }
  return [1, 1];
}

function meets(own: ReadonlyArray<{ letter: string }>, i: number, theirs: readonly Letter[], j: number): boolean {
  const length = Math.min(MEETING, own.length - i, theirs.length - j);
  for (let k = 0; k < length; k += 1) {
    if (own[i + k]?.letter !== theirs[j + k]?.letter) return false;
  }
  return length > 0;
}

/** Words without a match share the time between matched words. */
function fillUnmatched(written: readonly WrittenWord[], spans: ReadonlyArray<Span | undefined>, total: number): SpokenWord[] {
  const words: SpokenWord[] = [];
  let at = 0;
  for (let i = 0; i < written.length; ) {
    const span = spans[i];
    if (span !== undefined) {
      const start = Math.max(at, span.start);
      at = Math.min(total, Math.max(start, span.end));
      words.push(spokenWord(written[i] as WrittenWord, Math.min(start, total), at));
      i += 1;
      continue;
    }
    let next = i;
    while (next < written.length && spans[next] === undefined) next += 1;
    const until = Math.max(at, spans[next]?.start ?? total);
    const lost = written.slice(i, next);
    const weights = lost.map(({ text }) => weightOf(text));
    const sum = weights.reduce((all, weight) => all + weight, 0);
    for (const [k, word] of lost.entries()) {
      const end =
        k === lost.length - 1
          ? until
          : at +
            ((until - at) * (weights[k] ?? 0)) /
              Math.max(
                1e-9,
                weights.slice(k).reduce((all, weight) => all + weight, 0),
              );
      words.push(spokenWord(word, at, sum === 0 ? at : end));
      at = sum === 0 ? at : end;
    }
    i = next;
  }
  return words;
}

export function spokenWord({ text, joins }: WrittenWord, start: number, end: number): SpokenWord {
  return { text, start, end, ...(joins ? { joins: true as const } : {}) };
}
