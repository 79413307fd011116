import type { Color, Position, Sides, TextStyle, Typography } from '../../movie.js';
import { fail, propertyName, show } from '../../validation/fail.js';
import { colorOf, type Fields, type FoundProperty, lengthOf } from '../../validation/fields.js';
import { parseColor } from '../../values/colors.js';
import { type LengthScale, lengthForms, parseLength, splitOutsideParentheses } from '../../values/lengths.js';
import type { ElementContext } from '../context.js';
import { pixelsOf } from './box.js';
import type { TextDeclarations } from './declarations.js';
import { parseDecoration } from './decoration.js';
import { parseFlow } from './flow.js';
import { parseFamilies } from './font-families.js';

const NORMAL_LINE_HEIGHT = 1.2;
const MAX_SHADOWS = 16;

const SOFT_SHADOW = '2px 2px rgba(33, 33, 33, 0.5)';

interface StyleLook {
  font: string;
  shadow: string;
  letterSpacing?: string;
  background?: string;
  padding?: string;
}

/** Defaults of each text style. */
const styleLooks: Readonly<Record<TextStyle, StyleLook>> = {
  '001': { font: 'Inter', shadow: SOFT_SHADOW },
  '002': { font: 'Roboto', shadow: SOFT_SHADOW },
  '003': { font: 'Roboto', shadow: SOFT_SHADOW },
  '004': { font: 'Roboto', shadow: SOFT_SHADOW },
  '005': { font: 'Roboto', shadow: SOFT_SHADOW },
  '006': { font: 'Anton', shadow: SOFT_SHADOW, letterSpacing: '0.5em' },
  '007': { font: 'Anton', shadow: 'none' },
  '008': { font: 'Anton', shadow: 'none' },
  '009': { font: 'Inter', shadow: 'none' },
  '010': { font: 'Inter', shadow: 'none' },
  '011': { font: 'Inter', shadow: 'none', background: '#000000', padding: '0.1em 0.4em' },
};

/** Position of an element. Text in a box of automatic size is aligned by the element's position. */
interface TextPlacement {
  position: Position;
  widthIsAuto: boolean;
  heightIsAuto: boolean;
}

/** Parses the typography of a text from its fields and CSS declarations. */
export function parseTypography(
  fields: Fields,
  style: TextStyle,
  { canvas, checkUrl }: ElementContext,
  placement: TextPlacement,
  sheet: TextDeclarations,
): Typography {
  const look = styleLooks[style];
  const around: LengthScale = { canvasWidth: canvas.width, canvasHeight: canvas.height, em: canvas.width * 0.04, percent: canvas.width * 0.04 };
  const fits = fields.find('font-size')?.value === 'auto';
  const fontSize = (fits ? undefined : sizeOf(fields, around)) ?? around.em;
  const scale: LengthScale = { ...around, em: fontSize, percent: fontSize };
  const boxScale: LengthScale = { ...scale, percent: canvas.width };
  const typography: Typography = {
    fontFamilies: parseFamilies(fields, look.font, checkUrl),
    fontSize,
    fontWeight: parseWeight(fields),
    fontStyle: fields.string('font-style') === 'normal' ? 'normal' : 'italic',
    color: fields.color('font-color'),
    backgroundColor: parseBackgroundColor(fields, look),
    textAlign: parseAlign(fields, sheet.declared.direction === 'rtl'),
    lineHeight: parseLineHeight(fields, scale),
    letterSpacing: parseLetterSpacing(fields, look, scale),
    ...parseDecoration(fields, sheet, scale),
    textTransform: fields.string('text-transform') as Typography['textTransform'],
    shadows: parseShadows(fields, look.shadow, scale),
    padding: parseSides(fields, 'padding', boxScale, look.padding),
    borderRadius: parseRadius(fields, boxScale),
    ...parsePlacement(fields, placement),
  };
  const stroke = parseStroke(fields, sheet, scale);
  if (stroke !== undefined) typography.stroke = stroke;
  if (fits) typography.fit = fitOf(fields, look, typography, scale);
  const fillColor = sheet.declared['text-fill-color'];
  if (fillColor !== undefined) {
    typography.color = colorOf(fillColor, sheet.path('text-fill-color'));
  }
  return { ...typography, ...parseWrapping(fields, boxScale), ...parseFlow(fields, sheet, scale) };
}

/** Background colour of the block; gradients are parsed with the block's box. */
function parseBackgroundColor(fields: Fields, look: StyleLook): Color {
  const found = fields.find('background-color');
  if (found === undefined && look.background !== undefined) return parseColor(look.background) ?? fields.color('background-color');
  const text = String(found?.value ?? '');
  if (/gradient\(/i.test(text))
    return (
      splitOutsideParentheses(text, ' ')
        .map(parseColor)
        .find((color) => color !== undefined) ?? { r: 0, g: 0, b: 0, a: 0 }
    );
  return /^\s*none\s*$/.test(text) ? { r: 0, g: 0, b: 0, a: 0 } : fields.color('background-color');
}

/** Radius of all corners; percentages and several radii are parsed with the block's box. */
function parseRadius(fields: Fields, scale: LengthScale): number {
  const found = fields.find('border-radius');
  return found === undefined || splitOutsideParentheses(String(found.value), ' ').length > 1 ? 0 : (fields.length('border-radius', scale) ?? 0);
}

function sizeOf(fields: Fields, around: LengthScale): number | undefined {
  const found = fields.find('font-size');
  return found === undefined ? undefined : lengthOf(found, around, `${lengthForms}, or "auto"`);
}

function parseLetterSpacing(fields: Fields, look: StyleLook, scale: LengthScale): number {
  const found = fields.find('letter-spacing');
  if (found === undefined) return parseLength(look.letterSpacing ?? 0, scale) ?? 0;
  return found.value === 'normal' ? 0 : lengthOf(found, scale);
}

/** Settings for automatic font size; letter spacing in em scales with it. */
function fitOf(fields: Fields, look: StyleLook, { letterSpacing }: Typography, scale: LengthScale): NonNullable<Typography['fit']> {
  const given = String(fields.find('letter-spacing')?.value ?? look.letterSpacing ?? '').trim();
  return /(em|%)$/i.test(given) && !/rem$/i.test(given) ? { letterSpacingEm: letterSpacing / scale.em } : {};
}

function parseWrapping(fields: Fields, scale: LengthScale): Pick<Typography, 'margin' | 'wordBreak' | 'keepLongWords'> {
  const margin = parseSides(fields, 'margin', scale);
  const wordBreak = fields.string('word-break');
  return {
    ...(Object.values(margin).some((side) => side !== 0) ? { margin } : {}),
    ...(wordBreak === 'break-all' || wordBreak === 'keep-all' ? { wordBreak } : {}),
    ...(fields.string('overflow-wrap') === 'normal' ? { keepLongWords: true } : {}),
  };
}

/** Parses `font-weight`: 100..900. */
export function parseWeight(fields: Fields): number {
  const weight = fields.string('font-weight').trim();
  const named = { normal: 400, bold: 700, bolder: 700, lighter: 300 }[weight];
  const found = fields.find('font-weight');
  const value = named ?? Number(weight);
  if (value > 1000) fail(found?.path ?? '', `font weight must be a number from 1 to 1000, "normal" or "bold", not ${show(found?.value)}.`);
  return Math.min(900, Math.max(100, Math.round(value)));
}

function parseAlign(fields: Fields, isRightToLeft: boolean): Typography['textAlign'] {
  const align = fields.string('text-align');
  if (align === 'start') return isRightToLeft ? 'right' : 'left';
  if (align === 'end') return isRightToLeft ? 'left' : 'right';
  return align as Typography['textAlign'];
}

/** Parses `line-height` to a multiple of the font size. */
function parseLineHeight(fields: Fields, scale: LengthScale): number {
  const found = fields.find('line-height');
  if (found === undefined || found.value === 'normal') return NORMAL_LINE_HEIGHT;
  const forms = 'a multiple of the font size, a length like "1.5em" or "64px", a percentage, or "normal"';
  const bare = Number(found.value);
  const multiple = Number.isFinite(bare) && String(found.value).trim() !== '' ? bare : lengthOf(found, scale, forms) / scale.em;
  if (multiple < 0 || multiple > 100)
    fail(found.path, `${propertyName(found.path)} must be ${forms}, up to 100 times the font size; not ${show(found.value)}.`);
  return multiple;
}

/** Parses a list of text shadows; undefined if invalid. */
export function parseShadowList(text: string, scale: LengthScale): Typography['shadows'] | undefined {
  const shadows = splitOutsideParentheses(text, ',').map((entry) => parseShadow(entry, scale));
  return shadows.includes(undefined) || shadows.length > MAX_SHADOWS ? undefined : (shadows as Typography['shadows']);
}

function parseShadows(fields: Fields, fallback: string, scale: LengthScale): Typography['shadows'] {
  const short = fields.optionalNumber('shadow');
  const found = fields.find('text-shadow');
  if (found === undefined && short !== undefined) {
    return short === 0 ? [] : [{ x: short, y: short, blur: short, color: { r: 0, g: 0, b: 0, a: 128 } }];
  }
  const text = (fields.optionalString('text-shadow') ?? fallback).trim();
  if (text === 'none') return [];
  const path = found?.path ?? '';
  return (
    parseShadowList(text, scale) ??
    fail(path, `${propertyName(path)} must be none, or up to ${MAX_SHADOWS} shadows like "2px 2px 4px rgba(0, 0, 0, 0.5)"; not ${show(text)}.`)
  );
}

/** Parses a shadow; the colour may precede or follow the lengths and defaults to black. */
function parseShadow(text: string, scale: LengthScale): Typography['shadows'][number] | undefined {
  const { lengths, color, rest } = sortWords(text, scale);
  const [x, y, blur = 0] = lengths;
  if (x === undefined || y === undefined || lengths.length > 3 || rest > 0 || blur < 0) return undefined;
  return { x, y, blur, color: color ?? { r: 0, g: 0, b: 0, a: 255 } };
}

function parseStroke(fields: Fields, { declared, path }: TextDeclarations, scale: LengthScale): Typography['stroke'] {
  const short = parseStrokeLine(fields, scale);
  const { 'text-stroke-width': width, 'text-stroke-color': color } = declared;
  const stroke = {
    width: width === undefined ? (short?.width ?? 0) : (strokeWidths.get(String(width)) ?? pixelsOf(width, scale, path('text-stroke-width'))),
    color: color === undefined ? (short?.color ?? fields.color('font-color')) : colorOf(color, path('text-stroke-color')),
  };
  return stroke.width > 0 ? stroke : undefined;
}

const strokeWidths: ReadonlyMap<string, number> = new Map(Object.entries({ thin: 1, medium: 3, thick: 5 }));

function parseStrokeLine(fields: Fields, scale: LengthScale): Typography['stroke'] {
  const found = fields.find('text-stroke');
  if (found === undefined || found.value === 'none' || found.value === '0') return undefined;
  const { lengths, color, rest } = sortWords(String(found.value), scale);
  const [width] = lengths;
  if (width === undefined || lengths.length > 1 || width < 0 || rest > 0) {
    fail(found.path, `${propertyName(found.path)} must be none, or a width and a colour like "2px #000000"; not ${show(found.value)}.`);
  }
  return width === 0 ? undefined : { width, color: color ?? fields.color('font-color') };
}

function sortWords(text: string, scale: LengthScale) {
  const lengths: number[] = [];
  let color: ReturnType<typeof parseColor>;
  let rest = 0;
  for (const word of splitOutsideParentheses(text, ' ')) {
    const length = parseLength(word, scale);
    if (length !== undefined) lengths.push(length);
    else if (color === undefined && parseColor(word) !== undefined) color = parseColor(word);
    else rest += 1;
  }
  return { lengths, color, rest };
}

/** Parses `padding` or `margin` and their longhands, which win. Margins may be negative. */
function parseSides(fields: Fields, name: 'padding' | 'margin', scale: LengthScale, fallback = '0'): Sides {
  const found = fields.find(name) ?? { value: fallback, path: '', schema: {} };
  const [top = 0, right = top, bottom = top, left = right] = sideLengths(found, name === 'margin' ? -100_000 : 0, scale);
  return {
    top: fields.length(`${name}-top`, scale) ?? top,
    right: fields.length(`${name}-right`, scale) ?? right,
    bottom: fields.length(`${name}-bottom`, scale) ?? bottom,
    left: fields.length(`${name}-left`, scale) ?? left,
  };
}

function sideLengths(found: FoundProperty, minimum: number, scale: LengthScale): number[] {
  const words = splitOutsideParentheses(String(found.value), ' ');
  const lengths = words.map((word) => parseLength(word, scale)).filter((length) => length !== undefined && length >= minimum && length <= 100_000);
  if (lengths.length !== words.length || words.length < 1 || words.length > 4) {
    fail(
      found.path,
      `${propertyName(found.path)} must be one to four lengths${minimum === 0 ? ' of at least 0' : ''}, like "10px 20px"; not ${show(found.value)}.`,
    );
  }
  return lengths as number[];
}

function parsePlacement(fields: Fields, placement: TextPlacement): Pick<Typography, 'horizontalPosition' | 'verticalPosition'> {
  const [vertical = 'center', horizontal = 'center'] = placement.position === 'custom' ? [] : placement.position.split('-');
  const fallbackX = placement.widthIsAuto ? horizontal : 'center';
  const fallbackY = placement.heightIsAuto ? vertical : 'center';
  const givenY = fields.optionalString('vertical-position') ?? fallbackY;
  return {
    horizontalPosition: (fields.optionalString('horizontal-position') ?? fallbackX) as Typography['horizontalPosition'],
    verticalPosition: (givenY === 'middle' ? 'center' : givenY) as Typography['verticalPosition'],
  };
}
