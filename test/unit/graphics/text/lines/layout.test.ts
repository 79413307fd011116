import { describe, expect, test } from 'vitest';
import type { LayoutInput } from '../../../../../src/graphics/text/lines/layout.js';
import { fitsWithin, layoutText } from '../../../../../src/graphics/text/lines/layout.js';
import { LineWidths, lineWidth, prepareParagraphs, splitRuns } from '../../../../../src/graphics/text/lines/paragraph.js';

/** Every UTF-16 unit is 10 pixels wide, joiners none: the arithmetic is then visible in the test. */
const measure: LayoutInput['measure'] = (text) => text.replaceAll('\u200d', '').length * 10;

function setText(text: string, maxWidth: number, typography: Partial<LayoutInput['typography']> = {}): LayoutInput {
  return {
    paragraphs: prepareParagraphs({ paragraphs: text.split('\n'), typography: {}, lang: 'en' }),
    typography: { fontSize: 20, lineHeight: 1.5, letterSpacing: 0, textAlign: 'left', ...typography },
    ascent: 16,
    descent: 4,
    maxWidth,
    lang: 'en',
    measure,
  };
}

function layoutOf(...args: Parameters<typeof setText>) {
  return layoutText(setText(...args));
}

/** What was measured meanwhile: how often, and how many units in all. */
function counted(input: LayoutInput): { input: LayoutInput; work: { calls: number; units: number } } {
  const work = { calls: 0, units: 0 };
  const counting: LayoutInput['measure'] = (text, ...rest) => {
    work.calls += 1;
    work.units += text.length;
    return measure(text, ...rest);
  };
  return { input: { ...input, measure: counting }, work };
}

function lines(text: string, maxWidth: number): string[] {
  const found: string[] = [];
  for (const { line, text: run } of layoutOf(text, maxWidth).fragments) found[line] = (found[line] ?? '') + run;
  return found;
}

describe('lines', () => {
  test('are filled greedily and end without spaces', () => {
    expect(lines('one two three four', 90)).toEqual(['one two', 'three', 'four']);
  });

  test('follow explicit newlines, also empty ones', () => {
    const layout = layoutOf('a\n\nb', 100);
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
    const text = 'x'.repeat(20_000);
    const { input, work } = counted(setText(text, 1000));
    const { lineCount, fragments } = layoutText(input);
    expect([lineCount, fragments.map((fragment) => fragment.text).join('')]).toEqual([200, text]);
    expect(work.units).toBeLessThan(text.length * 20);
  });

  test.each([
    ['letters between which each line may end', '\u6f22'.repeat(9900)],
    ['short words', 'a \u05d0 '.repeat(2500)],
  ])('measure each run a few times, however many fit on one: %s', (_, text) => {
    const { input, work } = counted(setText(text, 2000));
    expect(layoutText(input).lineCount).toBe(50);
    expect(work.units).toBeLessThan(text.length * 4);
  });

  test('are not measured beyond those that fit', () => {
    const text = 'word '.repeat(2000);
    const { input, work } = counted(setText(text, 200));
    expect([3, 499, 500].map((lines) => fitsWithin(input, { lines, height: Number.POSITIVE_INFINITY }))).toEqual([false, false, true]);
    work.calls = 0;
    expect(fitsWithin(input, { lines: 3, height: Number.POSITIVE_INFINITY })).toBe(false);
    expect(work.calls).toBeLessThan(100);
  });

  const looks: Partial<LayoutInput['typography']>[] = [
    {},
    { maxLines: 2 },
    { keepLongWords: true },
    { textIndent: 30 },
    { letterSpacing: -4 },
    { noWrap: true },
  ];

  test.each(['one two three four', 'a b\nIncomprehensibilities\n\nc', 'auto\u00admobile \u05d0\u05d1 12 \u6f22\u5b57', ''])(
    'fit where their layout says so: %j',
    (text) => {
      for (let width = 5; width < 250; width += 7) {
        for (const typography of looks) {
          const { height, hasOverflow: crowded } = layoutOf(text, width, typography);
          const fits = [0, 30, 60, 90, 120].map((room) => fitsWithin(setText(text, width, typography), { height: room, lines: 99 }));
          expect(fits).toEqual([0, 30, 60, 90, 120].map((room) => height <= room && !crowded));
        }
      }
    },
  );

  test('are as wide as their runs, wherever they begin and end', () => {
    const [paragraph] = prepareParagraphs({ paragraphs: ['a \u05d0\u05d1! 12 auto\u00admobile \u0628\u0628 \u6f22\u5b57  end'], typography: {}, lang: 'en' });
    if (paragraph === undefined) throw new Error('no paragraph');
    const { length } = paragraph.text;
    for (const spacing of [0, 3, -2]) {
      const widths = new LineWidths(paragraph, measure, spacing);
      for (let start = 0; start < length; start++) {
        for (let end = start; end <= length; end++) expect(widths.of(start, end)).toBe(lineWidth(splitRuns(paragraph, start, end, measure), spacing));
      }
    }
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
    const { fragments } = layoutOf('abcd\nxy', 100, { textAlign });
    expect(fragments.map(({ x }) => x)).toEqual(starts);
  });

  test('justified lines reach both edges, the last one does not', () => {
    const { fragments, width } = layoutOf('aa bb cc dd', 95, { textAlign: 'justify' });
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
    const { fragments } = layoutOf('a\nb\nc', 100, { lineHeight: 1.33 });
    // (26.6 - 20) / 2 + 16 = 19.3, then every 26.6
    expect(fragments.map(({ baseline }) => baseline)).toEqual([19, 46, 73]);
  });

  test('letter spacing after the last letter does not push a line off its middle', () => {
    const { width, fragments } = layoutOf('abcd', 100, { letterSpacing: 4 });
    expect([width, fragments[0]?.width]).toEqual([36, 36]);
  });

  test('right-to-left words run from the right, and left-to-right words inside keep their order', () => {
    const { fragments } = layoutOf('\u05d0\u05d1 \u05d2\u05d3 one two', 500);
    const ink = fragments.filter(({ blank }) => !blank).map(({ text, x, word, rightToLeft }) => [text, x, word, rightToLeft]);
    expect(ink).toEqual([
      ['one', 0, 2, false],
      ['two', 40, 3, false],
      ['\u05d2\u05d3', 80, 1, true],
      ['\u05d0\u05d1', 110, 0, true],
    ]);
  });

  test('a word with two directions is two runs of one word', () => {
    const { fragments } = layoutOf('a \u05d0\u05d1!', 500);
    expect(fragments.filter(({ word }) => word === 1).map(({ text }) => text)).toEqual(['\u05d0\u05d1', '!']);
  });
});

describe('balanced lines', () => {
  const words = 'aaaa bbb cc dddd eee f';

  function broken(text: string, maxWidth: number, typography: Partial<LayoutInput['typography']>): string[] {
    const found: string[] = [];
    for (const { line, text: run } of layoutOf(text, maxWidth, typography).fragments) found[line] = (found[line] ?? '') + run;
    return found.map((line) => line.trim());
  }

  test('are as many as without balance, the widest as narrow as possible', () => {
    expect(broken(words, 170, {})).toEqual(['aaaa bbb cc dddd', 'eee f']);
    expect(broken(words, 170, { textWrap: 'balance' })).toEqual(['aaaa bbb cc', 'dddd eee f']);
  });

  test('are equal beyond what the widest one demands', () => {
    // Filling up to the narrowest width would leave one word for the last line.
    expect(broken('aaaaaaaa bb cc dd ee', 100, {})).toEqual(['aaaaaaaa', 'bb cc dd', 'ee']);
    expect(broken('aaaaaaaa bb cc dd ee', 100, { textWrap: 'balance' })).toEqual(['aaaaaaaa', 'bb cc', 'dd ee']);
  });

  test('are balanced in each paragraph alone', () => {
    expect(broken('one two three\nx y', 100, { textWrap: 'balance' })).toEqual(['one two', 'three', 'x y']);
  });

  test('stay as they are where a word is broken or the text is truncated', () => {
    expect(broken('abcdefghijkl mno', 100, { textWrap: 'balance' })).toEqual(['abcdefghij', 'kl mno']);
    expect(broken('aaaa bbb cc dddd eee f', 90, { textWrap: 'balance', maxLines: 2 })).toEqual(broken('aaaa bbb cc dddd eee f', 90, { maxLines: 2 }));
  });

  test('end at soft hyphens and within words only if they must', () => {
    expect(broken('aaaa bbb\u00adcc dddd', 110, { textWrap: 'balance' })).toEqual(['aaaa bbbcc', 'dddd']);
    expect(broken('aaaa well-known bbb', 140, { textWrap: 'balance' })).toEqual(['aaaa', 'well-known bbb']);
    expect(broken('aaaa bbb\u00adcccc dd', 90, { textWrap: 'balance' })).toEqual(['aaaa bbb-', 'cccc dd']);
  });

  test('where words must be broken have few hyphens', () => {
    const text = 'aa\u00adaaaa bb\u00adbb cccc\u00adccc\u00adcccc';
    expect(broken(text, 100, {})).toEqual(['aaaaaa bb-', 'bb cccc-', 'ccccccc']);
    expect(broken(text, 100, { textWrap: 'balance' })).toEqual(['aaaaaa', 'bbbb cccc-', 'ccccccc']);
  });

  test.each([
    ['zh', '让每一个普通的日子都变成值得记住的旅程', 90, ['让每一个普通的', '日子都变成值得', '记住的旅程']],
    ['ja', '新しい季節に向けて、あなたの毎日を軽やかにする', 130, ['新しい季節に向けて、', 'あなたの毎日を軽やかにする']],
  ])('end between words and after particles in %s', (lang, text, width, expected) => {
    const input = setText(text, width, { textWrap: 'balance' });
    const { fragments } = layoutText({ ...input, lang, paragraphs: prepareParagraphs({ paragraphs: [text], typography: {}, lang }) });
    const found: string[] = [];
    for (const { line, text: run } of fragments) found[line] = (found[line] ?? '') + run;
    expect(found).toEqual(expected);
  });

  test('count the indentation of the first line', () => {
    expect(broken('aa bb cc dd', 100, { textWrap: 'balance', textIndent: 50 })).toEqual(['aa', 'bb cc dd']);
  });

  test('break a right-to-left text in reading order', () => {
    const layout = layoutOf('אאאא בבב גג דדדד הה', 150, { textWrap: 'balance' });
    const first = layout.fragments.filter(({ line, blank }) => line === 0 && !blank).sort((a, b) => b.x - a.x);
    expect(first.map(({ text }) => text)).toEqual(['אאאא', 'בבב']);
  });

  test.each([
    ['center', 'center', 110],
    ['left', 'left', 110],
    ['left', 'center', 170],
  ] as const)('aligned %s in a block placed %s make the block %s wide', (textAlign, horizontalPosition, width) => {
    expect(layoutOf(words, 170, { textWrap: 'balance', textAlign, horizontalPosition }).width).toBeCloseTo(width);
  });

  test('fit like the greedy ones', () => {
    expect(fitsWithin(setText(words, 170, { textWrap: 'balance' }), { height: 60, lines: 2 })).toBe(true);
  });
});

describe('pretty lines', () => {
  function last(text: string, maxWidth: number): string[] {
    const found: string[] = [];
    for (const { line, text: run } of layoutOf(text, maxWidth, { textWrap: 'pretty' }).fragments) found[line] = (found[line] ?? '') + run;
    return found.map((line) => line.trim());
  }

  test('leave no very short last line', () => {
    expect(lines('aaaa bbbb cccc dddd e', 200)).toEqual(['aaaa bbbb cccc dddd', 'e']);
    expect(last('aaaa bbbb cccc dddd e', 200)).toEqual(['aaaa bbbb cccc', 'dddd e']);
  });

  test('are as before where the last line is long enough', () => {
    expect(last('aaaa bbbb cccc dddd eeee', 150)).toEqual(lines('aaaa bbbb cccc dddd eeee', 150).map((line) => line.trim()));
  });

  test('differ in the last four alone', () => {
    const text = `${'aaaa bbb cc dddd '.repeat(6)}e`;
    const [before, after] = [lines(text, 170).map((line) => line.trim()), last(text, 170)];
    expect(after).toHaveLength(before.length);
    expect(after.slice(0, -4)).toEqual(before.slice(0, -4));
    expect(after.at(-1)?.length).toBeGreaterThan(5);
  });
});
