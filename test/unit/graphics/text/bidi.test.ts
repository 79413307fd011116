import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bidiLevels, paragraphLevel, visualOrder } from '../../../../src/graphics/text/bidi.js';

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
