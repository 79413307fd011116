import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createTextSprites } from '../../../src/graphics/index.js';
import { parseMovie, type TextElement } from '../../../src/script/index.js';
import { expectGolden } from '../../support/golden-image.js';
import { composePieces } from '../../support/sprite-image.js';

const folder = mkdtempSync(join(tmpdir(), 'golden-markup-'));
afterAll(() => rmSync(folder, { recursive: true }));
const drawer = createTextSprites({ folder });
const box = { width: 320, height: 140 };

const offer = 'Save <mark>up to 50%</mark> on <span style="color: #ffd166">everything</span> this <b><i>weekend</i></b>';
const price = 'From <span style="font-size: 2em; font-weight: 900; color: #ffd166">$49</span> a month, <s>was $99</s>';

const cases: Array<[name: string, text: string, more: object]> = [
  ['markup', offer, {}],
  ['markup-balanced-on-a-background', offer, { text_wrap: 'balance', background_color: '#14315c', padding: '6px 12px', border_radius: 8 }],
  ['markup-sizes-on-line-backgrounds', price, { style: '011', font_size: 24 }],
  ['markup-automatic-size', price, { font_size: 'auto' }],
  ['markup-stroke-and-shadow', price, { text_stroke: '2px #d0006f', text_shadow: '3px 3px 0 #000000', text_align: 'left' }],
  ['markup-long-background', 'A <span style="background: #e4572e; border-radius: 0.2em">long part on a background</span> that wraps', {}],
  ['markup-families', 'The art of <span style="font-family: Playfair Display; font-style: italic; font-size: 1.2em">slow</span> living', { font_size: 34 }],
  [
    'markup-lines',
    'A <u>gypsy</u> <span style="text-decoration: underline wavy #ff7a59; font-size: 1.4em">jig</span> <s style="color: gold">out</s>',
    { font_size: 34 },
  ],
  ['markup-kerned', 'AV<span style="color: gold">AT</span>AR To<b>.</b>', { font_size: 52 }],
  [
    'markup-hyphenated',
    'Die <b>Nachhaltigkeitsberichte</b> der <span style="color: gold">Donaudampfschifffahrt</span>',
    { hyphens: 'auto', lang: 'de', width: 210, position: 'center', text_align: 'left', font_size: 26 },
  ],
  [
    'markup-letter-spacing',
    'Be <span style="letter-spacing: 0.3em">spacious</span> or <span style="letter-spacing: -0.05em">tight</span>',
    { text_align: 'right' },
  ],
  [
    'markup-strokes',
    'In <span style="-webkit-text-stroke: 0.06em #d0006f; color: #ffffff">an outline</span>, <span style="text-stroke: 2px gold; color: transparent">hollow</span>, none',
    { font_size: 36 },
  ],
  [
    'markup-strokes-within-strokes',
    'A <span style="text-stroke: none">plain</span> and a <b style="text-stroke: 5px #16324f">bold</b> one',
    { font_size: 36, text_stroke: '3px #d0006f', text_shadow: '3px 4px 0 #000000' },
  ],
  [
    'markup-gradient-in-letters',
    'Gradient <span style="color: #ffffff">white</span> <u>lined</u>',
    {
      color: 'transparent',
      text_shadow: 'none',
      settings: { background: 'linear-gradient(90deg, #ffd27a, #d0006f)', 'background-clip': 'text' },
      font_size: 40,
    },
  ],
];

test.each(cases)('%s', async (name, text, more) => {
  const script = { ...box, scenes: [{ elements: [{ type: 'text', text, markup: true, font_size: 30, font_weight: 600, text_shadow: 'none', ...more }] }] };
  const element = parseMovie(script).scenes[0]?.elements[0] as TextElement;
  const { pieces, warnings } = await drawer.drawText(element, box);
  expect(warnings).toEqual([]);
  await expectGolden(import.meta.url, name, composePieces(pieces, box, 96), { tolerance: 2, maxBytes: 30_000 });
});
