import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TextSprites } from '../../../../../src/graphics/index.js';
import { createTextSprites } from '../../../../../src/graphics/index.js';
import type { TextStyle, Typography } from '../../../../../src/script/index.js';
import { black, makeTextElement } from '../../../../support/typography.js';

const box = { width: 300, height: 120 };
let folder: string;
let draw: (text: string, typography?: Partial<Typography>, style?: TextStyle) => Promise<TextSprites>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fit-'));
  const drawer = createTextSprites({ folder });
  draw = (text, typography, style) => drawer.drawText(makeTextElement(text, typography, style), box);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a size that fits', () => {
  test.each([
    ['a short word, as high as the box', 'Hi'],
    ['a long word, as wide as the box', 'Incomprehensibilities'],
    ['several lines', 'A sentence of some length that has to be wrapped to fit'],
  ])('is the largest: %s', async (_, text) => {
    const { fontSize, width, height, warnings } = await draw(text, { fit: {} });
    expect(warnings).toEqual([]);
    expect(width).toBeLessThanOrEqual(box.width);
    expect(height).toBeLessThanOrEqual(box.height);
    const larger = await draw(text, { fontSize: fontSize + 1, keepLongWords: true });
    expect(larger.height > box.height || larger.pieces.some(({ width: ink }) => ink > box.width - 4)).toBe(true);
  });

  test('leaves room for padding, margins and the lines of style 008', async () => {
    const plain = (await draw('Hi', { fit: {} })).fontSize;
    const side = { top: 20, right: 20, bottom: 20, left: 20 };
    const padded = await draw('Hi', { fit: {}, padding: side });
    expect(padded.fontSize).toBe((await draw('Hi', { fit: {}, margin: side })).fontSize);
    expect(padded.fontSize).toBeLessThan(plain);
    const { pieces } = await draw('Hi', { fit: {} }, '008');
    expect(Math.min(...pieces.map(({ y }) => y))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...pieces.map(({ y, height }) => y + height))).toBeLessThanOrEqual(box.height);
  });

  test('takes letter spacing in em along', async () => {
    const spaced = await draw('Spacing', { fit: { letterSpacingEm: 0.5 }, letterSpacing: 12 });
    const fixed = await draw('Spacing', { fit: {}, letterSpacing: 12 });
    expect(spaced.fontSize).toBeLessThan(fixed.fontSize);
  });

  test('is at least 8 pixels, with a warning where that is too large', async () => {
    const { fontSize, warnings } = await draw('word '.repeat(900), { fit: {} });
    expect(fontSize).toBe(8);
    expect(warnings[0]).toBe('the text does not fit its box even at the smallest font size, 8 pixels');
  });
});

describe('a block', () => {
  const background = { backgroundColor: black };

  test('stands within its margins', async () => {
    const look = { ...background, horizontalPosition: 'left', verticalPosition: 'bottom', margin: { top: 0, right: 0, bottom: 10, left: 30 } } as const;
    const { pieces, height } = await draw('Hi', look);
    expect([pieces[0]?.x, pieces[0]?.y]).toEqual([30, box.height - 10 - height]);
  });

  test('of a given width wraps at it and is as wide', async () => {
    const narrow = await draw('Several words in a block', { ...background, blockWidth: 120 });
    const wide = await draw('Hi', { ...background, blockWidth: 200 });
    expect([narrow.width, wide.width]).toEqual([120, 200]);
    expect(narrow.height).toBeGreaterThan(2 * 24);
    expect(wide.pieces[0]?.width).toBe(200);
  });

  test('breaks within words where asked to', async () => {
    const text = 'aaa bbbbbbbbbbbb cccccccc';
    const heights = await Promise.all([{}, { wordBreak: 'break-all' as const }].map(async (look) => (await draw(text, { ...look, blockWidth: 130 })).height));
    expect(heights[1]).toBeLessThan(heights[0] as number);
    const japanese = '\u4eca\u65e5\u306f\u6674\u308c \u3067\u3059\u306d';
    const lines = await Promise.all(
      [{}, { wordBreak: 'keep-all' as const, keepLongWords: true }].map(async (look) => (await draw(japanese, { ...look, blockWidth: 60 })).height / 28.8),
    );
    expect(lines.map(Math.round)).toEqual([4, 2]);
  });

  test('lets long words stick out where asked to', async () => {
    const cut = await draw('Incomprehensibilities', { blockWidth: 80 });
    const unbroken = await draw('Incomprehensibilities', { blockWidth: 80, keepLongWords: true });
    expect(unbroken.height).toBeLessThan(cut.height);
    expect(unbroken.pieces[0]?.width).toBeGreaterThan(150);
  });
});
