import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bidiLevels, paragraphLevel, textOfRun, visualOrder } from '../../../../../src/graphics/text/lines/bidi.js';
import { hasUnicodeData, readUnicodeLines } from '../../../../support/unicode-cases.js';

/** Capitals stand for Hebrew letters, as in UAX #9's examples. */
const hebrew = (text: string) => text.replace(/[A-Z]/g, (letter) => String.fromCodePoint(0x05d0 + letter.charCodeAt(0) - 65));
const latin = (text: string) => text.replace(/[\u05d0-\u05ea]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) - 0x05d0 + 65));

function show(text: string): string {
  const line = hebrew(text);
  const levels = bidiLevels(line, paragraphLevel(line));
  const mirrored = (i: number) => ((levels[i] as number) % 2 === 1 ? line.charAt(i).replace(/[()]/, (c) => (c === '(' ? ')' : '(')) : line.charAt(i));
  return latin(
    visualOrder([...levels])
      .map(mirrored)
      .join(''),
  );
}

/** One character of each class of UAX #9. */
const samples: Record<string, string> = {
  ...{
    L: 'a',
    R: '\u05d0',
    AL: '\u0627',
    EN: '0',
    ES: '+',
    ET: '#',
    AN: '\u0661',
    CS: ',',
    B: '\u2029',
    S: '\t',
    WS: ' ',
    ON: '!',
    BN: '\u00ad',
    NSM: '\u0300',
  },
  ...{ LRE: '\u202a', RLE: '\u202b', PDF: '\u202c', LRO: '\u202d', RLO: '\u202e', LRI: '\u2066', RLI: '\u2067', FSI: '\u2068', PDI: '\u2069' },
};

/** Compares the levels of characters; `x` stands for characters that have none. */
function hasLevels(characters: readonly string[], base: 0 | 1, expected: readonly string[]): boolean {
  const levels = bidiLevels(characters.join(''), base);
  let at = 0;
  return characters.every((character, i) => {
    at += character.length;
    return expected[i] === 'x' || levels[at - character.length] === Number(expected[i]);
  });
}

describe('the bidirectional algorithm', () => {
  test.each([
    ['car is THE CAR in arabic', 'car is RAC EHT in arabic'],
    ['he said "IT IS 123, 456, OK".', 'he said "KO ,456 ,123 SI TI".'],
    ['he said DAY DOG! bye', 'he said GOD YAD! bye'],
    ['he said DAY (DOG) bye', 'he said (GOD) YAD bye'],
    ['left 25.50', 'left 25.50'],
    ['PRICE 25.50 ONLY', 'YLNO 25.50 ECIRP'],
    ['PRICE $25 OK', 'KO $25 ECIRP'],
    ['SAY hello world NOW', 'WON hello world YAS'],
    ['a (B) c', 'a (B) c'],
  ])('shows %j as %j', (text, visual) => {
    expect(show(text)).toBe(visual);
  });

  test.each([
    ['a name in an isolate does not attract the number after it', 'see \u2068DOG\u2069 3 times', 'see GOD 3 times'],
    ['and does without one', 'see DOG 3 times', 'see 3 GOD times'],
    ['left-to-right isolate', 'IN \u2066c++ 5!\u2069 WE', 'EW c++ 5! NI'],
    ['right-to-left isolate', 'x \u2067a! B\u2069 y', 'x B !a y'],
    ['first-strong isolate', 'x \u2068A! B\u2069 y', 'x B !A y'],
    ['unclosed isolate', 'x \u2067A 1', 'x 1 A'],
    ['embedding', 'x \u202bA! b\u202c y', 'x b !A y'],
    ['override', 'x \u202eabc\u202c y', 'x cba y'],
  ])('honours explicit directions: %s', (_, text, visual) => {
    expect(show(text).replace(/[\u202a-\u202e\u2066-\u2069]/g, '')).toBe(visual);
  });

  test('ignores isolated characters when it looks for the first strong one', () => {
    expect([paragraphLevel('\u2067\u05d0\u2069 abc'), paragraphLevel('\u2066abc\u2069 \u05d0')]).toEqual([0, 1]);
  });

  test('takes a character of two UTF-16 units as one', () => {
    // An emoji between Hebrew letters, Arabic mathematical letters, and Adlam letters with Adlam figures.
    expect([...bidiLevels('\u05d0\u{1f600}\u05d1', 0)]).toEqual([1, 1, 1, 1]);
    expect([...bidiLevels('\u{1ee00}\u{1ee01} x', 0)]).toEqual([1, 1, 1, 1, 0, 0]);
    expect([...bidiLevels('\u{1e900}\u{1e951}', 1)]).toEqual([1, 1, 1, 1]);
  });

  test('draws runs without explicit directions, and wraps overridden ones', () => {
    expect(textOfRun('\u2067\u05d0\u2069', 1, false)).toBe('\u05d0');
    expect(textOfRun('\u202eab\u202c', 1, true)).toBe('\u202eab\u202c');
    expect(textOfRun('\u202c', 0, true)).toBe('');
  });

  test.runIf(hasUnicodeData)(
    "passes BidiCharacterTest, Unicode's 91,707 cases of characters",
    () => {
      const lines = readUnicodeLines('BidiCharacterTest.txt');
      expect(lines.length).toBeGreaterThan(90_000);
      const failures = lines.filter((line) => {
        const [hex = '', direction, level, levels = ''] = line.split(';');
        const characters = hex.split(' ').map((code) => String.fromCodePoint(Number.parseInt(code, 16)));
        const base = direction === '2' ? paragraphLevel(characters.join('')) : direction === '1' ? 1 : 0;
        return base !== Number(level) || !hasLevels(characters, base, levels.split(' '));
      });
      expect(failures).toEqual([]);
    },
    60_000,
  );

  test.runIf(hasUnicodeData)(
    "passes BidiTest, Unicode's 770,241 cases of classes",
    () => {
      let levels: string[] = [];
      let count = 0;
      const failures: string[] = [];
      for (const line of readUnicodeLines('BidiTest.txt')) {
        if (line.startsWith('@Levels:')) levels = line.slice(8).trim().split(/\s+/);
        if (line.startsWith('@')) continue;
        const [classes = '', directions = ''] = line.split(';');
        const characters = classes
          .trim()
          .split(/\s+/)
          .map((name) => samples[name] as string);
        for (const [bit, base] of [
          [1, paragraphLevel(characters.join(''))],
          [2, 0],
          [4, 1],
        ] as const) {
          if ((Number.parseInt(directions, 16) & bit) === 0) continue;
          count += 1;
          if (!hasLevels(characters, base, levels)) failures.push(line);
        }
      }
      expect(failures).toEqual([]);
      expect(count).toBeGreaterThan(770_000);
    },
    60_000,
  );

  test('takes the direction of the first strong character', () => {
    expect([paragraphLevel('123 abc'), paragraphLevel('... \u05d0 abc'), paragraphLevel('\u0645'), paragraphLevel('12')]).toEqual([0, 1, 1, 0]);
  });

  test('reads a number after Arabic letters as part of them', () => {
    expect([...bidiLevels('\u0645 12', 1)]).toEqual([1, 1, 2, 2]);
  });

  test('always gives a permutation and keeps left-to-right text as it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'B', ' ', '1', '.', '(', ')', '\u0645', '\u0661', '\u0301', '$', '-') }),
        fc.constantFrom(0 as const, 1 as const),
        (text, base) => {
          const line = hebrew(text);
          const order = visualOrder([...bidiLevels(line, base)]);
          expect([...order].sort((a, b) => a - b)).toEqual([...line].map((_, i) => i));
          if (base === 0 && /^[a1 .()$-]*$/.test(line)) expect(order).toEqual([...line].map((_, i) => i));
        },
      ),
    );
  });
});
