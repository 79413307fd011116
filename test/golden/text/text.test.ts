import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createTextSprites } from '../../../src/graphics/index.js';
import type { Background, BoxLook, Color, TextElement, Typography } from '../../../src/script/index.js';
import { expectGolden } from '../../support/golden-image.js';
import { composePieces } from '../../support/sprite-image.js';
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

const color = (r: number, g: number, b: number) => ({ r, g, b, a: 255 });
const px = (length: number) => ({ px: length });
const square: BoxLook['radii'] = [px(0), px(0), px(0), px(0)];
const sides = <T>(value: T) => ({ top: value, right: value, bottom: value, left: value });
const noBorder: BoxLook['border'] = { widths: sides(0), colors: sides(black), styles: sides('solid') };
const gradient: Background = {
  color: undefined,
  layers: [
    {
      paint: { kind: 'linear', degrees: 90, toward: [0, 0], stops: [{ color: color(255, 215, 0) }, { color: color(208, 0, 111) }], repeats: false },
      size: 'stretch',
      x: px(0),
      y: px(0),
      repeatX: true,
      repeatY: true,
    },
  ],
};
cases.push(
  [
    'border-and-box-shadow',
    'Four sides',
    {
      padding: { top: 10, right: 20, bottom: 10, left: 26 },
      box: {
        background: gradient,
        border: {
          widths: { top: 2, right: 4, bottom: 6, left: 8 },
          colors: { top: black, right: color(255, 255, 255), bottom: color(20, 40, 120), left: color(0, 120, 90) },
          styles: { top: 'solid', right: 'dotted', bottom: 'double', left: 'dashed' },
        },
        radii: square,
        shadows: [{ x: 4, y: 8, blur: 10, spread: 2, color: black, inset: false }],
      },
    },
  ],
  ['rounded-border-with-outline', 'Rounded', { padding: sides(10), ...ringed() }],
  ['gradient-in-letters', 'Gradient', { fontSize: 56, color: { r: 0, g: 0, b: 0, a: 0 }, fill: gradient, shadows: [] }],
  [
    'decoration-wavy',
    'gypsy jig',
    { fontSize: 34, textDecoration: { ...none, underline: true }, decorationLook: { style: 'wavy', color: color(255, 80, 80), thickness: 2 } },
  ],
  [
    'decoration-dotted-and-dashed-through',
    'gypsy jig',
    {
      fontSize: 34,
      textDecoration: { underline: true, overline: false, lineThrough: true },
      decorationLook: { style: 'dotted', color: color(255, 215, 0), thickness: 3, underlineOffset: 8 },
    },
  ],
  ['two-lines-and-an-ellipsis', 'Sphinx of black quartz, judge my vow and my neighbours', { maxWidth: 180, maxLines: 2, textAlign: 'left' }],
  [
    'spaced-indented-small-capitals',
    'Words of an old book, set apart',
    { wordSpacing: 10, textIndent: 40, capitals: 'small-caps', textAlign: 'left', maxWidth: 240 },
  ],
  ['turned-and-stretched', 'Turned', { padding: sides(8), backgroundColor: color(160, 20, 40), transform: [1.2, -0.25, 0.25, 1, 0, 0] }],
  [
    'cut-off-in-a-low-block',
    'not wrapped and too long for it',
    { noWrap: true, blockWidth: 180, clips: true, minHeight: 60, linesPosition: 'center', backgroundColor: color(20, 40, 120) },
  ],
);

const sentence = 'A title in lines that are about equally wide';
cases.push(
  ['balanced', sentence, { textWrap: 'balance', fontWeight: 700, backgroundColor: color(20, 40, 120), padding: sides(8) }],
  ['balanced-right-in-small-capitals', sentence, { textWrap: 'balance', textAlign: 'right', capitals: 'small-caps', fontSize: 26, letterSpacing: 2 }],
  ['balanced-lines-on-backgrounds', sentence, { textWrap: 'balance', backgroundColor: black, padding: { top: 2, right: 8, bottom: 2, left: 8 } }, '011'],
  ['pretty', 'The last line of a paragraph is not left to one word of it', { textWrap: 'pretty', textAlign: 'left', fontFamilies: ['Source Serif 4'] }],
);

function ringed(): Partial<Typography> {
  const border = (width: number, of: Color): BoxLook['border'] => ({ widths: sides(width), colors: sides(of), styles: sides('solid') });
  const radii: BoxLook['radii'] = [px(14), px(14), px(14), px(14)];
  const none: Background = { color: undefined, layers: [] };
  return {
    box: { background: { color: color(20, 40, 120), layers: [] }, border: { ...noBorder, ...border(3, color(255, 255, 255)) }, radii, shadows: [] },
    outline: { offset: 7, look: { background: none, border: border(2, color(255, 215, 0)), radii: [px(21), px(21), px(21), px(21)], shadows: [] } },
  };
}

test.each(cases)('%s', async (name, text, typography, style) => {
  const box = { width: 300, height: 120 };
  const { pieces, warnings } = await drawer.drawText(makeTextElement(text, typography, style), box);
  expect(warnings).toEqual([]);
  const actual = composePieces(pieces, box, grey);
  await expectGolden(import.meta.url, name, actual, { tolerance, maxBytes: 30_000 });
});
