import { createRequire } from 'node:module';
import type { Bidi, BidiCharTypeName } from 'bidi-js';
import { isSimple } from './graphemes.js';

/** Characters that may be ordered differently from how they are read: right-to-left scripts and explicit directions. */
const reordered = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const explicitDirections = /[\u202a-\u202e\u2066-\u2069]/g;
const overrides = /[\u202d\u202e]/;

let loaded: Bidi | undefined;

/** The Unicode bidirectional algorithm (UAX #9), loaded for the first text that needs it. */
function library(): Bidi {
  loaded ??= (createRequire(import.meta.url)('bidi-js') as () => Bidi)();
  return loaded;
}

/** A character below U+10000 of each class that has characters above; none of them is a bracket. */
const substitutes: Partial<Record<BidiCharTypeName, string>> = {
  R: '\u05d0',
  AL: '\u0627',
  EN: '0',
  AN: '\u0661',
  ET: '#',
  ON: '!',
  NSM: '\u0300',
  BN: '\u00ad',
};

/** The library classifies UTF-16 units, so characters of two units are replaced by one unit of the same class. */
function withoutSurrogates(text: string): string {
  return text.replace(/[\u{10000}-\u{10ffff}]/gu, (character) => substitutes[library().getBidiCharTypeName(character)] ?? 'a');
}

/** P2, P3: 1 when the first strong character outside isolates reads right to left. */
export function paragraphLevel(text: string): 0 | 1 {
  if (isSimple(text) || !reordered.test(text)) return 0;
  return (library().getEmbeddingLevels(withoutSurrogates(text), 'auto').paragraphs[0]?.level ?? 0) === 1 ? 1 : 0;
}

/** The embedding level of every UTF-16 unit of a paragraph. */
export function bidiLevels(text: string, base: 0 | 1): Uint8Array {
  if (base === 0 && (isSimple(text) || !reordered.test(text))) return new Uint8Array(text.length);
  const { levels } = library().getEmbeddingLevels(withoutSurrogates(text), base === 1 ? 'rtl' : 'ltr');
  if (levels.length === text.length) return levels;
  return Uint8Array.from([...text].flatMap((character, i) => Array<number>(character.length).fill(levels[i] as number)));
}

/** Whether a paragraph overrides the direction of its characters. */
export function hasOverrides(text: string): boolean {
  return !isSimple(text) && overrides.test(text);
}

/** The text to draw for a run of one level: levels replace explicit directions, which fonts may draw as boxes. */
export function textOfRun(text: string, level: number, isOverridden: boolean): string {
  if (isSimple(text) && !isOverridden) return text;
  const shown = text.replace(explicitDirections, '');
  return isOverridden && shown !== '' ? `${level % 2 === 1 ? '\u202e' : '\u202d'}${shown}\u202c` : shown;
}

/** L2: the indices of items, given their levels in reading order, from left to right. */
export function visualOrder(levels: readonly number[]): number[] {
  const order = levels.map((_, i) => i);
  const highest = Math.max(0, ...levels);
  const lowestOdd = Math.min(...levels.filter((level) => level % 2 === 1), highest + 1);
  for (let level = highest; level >= lowestOdd; level--) {
    for (let i = 0; i < order.length; i++) {
      let end = i;
      while (end < order.length && (levels[order[end] as number] as number) >= level) end++;
      if (end > i) order.splice(i, end - i, ...order.slice(i, end).reverse());
      i = Math.max(i, end - 1);
    }
  }
  return order;
}
