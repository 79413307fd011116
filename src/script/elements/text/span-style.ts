import { cssName, isCssProperty } from '../../css/index.js';
import type { SpanLook, Typography } from '../../movie.js';
import { alternatives, fail, show } from '../../validation/fail.js';
import { colorForms, parseColor } from '../../values/colors.js';
import { type LengthScale, parseLength, splitOutsideParentheses } from '../../values/lengths.js';
import { parseDecorationWords } from './decoration.js';
import { isFontAddress, splitFamilies } from './font-families.js';

/** What the styles of a text's parts refer to. */
export interface SpanBasis {
  /** Path of the text, for errors. */
  path: string;
  typography: Typography;
  scale: LengthScale;
  /** Name of the tag, for errors. */
  tag?: string;
  warn?(warning: string): void;
}

/** A declaration of a tag: its name and value, the look that it changes, and what it refers to. */
interface Declared {
  value: string;
  look: SpanLook;
  basis: SpanBasis;
  /** Throws SCHEMA_VALIDATION_ERROR that names the property. */
  refuse(forms: string): never;
}

const maxScale = 10;
/** In multiples of the text's font size. */
const [maxSpacing, maxStroke] = [10, 1];

const readers: Readonly<Record<string, (declared: Declared) => SpanLook>> = {
  color: ({ value, refuse }) => ({ color: parseColor(value) ?? refuse(`a colour (${colorForms})`) }),
  background: readBackground,
  'background-color': readBackground,
  'border-radius': ({ value, look, basis, refuse }) => {
    const radiusEm = emOf(value, look, basis) ?? refuse(lengthFormsOf(basis));
    return look.background === undefined ? {} : { background: { ...look.background, radiusEm } };
  },
  'font-size': ({ value, look, basis, refuse }) => {
    const scale = emOf(value, look, basis);
    return scale !== undefined && scale > 0 && scale <= maxScale ? { scale } : refuse(`${lengthFormsOf(basis)}, up to ${maxScale} times the text's font size`);
  },
  'font-weight': ({ value, look, basis, refuse }) => {
    const around = look.fontWeight ?? basis.typography.fontWeight;
    const weight = { normal: 400, bold: 700, bolder: bolderThan(around), lighter: lighterThan(around) }[value] ?? Number(value);
    return weight >= 1 && weight <= 1000 ? { fontWeight: Math.min(900, Math.max(100, Math.round(weight))) } : refuse('a number from 1 to 1000, normal or bold');
  },
  'font-style': ({ value, refuse }) =>
    /^(normal|italic|oblique)$/.test(value) ? { fontStyle: value === 'normal' ? 'normal' : 'italic' } : refuse('normal, italic or oblique'),
  'font-family': ({ value, refuse }) => {
    const families = splitFamilies(value);
    return families.length > 0 && !families.some(isFontAddress) ? { fontFamilies: families } : refuse('names of font families, without a URL');
  },
  'letter-spacing': ({ value, look, basis, refuse }) => {
    if (value === 'normal') return { letterSpacingEm: 0 };
    const em = signedEmOf(value, look, basis);
    return em !== undefined && Math.abs(em) <= maxSpacing
      ? { letterSpacingEm: em }
      : refuse(`normal or ${lengthFormsOf(basis)}, up to ${maxSpacing} times the text's font size`);
  },
  'text-stroke': ({ value, look, basis, refuse }) => {
    if (value === 'none') return { stroke: { widthEm: 0 } };
    const words = splitOutsideParentheses(value, ' ');
    const colors = words.flatMap((word) => parseColor(word) ?? []);
    const [widthEm, ...others] = words.flatMap((word) => (parseColor(word) === undefined ? [emOf(word, look, basis)] : []));
    if (widthEm === undefined || widthEm > maxStroke || others.length > 0 || colors.length > 1)
      refuse(`none, or a width and a colour like "0.05em #000000"; the width ${lengthFormsOf(basis)}, up to ${maxStroke} times the text's font size`);
    return { stroke: { widthEm: widthEm as number, ...(colors[0] && { color: colors[0] }) } };
  },
  'text-shadow': ({ value, refuse }) => (value === 'none' ? { noShadow: true } : refuse('none; shadows are those of the whole text')),
  'text-decoration': ({ value, look, basis, refuse }) => {
    const { textDecoration, decorationLook } = parseDecorationWords(value, scaleOf(look, basis)) ?? refuse('none, or underline, overline and line-through');
    const { underline, lineThrough, overline } = look.textDecoration ?? { underline: false, lineThrough: false, overline: false };
    const lines = {
      underline: underline || textDecoration.underline,
      lineThrough: lineThrough || textDecoration.lineThrough,
      overline: overline || textDecoration.overline,
    };
    return { textDecoration: lines, ...(decorationLook === undefined ? {} : { decorationLook }) };
  },
};

/** The relative weights of CSS. */
const bolderThan = (weight: number): number => (weight < 350 ? 400 : weight < 550 ? 700 : 900);
const lighterThan = (weight: number): number => (weight < 550 ? 100 : weight < 750 ? 400 : 700);

function readBackground({ value, look, refuse }: Declared): SpanLook {
  const color = value === 'none' ? { r: 0, g: 0, b: 0, a: 0 } : (parseColor(value) ?? refuse(`a colour (${colorForms}) or none`));
  return { background: { radiusEm: 0, ...look.background, color, scale: look.scale ?? 1 } };
}

/** Font size and radius come first and last, because the others refer to the size, and the radius to a background. */
const order = ['font-size', '', 'border-radius'];

/** The look within a tag: that around it, changed by the declarations of a `style` attribute. Throws SCHEMA_VALIDATION_ERROR. */
export function spanLook(style: string, around: SpanLook, basis: SpanBasis): SpanLook {
  const rank = ([name]: readonly [string, string]) => (order.includes(name) ? order.indexOf(name) : 1);
  let look = around;
  for (const [name, value] of declarationsOf(style, basis).sort((a, b) => rank(a) - rank(b))) {
    const read = readers[name];
    if (read !== undefined) look = { ...look, ...read({ value, look, basis, refuse: (forms) => refuse(name, value, forms, basis) }) };
    else if (isCssProperty(name)) basis.warn?.(`text: ${name} of <${basis.tag}> is a CSS property that is not drawn in a part of a text`);
    else
      fail(
        basis.path,
        `text: <${basis.tag}> has the unknown property ${show(name)}; allowed are ${alternatives(Object.keys(readers)).replace(' or ', ' and ')}.`,
      );
  }
  return look;
}

function refuse(name: string, value: string, forms: string, { path, tag }: SpanBasis): never {
  fail(path, `text: ${name} of <${tag}> must be ${forms}; not ${show(value)}.`);
}

function declarationsOf(style: string, { path, tag }: SpanBasis): Array<readonly [name: string, value: string]> {
  return style
    .split(';')
    .filter((declaration) => declaration.trim() !== '')
    .map((declaration) => {
      const [, name, value] = /^\s*([-\w]+)\s*:\s*(.+?)\s*$/s.exec(declaration) ?? [];
      if (name === undefined || value === undefined)
        fail(path, `text: the style of <${tag}> must be declarations like "color: gold; font-size: 1.2em", not ${show(style)}.`);
      return [cssName(name as string), value as string] as const;
    });
}

function scaleOf({ scale = 1 }: SpanLook, { scale: around, typography }: SpanBasis): LengthScale {
  const size = typography.fontSize * scale;
  return { ...around, em: size, percent: size };
}

function lengthFormsOf({ typography }: SpanBasis): string {
  return typography.fit === undefined ? 'a length like "1.2em", "120%" or "40px"' : 'in em or % where font_size is auto, like "1.2em" or "120%"';
}

/** A length as a multiple of the text's font size; undefined for lengths that do not change with an automatic size. */
function emOf(value: string, look: SpanLook, basis: SpanBasis): number | undefined {
  const em = signedEmOf(value, look, basis);
  return em === undefined || em < 0 ? undefined : em;
}

function signedEmOf(value: string, look: SpanLook, basis: SpanBasis): number | undefined {
  if (basis.typography.fit !== undefined && !/(?<!r)em\s*$|%\s*$/i.test(value)) return undefined;
  const length = parseLength(value, scaleOf(look, basis));
  return length === undefined ? undefined : length / basis.typography.fontSize;
}
