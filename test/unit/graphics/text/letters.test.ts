import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TextSprites } from '../../../../src/graphics/index.js';
import { createTextSprites } from '../../../../src/graphics/index.js';
import type { TextStyle, Typography } from '../../../../src/script/index.js';
import { largestDifference } from '../../../support/golden-image.js';
import { composePieces } from '../../../support/sprite-image.js';
import { black, makeTextElement } from '../../../support/typography.js';

const box = { width: 480, height: 200 };
let folder: string;
let draw: (text: string, typography?: Partial<Typography>, style?: TextStyle) => Promise<TextSprites>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'letters-'));
  const drawer = createTextSprites({ folder });
  draw = (text, typography, style = '009') => drawer.drawText(makeTextElement(text, typography, style), box);
});
afterAll(() => rmSync(folder, { recursive: true }));

const looks: Array<[string, number, string, Partial<Typography>]> = [
  ['kerned Inter', 14, 'AVATAR To. Wavey', { fontSize: 40 }],
  ['Roboto in two lines', 30, 'One two three four\nfive, (six) seven!', { fontFamilies: ['Roboto'], fontSize: 34 }],
  ['Anton, spaced', 9, 'Hey Friday', { fontFamilies: ['Anton'], fontSize: 50, letterSpacing: 11 }],
  ['with a shadow over its neighbours', 9, 'Shadowing', { fontSize: 44, shadows: [{ x: -3, y: 2, blur: 0, color: { r: 33, g: 33, b: 33, a: 255 } }] }],
  ['with strokes that overlap', 7, 'Stroked', { fontSize: 60, stroke: { width: 6, color: black } }],
  ['underlined', 12, 'gypsy jig quay', { fontSize: 40, textDecoration: { underline: true, lineThrough: false, overline: false } }],
  ['on a background', 2, 'Hi', { backgroundColor: { r: 9, g: 9, b: 90, a: 200 }, borderRadius: 8 }],
  ['Hebrew with Latin and figures', 16, '\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd (abc) 25!', { fontSize: 36 }],
  ['combining marks', 4, 'e\u0301 \u1ea4\u0328 n\u0303 Z\u030c', { fontSize: 50 }],
  ['Japanese', 7, '\u4eca\u65e5\u306f\u6674\u308c\u3067\u3059', { fontSize: 40 }],
  ['emoji', 3, 'a\u{1f469}\u{1f3fd}b', { fontSize: 40 }],
];

describe('letters', () => {
  test.each(looks)('at rest give the image of the block: %s', async (_, count, text, typography) => {
    const block = composePieces((await draw(text, typography, '001')).pieces, box);
    const { pieces } = await draw(text, typography);
    const letters = pieces.filter(({ role }) => role === 'letter' || role === 'background');
    expect(new Set(letters.filter(({ role }) => role === 'letter').map(({ index }) => index)).size).toBe(count);
    expect(largestDifference(block, composePieces(letters, box))).toBeLessThanOrEqual(2);
    // What stands in for them once they have come to rest is the block itself.
    const resting = pieces.filter(({ role }) => role === 'block' || role === 'background');
    expect(largestDifference(block, composePieces(resting, box))).toBeLessThanOrEqual(1);
  });

  test.each<[string, string, number, Partial<Typography>]>([
    ['ligatures', 'affine fjord', 8, { fontFamilies: ['Playfair Display'], fontSize: 40 }],
    ['Arabic words', '\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645', 2, { fontSize: 40 }],
    ['Devanagari conjuncts', '\u0928\u092e\u0938\u094d\u0924\u0947 \u0926\u0941\u0928\u093f\u092f\u093e', 6, { fontSize: 40 }],
    ['emoji of several characters', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u{1f44d}\u{1f3fd}x', 3, { fontSize: 40 }],
  ])('that the font joins stay together: %s', async (_, text, count, typography) => {
    const block = composePieces((await draw(text, typography, '001')).pieces, box);
    const letters = (await draw(text, typography)).pieces.filter(({ role }) => role === 'letter');
    expect(letters).toHaveLength(count);
    expect(largestDifference(block, composePieces(letters, box))).toBeLessThanOrEqual(2);
  });

  test('lie above the shadows and strokes of all others', async () => {
    const { pieces } = await draw('ab', { shadows: [{ x: 1, y: 1, blur: 3, color: black }], stroke: { width: 1, color: black } });
    expect(pieces.map(({ role, index }) => `${role} ${index}`)).toEqual([...Array(3).fill(['letter 0', 'letter 1']).flat(), 'block 0']);
  });

  test('come in reading order, right-to-left ones from the right', async () => {
    const { pieces } = await draw('\u05d0\u05d1\u05d2');
    const [first, second, third] = pieces.map(({ cell }) => cell?.x) as [number, number, number];
    expect(first).toBeGreaterThan(second);
    expect(second).toBeGreaterThan(third);
  });

  test('that are too many move word by word, with a warning', async () => {
    const { pieces, warnings } = await draw('ab '.repeat(1001), { fontSize: 2 });
    expect(pieces.filter(({ role }) => role === 'word')).toHaveLength(1001);
    expect(warnings).toContain('the text has 2002 letters, but at most 2000 can move one by one; it moves word by word');
  }, 30_000);

  test('of style 008 stand between two lines as wide as the block', async () => {
    const { pieces, width } = await draw('Between', { fontSize: 40 }, '008');
    const rules = pieces.filter(({ role }) => role === 'rule');
    const letters = pieces.filter(({ role }) => role === 'letter');
    expect(rules.map((rule) => rule.width)).toEqual([width, width]);
    expect((rules[0]?.y ?? 0) + (rules[0]?.height ?? 0)).toBeLessThanOrEqual(Math.min(...letters.map(({ y }) => y)));
    expect(rules[1]?.y).toBeGreaterThanOrEqual(Math.max(...letters.map(({ y, height }) => y + height)));
  });
});

describe('style 011', () => {
  test('has a background behind each line, as wide as the line', async () => {
    const look = { backgroundColor: { r: 0, g: 0, b: 0, a: 128 }, padding: { top: 4, right: 10, bottom: 4, left: 10 }, fontSize: 40 };
    const { pieces } = await draw('A line that is long\nshort', look, '011');
    expect(pieces.map(({ role }) => role)).toEqual(['block']);
    const image = composePieces(pieces, box);
    const alphas = (y: number) => Array.from({ length: box.width }, (_, x) => image.pixels[(y * box.width + x) * 4 + 3] ?? 0);
    const filled = (y: number) => alphas(y).filter((alpha) => alpha > 0).length;
    expect(filled(54)).toBeGreaterThan(filled(146) + 100);
    expect(filled(146)).toBeGreaterThan(60);
    // Where the backgrounds of two lines overlap they do not darken each other.
    expect(alphas(100)[240]).toBe(128);
  });
});
