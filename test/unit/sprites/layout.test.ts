import { describe, expect, test } from 'vitest';
import type { LayoutInput } from '../../../src/sprites/text/layout.js';
import { layOutText } from '../../../src/sprites/text/layout.js';

/** Every UTF-16 unit is 10 pixels wide, joiners none: the arithmetic is then visible in the test. */
const measure: LayoutInput['measure'] = (text) => text.replaceAll('\u200d', '').length * 10;

function layOut(text: string, maxWidth: number, typography: Partial<LayoutInput['typography']> = {}) {
  return layOutText({
    paragraphs: text.split('\n'),
    typography: { fontSize: 20, lineHeight: 1.5, letterSpacing: 0, textAlign: 'left', ...typography },
    ascent: 16,
    descent: 4,
    maxWidth,
    lang: 'en',
    measure,
  });
}

function lines(text: string, maxWidth: number): string[] {
  const found: string[] = [];
  for (const { line, text: run } of layOut(text, maxWidth).fragments) found[line] = (found[line] ?? '') + run;
  return found;
}

describe('lines', () => {
  test('are filled greedily and end without spaces', () => {
    expect(lines('one two three four', 90)).toEqual(['one two', 'three', 'four']);
  });

  test('follow explicit newlines, also empty ones', () => {
    const layout = layOut('a\n\nb', 100);
    expect(layout.fragments.map(({ text, line }) => [text, line])).toEqual([
      ['a', 0],
      ['b', 2],
    ]);
    expect(layout.height).toBe(90);
  });

  test('cut a word that is wider than a line, between graphemes, at least one a line', () => {
    expect(lines('abcdefgh', 30)).toEqual(['abc', 'def', 'gh']);
    expect(lines('ab', 1)).toEqual(['a', 'b']);
    expect(lines('xe\u0301e\u0301', 30)).toEqual(['xe\u0301', 'e\u0301']);
  });

  test('take a very long word in steps, not whole for every line', () => {
    let measured = 0;
    const text = 'x'.repeat(20_000);
    const { lineCount, fragments } = layOutText({
      paragraphs: [text],
      typography: { fontSize: 20, lineHeight: 1, letterSpacing: 0, textAlign: 'left' },
      ascent: 16,
      descent: 4,
      maxWidth: 1000,
      lang: 'en',
      measure: (run) => {
        measured += run.length;
        return run.length * 10;
      },
    });
    expect([lineCount, fragments.map((fragment) => fragment.text).join('')]).toEqual([200, text]);
    expect(measured).toBeLessThan(text.length * 20);
  });

  test('show a soft hyphen only where they break', () => {
    expect(lines('auto\u00admobile', 60)).toEqual(['auto-', 'mobile']);
    expect(lines('auto\u00admobile', 200)).toEqual(['automobile']);
  });

  test('keep Arabic letters joined where a word is cut', () => {
    expect(lines('\u0628\u0628\u0628\u0628', 20)).toEqual(['\u0628\u0628\u200d', '\u200d\u0628\u0628']);
  });
});

describe('positions', () => {
  test.each([
    ['left', [0, 0]],
    ['center', [0, 10]],
    ['right', [0, 20]],
  ] as const)('%s-aligned lines start at %j', (textAlign, starts) => {
    const { fragments } = layOut('abcd\nxy', 100, { textAlign });
    expect(fragments.map(({ x }) => x)).toEqual(starts);
  });

  test('justified lines reach both edges, the last one does not', () => {
    const { fragments, width } = layOut('aa bb cc dd', 95, { textAlign: 'justify' });
    expect(width).toBe(95);
    const ink = fragments.filter(({ blank }) => !blank).map(({ text, x }) => [text, x]);
    expect(ink).toEqual([
      ['aa', 0],
      ['bb', 37.5],
      ['cc', 75],
      ['dd', 0],
    ]);
  });

  test('baselines stand half a leading below the line top, a line height apart, on whole pixels', () => {
    const { fragments } = layOut('a\nb\nc', 100, { lineHeight: 1.33 });
    // (26.6 - 20) / 2 + 16 = 19.3, then every 26.6
    expect(fragments.map(({ baseline }) => baseline)).toEqual([19, 46, 73]);
  });

  test('letter spacing after the last letter does not push a line off its middle', () => {
    const { width, fragments } = layOut('abcd', 100, { letterSpacing: 4 });
    expect([width, fragments[0]?.width]).toEqual([36, 36]);
  });

  test('right-to-left words run from the right, and left-to-right words inside keep their order', () => {
    const { fragments } = layOut('\u05d0\u05d1 \u05d2\u05d3 one two', 500);
    const ink = fragments.filter(({ blank }) => !blank).map(({ text, x, word, rightToLeft }) => [text, x, word, rightToLeft]);
    expect(ink).toEqual([
      ['one', 0, 2, false],
      ['two', 40, 3, false],
      ['\u05d2\u05d3', 80, 1, true],
      ['\u05d0\u05d1', 110, 0, true],
    ]);
  });

  test('a word with two directions is two runs of one word', () => {
    const { fragments } = layOut('a \u05d0\u05d1!', 500);
    expect(fragments.filter(({ word }) => word === 1).map(({ text }) => text)).toEqual(['\u05d0\u05d1', '!']);
  });
});
