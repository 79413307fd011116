import { isSimple } from './graphemes.js';

/**
 * The Unicode bidirectional algorithm (UAX #9) for one paragraph: rules P2-P3, W1-W7, N0-N2, I1-I2 and L1-L2.
 * Explicit embeddings and isolates (X1-X8) are ignored.
 * Skia orders the characters inside a run; the levels are needed to position words that are drawn separately.
 */
type BidiClass = 'L' | 'R' | 'AL' | 'EN' | 'ES' | 'ET' | 'AN' | 'CS' | 'NSM' | 'BN' | 'WS' | 'ON';

const mark = /[\p{Mn}\p{Me}]/u;
const europeanDigit = /[0-9\u00b2\u00b3\u00b9\u06f0-\u06f9\u2070\u2074-\u2079\u2080-\u2089\uff10-\uff19]/;
const arabicDigit = /[\u0660-\u0669\u066b\u066c\u0600-\u0605\u06dd]/;
const terminator = /[#%\u00b0\u00b1\u066a\u2030-\u2034\p{Sc}]/u;
const neutral = /[\p{P}\p{S}]/u;
const ignored = /[\p{Cc}\p{Cf}]/u;

// Default classes of the right-to-left blocks (DerivedBidiClass.txt).
const hebrewLike: ReadonlyArray<readonly [number, number]> = [
  [0x0590, 0x05ff],
  [0x07c0, 0x085f],
  [0xfb1d, 0xfb4f],
  [0x10800, 0x10cff],
  [0x10d40, 0x10ebf],
  [0x10f00, 0x10f2f],
  [0x10f70, 0x10fff],
  [0x1e800, 0x1ec6f],
  [0x1ecc0, 0x1ecff],
  [0x1ed50, 0x1edff],
  [0x1ef00, 0x1efff],
];
const arabicLike: ReadonlyArray<readonly [number, number]> = [
  [0x0600, 0x07bf],
  [0x0860, 0x08ff],
  [0xfb50, 0xfdcf],
  [0xfdf0, 0xfdff],
  [0xfe70, 0xfeff],
  [0x10d00, 0x10d3f],
  [0x10ec0, 0x10eff],
  [0x10f30, 0x10f6f],
  [0x1ec70, 0x1ecbf],
  [0x1ed00, 0x1ed4f],
  [0x1ee00, 0x1eeff],
];

function within(code: number, ranges: ReadonlyArray<readonly [number, number]>): boolean {
  return ranges.some(([low, high]) => code >= low && code <= high);
}

function classify(character: string): BidiClass {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x200e) return 'L';
  if (code === 0x200f) return 'R';
  if (code === 0x061c) return 'AL';
  if (mark.test(character)) return 'NSM';
  if (europeanDigit.test(character)) return 'EN';
  if (arabicDigit.test(character)) return 'AN';
  if (/[,./:\u00a0\u060c\u202f\u2044]/.test(character)) return 'CS';
  if (/\s/u.test(character)) return 'WS';
  if (ignored.test(character)) return 'BN';
  if (/[+\-\u2212\u207a\u207b]/.test(character)) return 'ES';
  if (terminator.test(character)) return 'ET';
  if (within(code, hebrewLike)) return 'R';
  if (within(code, arabicLike)) return 'AL';
  return neutral.test(character) ? 'ON' : 'L';
}

/** P2, P3: 1 when the first strong character reads right to left. */
export function paragraphLevel(text: string): 0 | 1 {
  if (isSimple(text)) return 0;
  for (const character of text) {
    const found = classify(character);
    if (found === 'L') return 0;
    if (found === 'R' || found === 'AL') return 1;
  }
  return 0;
}

function resolveWeak(classes: BidiClass[], edge: 'L' | 'R'): void {
  let previous: BidiClass = edge;
  let strong: BidiClass = edge;
  for (const [i, found] of classes.entries()) {
    let now: BidiClass = found === 'NSM' ? previous : found;
    if (now === 'EN' && strong === 'AL') now = 'AN';
    if (now === 'L' || now === 'R' || now === 'AL') strong = now;
    previous = now;
    classes[i] = now;
  }
  for (const [i, found] of classes.entries()) {
    if (found === 'AL') classes[i] = 'R';
    const before = classes[i - 1];
    const same = before !== undefined && before === classes[i + 1];
    if (found === 'ES' && same && before === 'EN') classes[i] = 'EN';
    if (found === 'CS' && same && (before === 'EN' || before === 'AN')) classes[i] = before;
  }
  joinTerminators(classes);
  strong = edge;
  for (const [i, found] of classes.entries()) {
    if (found === 'ES' || found === 'ET' || found === 'CS') classes[i] = 'ON';
    if (found === 'L' || found === 'R') strong = found;
    if (found === 'EN' && strong === 'L') classes[i] = 'L';
  }
}

/** W5: a run of terminators beside a European number belongs to it. */
function joinTerminators(classes: BidiClass[]): void {
  for (let i = 0; i < classes.length; i++) {
    if (classes[i] !== 'ET') continue;
    let end = i;
    while (classes[end] === 'ET') end++;
    if (classes[i - 1] === 'EN' || classes[end] === 'EN') classes.fill('EN', i, end);
    i = end - 1;
  }
}

const brackets = new Map([...'()[]{}〈〉《》「」『』【】（）'].map((c, i, all) => [c, { open: i % 2 === 0, pair: all[i ^ 1] as string }]));

function strongOf(found: BidiClass | undefined): 'L' | 'R' | undefined {
  if (found === 'L') return 'L';
  return found === 'R' || found === 'EN' || found === 'AN' ? 'R' : undefined;
}

/** N0: both brackets of a pair take one direction. */
function resolveBrackets(characters: string[], classes: BidiClass[], edge: 'L' | 'R'): void {
  const open: Array<{ close: string; at: number }> = [];
  const pairs: Array<[number, number]> = [];
  for (const [i, character] of characters.entries()) {
    const bracket = classes[i] === 'ON' ? brackets.get(character) : undefined;
    // The maximum depth of BD16.
    if (bracket?.open && open.length === 63) return;
    if (bracket?.open) open.push({ close: bracket.pair, at: i });
    const match = bracket && !bracket.open ? open.findLastIndex((entry) => entry.close === character) : -1;
    if (match < 0) continue;
    pairs.push([(open[match] as { at: number }).at, i]);
    open.length = match;
  }
  pairs.sort((a, b) => a[0] - b[0]);
  let before: 'L' | 'R' = edge;
  let seen = 0;
  for (const [first, last] of pairs) {
    for (; seen < first; seen++) before = strongOf(classes[seen]) ?? before;
    const inside = new Set(classes.slice(first + 1, last).map(strongOf));
    const opposite = edge === 'L' ? 'R' : 'L';
    if (!inside.has(edge) && !inside.has(opposite)) continue;
    const direction = !inside.has(edge) && before === opposite ? opposite : edge;
    classes[first] = direction;
    classes[last] = direction;
  }
}

function resolveNeutrals(classes: BidiClass[], edge: 'L' | 'R'): void {
  for (let i = 0; i < classes.length; i++) {
    if (classes[i] !== 'ON' && classes[i] !== 'WS') continue;
    let end = i;
    while (classes[end] === 'ON' || classes[end] === 'WS') end++;
    const before = strongOf(classes[i - 1]) ?? edge;
    const after = strongOf(classes[end]) ?? edge;
    classes.fill(before === after ? before : edge, i, end);
    i = end - 1;
  }
}

/** The embedding level of every UTF-16 unit of a paragraph. */
export function bidiLevels(text: string, base: 0 | 1): Uint8Array {
  const levels = new Uint8Array(text.length).fill(base);
  // Fast path for text without right-to-left characters.
  if (base === 0 && (isSimple(text) || !/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}\u200f]/u.test(text))) return levels;
  const visible: Array<{ character: string; at: number; found: BidiClass }> = [];
  let at = 0;
  for (const character of text) {
    const found = classify(character);
    if (found !== 'BN') visible.push({ character, at, found });
    at += character.length;
  }
  const edge = base === 1 ? 'R' : 'L';
  const classes = visible.map((entry) => entry.found);
  const characters = visible.map((entry) => entry.character);
  resolveWeak(classes, edge);
  resolveBrackets(characters, classes, edge);
  resolveNeutrals(classes, edge);
  for (const [i, entry] of visible.entries()) {
    const found = classes[i];
    const rise = base === 0 ? (found === 'R' ? 1 : found === 'L' ? 0 : 2) : found === 'R' ? 0 : 1;
    const next = visible[i + 1]?.at ?? text.length;
    levels.fill(base + rise, entry.at, next);
  }
  return levels;
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
