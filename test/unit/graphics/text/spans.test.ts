import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createTextSprites, type TextSprites } from '../../../../src/graphics/index.js';
import { splitParagraphs } from '../../../../src/graphics/text/prepare.js';
import { findLooks, remainingUnits } from '../../../../src/graphics/text/spans.js';
import type { SpanLook, TextElement, TextSpan, Typography } from '../../../../src/script/index.js';
import { largestDifference } from '../../../support/golden-image.js';
import { composePieces } from '../../../support/sprite-image.js';
import { black, makeTextElement, white } from '../../../support/typography.js';

const box = { width: 480, height: 200 };
const folder = mkdtempSync(join(tmpdir(), 'spans-'));
afterAll(() => rmSync(folder, { recursive: true }));
const drawer = createTextSprites({ folder });

const red = { r: 255, g: 0, b: 0, a: 255 };
const background = { color: red, radiusEm: 0.1, scale: 1 };

function draw(text: string, spans: TextSpan[], typography: Partial<Typography> = {}, more: Partial<TextElement> = {}): Promise<TextSprites> {
  return drawer.drawText({ ...makeTextElement(text, { fontSize: 40, ...typography }), ...(spans.length === 0 ? {} : { spans }), ...more }, box);
}

function part(text: string, words: string, look: SpanLook): TextSpan {
  const start = text.indexOf(words);
  return { start, end: start + words.length, look };
}

describe('looks', () => {
  const looksOf = (text: string, words: string, transform: Typography['textTransform'] = 'none') => {
    const split = (whole: string) => splitParagraphs(whole, transform, 'de');
    const { units } = findLooks(text, [part(text, words, { color: red })], split);
    const paragraphs = split(text);
    return paragraphs.map((paragraph, i) => [...paragraph].filter((_, at) => units[i]?.[at] === 1).join(''));
  };

  test.each([
    ['a bc d', 'bc', 'none', ['bc']],
    ['  a \t  bc  ', 'bc', 'none', ['bc']],
    ['a  b', '  b', 'none', [' b']],
    ['one\ntwo  three\n', 'two', 'none', ['', 'two']],
    ['one\ntwo', 'ne\ntw', 'none', ['ne', 'tw']],
    ['Straße groß weiß', 'groß', 'uppercase', ['GROSS']],
    ['hello world', 'ello', 'capitalize', ['ello']],
    ['e\u0301a', 'a', 'none', ['a']],
  ] as const)('of %j stay with %j', (text, words, transform, expected) => {
    expect(looksOf(text, words, transform)).toEqual(expected);
  });

  test('stay where characters are removed', () => {
    expect([...remainingUnits('a\u0378 b c', 'a b c', Uint8Array.from([0, 0, 0, 1, 0, 2]))]).toEqual([0, 0, 1, 0, 2]);
  });
});

describe('parts of a text', () => {
  test.each([
    ['a word', 'one two three', 'two'],
    ['kerned letters', 'AVATAR To.', 'VAT'],
    ['spaced letters', 'Spaced', 'pac'],
    ['Arabic letters within a word', '\u0645\u0631\u062d\u0628\u0627', '\u062d\u0628'],
    ['Arabic letters with marks', '\u0645\u064e\u0643\u0652\u062a\u064e\u0628', '\u062a\u064e'],
    ['Hebrew letters', '\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd', '\u05dc\u05d5'],
  ])('in the text colour look like the text: %s', async (name, text, words) => {
    const typography = name === 'spaced letters' ? { letterSpacing: 6 } : {};
    const plain = await draw(text, [], typography);
    const marked = await draw(text, [part(text, words, { color: white })], typography);
    expect(marked.width).toBe(plain.width);
    // Letters may overlap where they are joined.
    const tolerance = name.startsWith('Arabic') ? 160 : 40;
    expect(largestDifference(composePieces(plain.pieces, box), composePieces(marked.pieces, box))).toBeLessThanOrEqual(tolerance);
  });

  test('of another size make their line higher', async () => {
    const text = 'small BIG small';
    const lines = async (look: SpanLook) => (await draw(`${text}\nnext`, [part(text, 'BIG', look)], {}, { animate: { in: fade('line') } })).pieces;
    const heights = async (look: SpanLook) => (await lines(look)).filter(({ role }) => role === 'line').map(({ cell }) => cell?.height);
    expect(await heights({ color: red })).toEqual([48, 48]);
    const [first, second] = await heights({ scale: 2 });
    expect(first).toBeGreaterThan(80);
    expect(second).toBe(48);
    expect((await draw(text, [part(text, 'BIG', { scale: 2 })])).height).toBeGreaterThan(80);
  });

  test('count for the automatic size', async () => {
    const text = 'one two';
    const { fontSize } = await draw(text, [], { fit: {} });
    const { fontSize: smaller, height } = await draw(text, [part(text, 'two', { scale: 2 })], { fit: {} });
    expect(smaller).toBeLessThan(fontSize);
    expect(height).toBeLessThanOrEqual(box.height);
  });

  test.each([
    ['colours', {}],
    ['with a shadow', { shadows: [{ x: 3, y: 3, blur: 0, color: black }] }],
    ['with a stroke', { stroke: { width: 3, color: black } }],
  ])('move letter by letter and rest as the block: %s', async (_, typography) => {
    const text = 'Save 50% on all of it';
    const spans = [
      part(text, '50%', { background, color: black }),
      part(text, 'on all', { color: red, scale: 1.3, textDecoration: { underline: true, lineThrough: false, overline: false } }),
    ];
    const block = composePieces((await draw(text, spans, typography)).pieces, box);
    for (const by of ['letter', 'word', 'line'] as const) {
      const { pieces } = await draw(text, spans, typography, { animate: { in: fade(by) } });
      const moving = pieces.filter(({ role }) => role !== 'block');
      expect(largestDifference(block, composePieces(moving, box))).toBeLessThanOrEqual(by === 'letter' ? 30 : 3);
    }
  });

  test('are drawn once for equal looks and anew for others', async () => {
    const text = 'one two';
    const paths = async (look: SpanLook) => (await draw(text, [part(text, 'two', look)])).pieces.map(({ path }) => path);
    expect(await paths({ color: red })).toEqual(await paths({ color: red }));
    expect(await paths({ color: red })).not.toEqual(await paths({ color: black }));
  });

  test('warn about a font that is not installed', async () => {
    const text = 'one two';
    expect((await draw(text, [part(text, 'two', { fontFamilies: ['Nowhere Sans'] })])).warnings).toEqual([expect.stringContaining('Nowhere Sans')]);
  });
});

function fade(by: 'letter' | 'word' | 'line'): NonNullable<NonNullable<TextElement['animate']>['in']> {
  return { type: 'fade', by } as NonNullable<NonNullable<TextElement['animate']>['in']>;
}

describe('automatic hyphens', () => {
  const word = 'Nachhaltigkeitsberichte';

  test('break words of a language with a dictionary, and looks stay with their letters', async () => {
    const typography = { blockWidth: 300, hyphens: 'auto', lang: 'de' } as const;
    const lineCount = async (changes: Partial<Typography>) => {
      const { pieces, warnings } = await draw(
        `Die ${word}`,
        [part(`Die ${word}`, 'berichte', { color: red })],
        { ...typography, ...changes },
        { style: '009' },
      );
      expect(warnings).toEqual([]);
      return pieces.filter(({ role }) => role === 'letter').map(({ cell }) => cell?.y);
    };
    expect(new Set(await lineCount({})).size).toBe(2);
    expect(await lineCount({})).toHaveLength(3 + word.length + 1);
    expect(new Set(await lineCount({ blockWidth: 1000 })).size).toBe(1);
  });

  test.each([
    [{ lang: 'ru' }, 'hyphens: auto has no dictionary for lang "ru"; words are broken at soft hyphens alone. There are dictionaries for af, as, be,'],
    [{}, 'hyphens: auto needs lang, the language of the text; words are broken at soft hyphens alone. There are dictionaries for af,'],
  ])('are not possible with %j', async (changes, warning) => {
    const { warnings } = await draw(word, [], { hyphens: 'auto', ...changes });
    expect(warnings).toEqual([expect.stringContaining(warning)]);
  });

  test('do not break words with none', async () => {
    const text = 'Nach\u00adhaltigkeit';
    const linesOf = async (hyphens: 'none' | undefined) => {
      const { pieces } = await draw(
        text,
        [part(text, 'haltig', { color: red })],
        { blockWidth: 200, ...(hyphens && { hyphens }) },
        { animate: { in: fade('line') } },
      );
      return pieces.filter(({ role }) => role === 'line').map(({ cell }) => cell?.width ?? 0);
    };
    const [broken, filled] = [await linesOf(undefined), await linesOf('none')];
    expect(broken[0]).toBeLessThan(150);
    expect(filled[0]).toBeGreaterThan(150);
  });

  test('keep looks where hyphens are inserted', () => {
    expect([...remainingUnits('abcd', 'ab\u00adcd', Uint8Array.from([0, 1, 1, 2]))]).toEqual([0, 1, 1, 1, 2]);
    expect([...remainingUnits('a\u00adb', 'a\u00adb', Uint8Array.from([0, 1, 2]))]).toEqual([0, 1, 2]);
  });
});
