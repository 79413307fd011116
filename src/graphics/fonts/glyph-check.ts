import type { SKRSContext2D } from '@napi-rs/canvas';
import { createCanvas } from '../canvas/skia.js';
import type { ResolvedFont } from './catalogue.js';

const side = 32;
// A noncharacter, which no font has, so it draws the missing-glyph box.
const missingCharacter = '\u{10fffe}';
/** Characters that all shipped text fonts have. */
const plain = /^[\p{ASCII}\u00a0-\u00ff\s]*$/u;

function drawOnce(context: SKRSContext2D, text: string): Buffer {
  context.clearRect(0, 0, side, side);
  context.fillText(text, 2, 24);
  return context.canvas.data();
}

/** The characters of a text for which no installed font has a glyph. */
export function findUndrawable(text: string, font: ResolvedFont, lang: string): string[] {
  if (plain.test(text)) return [];
  const candidates = [...new Set([...new Intl.Segmenter(lang, { granularity: 'grapheme' }).segment(text)].map(({ segment }) => segment))].filter(
    (segment) => !plain.test(segment) && !/^(?:\p{M}|\p{Cf}|\p{Z})+$/u.test(segment),
  );
  const context = createCanvas(side, side).getContext('2d');
  context.font = font.css(20);
  context.lang = lang;
  const box = drawOnce(context, missingCharacter);
  // If missing glyphs are invisible, they cannot be detected and do no harm.
  if (!box.some((byte) => byte !== 0)) return [];
  return candidates.filter((segment) => drawOnce(context, segment).equals(box));
}
