import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { breakLines } from '../../../../src/graphics/captions/break-lines.js';
import type { CaptionLook, CaptionWord } from '../../../../src/graphics/captions/caption.js';
import { drawCaptions } from '../../../../src/graphics/captions/draw-captions.js';
import { createFontCatalogue } from '../../../../src/graphics/index.js';
import { readSprite } from '../../../support/sprite-image.js';
import { black, white } from '../../../support/typography.js';

const folder = mkdtempSync(join(tmpdir(), 'captions-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fonts = createFontCatalogue();

const yellow = { r: 255, g: 255, b: 0, a: 255 };
const look: CaptionLook = {
  families: ['Inter'],
  fontSize: 40,
  fontWeight: 700,
  lineColor: white,
  speakerColors: [],
  wordColor: yellow,
  outline: { width: 0, color: black },
  shadow: { offset: 0, color: black },
  wordSpacing: 0,
  align: 'center',
  hasLargeWords: false,
  maxWidth: 400,
  maxWordsPerLine: 4,
};

const wordsOf = (text: string): CaptionWord[] => text.split(' ').map((word) => ({ text: word, glued: false, breakBefore: false, style: {} }));
const draw = async (words: readonly CaptionWord[], changes: Partial<CaptionLook> = {}, lang?: string) => {
  const { captions, warnings } = await drawCaptions({
    folder,
    fonts,
    path: 'elements.0',
    look: { ...look, ...changes },
    captions: [words],
    ...(lang && { lang }),
  });
  return { ...(captions[0] as NonNullable<(typeof captions)[0]>), warnings };
};

describe('lines', () => {
  const blocks = (widths: number[], breaks: number[] = []) => widths.map((width, i) => ({ width, space: 10, breakBefore: breaks.includes(i), counts: true }));

  test.each([
    ['all on one that has room', [50, 50, 50], [], { maxWidth: 170, maxWords: 4 }, [0]],
    ['as even as can be', [100, 40, 40, 40, 40], [], { maxWidth: 240, maxWords: 9 }, [0, 2]],
    ['no more words than asked', [10, 10, 10, 10, 10], [], { maxWidth: 999, maxWords: 4 }, [0, 2]],
    ["the author's where they fit", [10, 10, 10, 10], [1], { maxWidth: 999, maxWords: 4 }, [0, 1]],
    ["not the author's where they are too wide", [60, 60, 60, 10], [3], { maxWidth: 140, maxWords: 4 }, [0, 2]],
    ['one for a block too wide', [500, 20], [], { maxWidth: 140, maxWords: 4 }, [0, 1]],
  ])('%s', (_, widths, breaks, limits, expected) => {
    const starts = breakLines(blocks(widths, breaks), limits);
    expect(starts).toEqual(expected);
  });
});

describe('a caption', () => {
  test('has the same picture of a word lit and unlit, but for its colour', async () => {
    const { sprites } = await draw(wordsOf('Same place'));
    const [line, word] = (['line', 'word'] as const).map((layer) => sprites.find((sprite) => sprite.layer === layer && sprite.word === 1));
    expect([word?.x, word?.y, word?.width, word?.height]).toEqual([line?.x, line?.y, line?.width, line?.height]);
    const [unlit, lit] = [readSprite(line?.path as string), readSprite(word?.path as string)];
    for (let i = 0; i < unlit.pixels.length; i += 4) {
      expect(lit.pixels[i + 3]).toBe(unlit.pixels[i + 3]);
      expect(lit.pixels[i + 2]).toBe(0);
    }
  });

  test('lies on even pixels', async () => {
    const { sprites, width, height } = await draw(wordsOf('tick tock tick tock'), { outline: { width: 4, color: black } });
    for (const { x, y } of sprites) expect([x % 2, y % 2].map(Math.abs)).toEqual([0, 0]);
    expect([width % 2, height % 2]).toEqual([0, 0]);
  });

  test('shares the sprites of equal words', async () => {
    const once = await draw(wordsOf('tick tock'));
    const again = await draw(wordsOf('tick tock'));
    expect(again).toEqual(once);
  });

  test('has even spaces between its words, down to half a pixel', async () => {
    const { sprites } = await draw(wordsOf('nn nn nn nn nn nn nn'), { fontSize: 15, maxWordsPerLine: 7 });
    // Ink begins within its sprite where the first opaque column is.
    const left = sprites
      .filter(({ layer }) => layer === 'line')
      .map(({ x, path }) => {
        const { width, height, pixels } = readSprite(path);
        const columns = Array.from({ length: width }, (_, i) => Math.max(...Array.from({ length: height }, (_, y) => pixels[(y * width + i) * 4 + 3] ?? 0)));
        const first = columns.findIndex((alpha) => alpha > 0);
        // What the first column lacks of being covered lies to its left.
        return x + first + 1 - Math.min(1, (columns[first] ?? 0) / 255);
      });
    const steps = left.slice(1).map((x, i) => x - (left[i] ?? 0));
    expect(Math.max(...steps) - Math.min(...steps)).toBeLessThanOrEqual(1.2);
  });

  test('has shadows below outlines below letters', async () => {
    const { sprites } = await draw(wordsOf('a b'), { outline: { width: 4, color: black }, shadow: { offset: 3, color: black } });
    expect(sprites.map(({ layer }) => layer)).toEqual(['shadow', 'shadow', 'outline', 'outline', 'line', 'line', 'word', 'word']);
  });

  test('is never wider than its room', async () => {
    const { width, cells, height } = await draw(wordsOf('Donaudampfschifffahrtselektrizitätenhauptbetriebswerk ok'));
    expect(width).toBeLessThanOrEqual(402);
    expect(cells[0]?.length).toBeGreaterThan(1);
    expect(height).toBeGreaterThan(96);
  });

  test('reads from right to left where its language does', async () => {
    const { cells } = await draw(wordsOf('שלום עולם ABC DEF'), { maxWidth: 900 });
    const left = cells.map(([cell]) => cell?.x ?? 0);
    expect(left[0]).toBeGreaterThan(left[1] as number);
    // Latin words keep their own order.
    expect(left[1]).toBeGreaterThan(left[3] as number);
    expect(left[3]).toBeGreaterThan(left[2] as number);
  });

  test('says which characters and fonts are missing', async () => {
    const { warnings, sprites } = await draw(wordsOf('a \u{13ffe}b'), { families: ['No Such Font'] });
    expect(warnings.join('\n')).toMatch(/"No Such Font" is not installed.*\n.*no installed font can draw/);
    expect(sprites.filter(({ layer }) => layer === 'line')).toHaveLength(2);
  });
});
