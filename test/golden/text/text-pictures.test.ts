import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { TextElement, Typography } from '../../../src/movie/index.js';
import { createTextSprites } from '../../../src/sprites/index.js';
import { expectGolden } from '../../support/golden-picture.js';
import { composePieces } from '../../support/sprite-picture.js';
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

test.each(cases)('%s', async (name, text, typography, style) => {
  const box = { width: 300, height: 120 };
  const { pieces, warnings } = await drawer.drawText(makeTextElement(text, typography, style), box);
  expect(warnings).toEqual([]);
  const actual = composePieces(pieces, box, grey);
  await expectGolden(import.meta.url, name, actual, { tolerance, maxBytes: 30_000 });
});
