import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createTextSprites } from '../../../../src/graphics/index.js';
import { parseMovie, type TextElement } from '../../../../src/script/index.js';
import { statesOf } from '../../../../src/timeline/index.js';
import { readSprite } from '../../../support/sprite-image.js';

const folder = mkdtempSync(join(tmpdir(), 'varying-text-'));
afterAll(() => rmSync(folder, { recursive: true }));
const drawer = createTextSprites({ folder });
const box = { width: 640, height: 240 };
const frames = 60;

/** Centre of the ink of each state of a text, in pixels. */
async function centres(keyframes: object[], settings: object): Promise<Array<{ x: number; y: number }>> {
  const element = { type: 'text', text: 'Hamburg', ...box, settings: { 'text-shadow': 'none', 'font-size': 40, ...settings }, keyframes };
  const text = parseMovie({ width: 640, height: 240, scenes: [{ elements: [element] }] }).scenes[0]?.elements[0] as TextElement;
  const found: Array<{ x: number; y: number }> = [];
  for (const { element: state } of statesOf(text.varying as NonNullable<TextElement['varying']>, frames, 30)) {
    const { pieces } = await drawer.drawText(state, box, { isVarying: true });
    const [sums, weight] = [{ x: 0, y: 0 }, { sum: 0 }];
    for (const piece of pieces) {
      const { width, height, pixels } = readSprite(piece.path);
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
          const alpha = pixels[(y * width + x) * 4 + 3] as number;
          sums.x += alpha * (piece.x + x);
          sums.y += alpha * (piece.y + y);
          weight.sum += alpha;
        }
    }
    found.push({ x: sums.x / weight.sum, y: sums.y / weight.sum });
  }
  return found;
}

/** Greatest distance of a value from the middle between those before and after it. */
function jitter(values: readonly number[]): number {
  return Math.max(...values.slice(1, -1).map((value, i) => Math.abs(value - ((values[i] as number) + (values[i + 2] as number)) / 2)));
}

test.each([
  [
    'font size',
    [
      { time: 0, font_size: 40 },
      { time: 2, font_size: 52 },
    ],
    {},
  ],
  [
    'letter spacing',
    [
      { time: 0, letter_spacing: 0 },
      { time: 2, letter_spacing: 12 },
    ],
    {},
  ],
  [
    'padding above',
    [
      { time: 0, settings: { padding_top: 0 } },
      { time: 2, settings: { padding_top: 24 } },
    ],
    {},
  ],
])('a text changes its %s without jumping from pixel to pixel', async (_, keyframes, settings) => {
  const found = await centres(keyframes, settings);
  expect(found).toHaveLength(frames);
  // On quarters of pixels, as Skia places letters, they jump by 0.5 and more.
  expect(jitter(found.map(({ y }) => y))).toBeLessThan(0.25);
  expect(jitter(found.map(({ x }) => x))).toBeLessThan(0.25);
});
