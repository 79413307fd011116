import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterAll, expect, test } from 'vitest';
import type { TextElement, Typography } from '../../../src/movie/index.js';
import { createTextSprites } from '../../../src/sprites/index.js';
import type { Picture } from '../../support/sprite-picture.js';
import { composePieces, largestDifference } from '../../support/sprite-picture.js';
import { black, makeTextElement } from '../../support/typography.js';

const tolerance = 2;
const grey = 128;
const folder = mkdtempSync(join(tmpdir(), 'golden-text-'));
afterAll(() => rmSync(folder, { recursive: true }));
const drawer = createTextSprites({ folder });

const none = { underline: false, lineThrough: false, overline: false };
const cases: Array<[string, string, Partial<Typography>, TextElement['style']?]> = [
  ['wrapped-with-shadow', 'Sphinx of black quartz, judge my vow', { shadows: [{ x: 2, y: 2, blur: 2, color: { r: 33, g: 33, b: 33, a: 128 } }] }],
  ['stroke', 'Outline & fill', { fontFamilies: ['Anton'], fontSize: 44, stroke: { width: 4, color: black } }],
  [
    'glow-under-hard-shadow',
    'Glow',
    {
      fontSize: 60,
      fontWeight: 800,
      shadows: [
        { x: 4, y: 4, blur: 0, color: black },
        { x: 0, y: 0, blur: 16, color: { r: 0, g: 255, b: 255, a: 255 } },
      ],
    },
  ],
  ['decorations', 'gypsy jig\nstruck out', { textDecoration: { underline: true, lineThrough: true, overline: true }, fontSize: 30, lineHeight: 1.6 }],
  [
    'rounded-background',
    'Lower third',
    {
      backgroundColor: { r: 20, g: 40, b: 120, a: 220 },
      padding: { top: 10, right: 24, bottom: 10, left: 24 },
      borderRadius: 18,
      verticalPosition: 'bottom',
      horizontalPosition: 'left',
    },
  ],
  [
    'justified-serif-italic',
    'affine office fjord: every line but the last one reaches both of the edges',
    { fontFamilies: ['Playfair Display'], fontStyle: 'italic', fontSize: 20, textAlign: 'justify' },
  ],
  ['greek-cyrillic-vietnamese', 'Ελλάδα Привет\nViệt Nam żółć', { fontFamilies: ['Roboto'], fontWeight: 700, textAlign: 'right' }],
  [
    'words-letter-spaced',
    'one by one',
    { letterSpacing: 8, textTransform: 'uppercase', fontFamilies: ['Montserrat'], textDecoration: { ...none, underline: true } },
    '003',
  ],
];

function toPng({ width, height, pixels }: Picture): Buffer {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const image = context.createImageData(width, height);
  image.data.set(pixels);
  context.putImageData(image, 0, 0);
  return canvas.toBuffer('image/png');
}

async function readPng(path: string): Promise<Picture> {
  const image = await loadImage(readFileSync(path));
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  return { width: image.width, height: image.height, pixels: context.getImageData(0, 0, image.width, image.height).data };
}

function explain(name: string, actual: Picture, golden: Picture): string {
  const base = join(tmpdir(), `golden-text-${name}`);
  const pixels = actual.pixels.map((value, i) => (i % 4 === 3 ? 255 : Math.min(255, Math.abs(value - (golden.pixels[i] ?? 0)) * 8)));
  writeFileSync(`${base}-actual.png`, toPng(actual));
  writeFileSync(`${base}-difference.png`, toPng({ ...actual, pixels }));
  return `see ${base}-actual.png and ${base}-difference.png (eight times as strong)`;
}

test.each(cases)('%s', async (name, text, typography, style) => {
  const box = { width: 300, height: 120 };
  const { pieces, warnings } = await drawer.drawText(makeTextElement(text, typography, style), box);
  expect(warnings).toEqual([]);
  const actual = composePieces(pieces, box, grey);
  const path = new URL(`${name}.png`, import.meta.url).pathname;
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(path, toPng(actual));
  expect(existsSync(path), `${name}.png is missing`).toBe(true);
  expect(statSync(path).size).toBeLessThan(30_000);
  const golden = await readPng(path);
  const difference = largestDifference(actual, golden);
  expect(difference, difference > tolerance ? explain(name, actual, golden) : '').toBeLessThanOrEqual(tolerance);
});
