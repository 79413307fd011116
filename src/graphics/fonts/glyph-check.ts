import type { SKRSContext2D } from '@napi-rs/canvas';
import { createCanvas } from '../canvas/skia.js';
import type { ResolvedFont } from './catalogue.js';

const side = 32;
// A noncharacter: no font has it, so it draws what a missing glyph draws.
const missingCharacter = '\u{10fffe}';
/** Every text font of ours has these. */
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
  // Without a visible box there is nothing to tell a missing glyph by, and nothing ugly to prevent.
  if (!box.some((byte) => byte !== 0)) return [];
  return candidates.filter((segment) => drawOnce(context, segment).equals(box));
}
