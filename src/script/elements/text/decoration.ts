import type { DecorationLook, Typography } from '../../movie.js';
import { fail, propertyName, show } from '../../validation/fail.js';
import type { Fields } from '../../validation/fields.js';
import { parseColor } from '../../values/colors.js';
import { type LengthScale, splitOutsideParentheses } from '../../values/lengths.js';
import { pixelsOf } from './box.js';
import type { TextDeclarations } from './declarations.js';

type Lines = Typography['textDecoration'];

const styles = ['solid', 'double', 'dotted', 'dashed', 'wavy'];
const fromFont = /^(auto|from-font)$/;

/** Parses `text-decoration` and its longhands, which win. */
export function parseDecoration(
  fields: Fields,
  { declared, path }: TextDeclarations,
  scale: LengthScale,
): Pick<Typography, 'textDecoration' | 'decorationLook'> {
  const found = fields.find('text-decoration');
  const parsed = parseDecorationWords(String(found?.value ?? 'none'), scale);
  if (parsed === undefined) {
    const at = found?.path ?? '';
    fail(
      at,
      `${propertyName(at)} must be none, or made of underline, overline and line-through, a style, a colour and a thickness; not ${show(found?.value)}.`,
    );
  }
  const { textDecoration: lines, decorationLook: look = {} } = parsed;
  const own = declared['text-decoration-line'];
  if (own !== undefined) readOwnLines(String(own), lines, path('text-decoration-line'));
  readSingle(look, { declared, path }, scale);
  return { textDecoration: lines, ...(Object.keys(look).length === 0 ? {} : { decorationLook: look }) };
}

/** Parses the words of `text-decoration`; undefined if one of them is invalid. */
export function parseDecorationWords(value: string, scale: LengthScale): Pick<Typography, 'textDecoration' | 'decorationLook'> | undefined {
  const textDecoration: Lines = { underline: false, lineThrough: false, overline: false };
  const look: DecorationLook = {};
  const words = splitOutsideParentheses(value.toLowerCase(), ' ');
  if (!words.every((word) => readLine(word, textDecoration) || readLook(word, look, scale))) return undefined;
  return { textDecoration, ...(Object.keys(look).length === 0 ? {} : { decorationLook: look }) };
}

function readLine(word: string, lines: Lines): boolean {
  if (word === 'underline' || word === 'overline') lines[word] = true;
  else if (word === 'line-through') lines.lineThrough = true;
  else return word === 'none';
  return true;
}

function readLook(word: string, look: DecorationLook, scale: LengthScale): boolean {
  const color = parseColor(word);
  if (styles.includes(word)) setStyle(look, word);
  else if (color !== undefined) look.color = color;
  else if (/^[\d.]/.test(word)) look.thickness = pixelsOf(word, scale, 'text-decoration');
  else return fromFont.test(word);
  return true;
}

function setStyle(look: DecorationLook, style: string): void {
  delete look.style;
  if (style !== 'solid') look.style = style as NonNullable<DecorationLook['style']>;
}

function readOwnLines(value: string, lines: Lines, path: string): void {
  Object.assign(lines, { underline: false, lineThrough: false, overline: false });
  for (const word of value.toLowerCase().trim().split(/\s+/)) {
    if (!readLine(word, lines)) fail(path, `${propertyName(path)} must be none, or made of underline, overline and line-through; not ${show(value)}.`);
  }
}

function readSingle(look: DecorationLook, { declared, path }: TextDeclarations, scale: LengthScale): void {
  const { 'text-decoration-style': style, 'text-decoration-color': color, 'text-decoration-thickness': thickness, 'text-underline-offset': offset } = declared;
  if (style !== undefined) setStyle(look, String(style));
  if (color !== undefined && !/^currentcolor$/i.test(String(color))) {
    look.color =
      parseColor(String(color)) ?? fail(path('text-decoration-color'), `${propertyName(path('text-decoration-color'))} must be a colour, not ${show(color)}.`);
  }
  if (thickness !== undefined && !fromFont.test(String(thickness))) look.thickness = Math.max(0, pixelsOf(thickness, scale, path('text-decoration-thickness')));
  if (offset !== undefined && !fromFont.test(String(offset))) look.underlineOffset = pixelsOf(offset, scale, path('text-underline-offset'));
}
