import type { Typography } from '../../movie.js';
import { fail, propertyName, show } from '../../validation/fail.js';
import type { Fields } from '../../validation/fields.js';
import type { LengthScale } from '../../values/lengths.js';
import { pixelsOf } from './box.js';
import type { TextDeclarations } from './declarations.js';

/** Parses white space, wrapping, spacing and direction of a text. */
export function parseFlow(fields: Fields, { declared, path }: TextDeclarations, scale: LengthScale): Partial<Typography> {
  const space = String(declared['white-space'] ?? 'pre-line');
  const hyphens = fields.string('hyphens');
  const wrap = parseTextWrap(fields, { declared, path });
  const capitals = /\b(all-)?small-caps\b/.exec(`${declared['font-variant'] ?? ''} ${declared['font-variant-caps'] ?? ''}`)?.[0];
  const length = (key: string) => {
    const value = declared[key];
    return value === undefined || value === 'normal' ? 0 : pixelsOf(value, scale, path(key));
  };
  const [wordSpacing, textIndent] = [length('word-spacing'), length('text-indent')];
  const maxLines = clampOf({ declared, path });
  return {
    ...(/^(pre|pre-wrap|break-spaces)$/.test(space) ? { keepSpaces: true } : {}),
    ...wrap,
    ...(hyphens === 'auto' || hyphens === 'none' ? { hyphens } : {}),
    ...parseLanguage(fields),
    ...(space === 'nowrap' || space === 'pre' ? { noWrap: true } : {}),
    ...(wordSpacing === 0 ? {} : { wordSpacing }),
    ...(textIndent === 0 ? {} : { textIndent }),
    ...(declared.direction === 'rtl' || declared.direction === 'ltr' ? { direction: declared.direction } : {}),
    ...(capitals === undefined ? {} : { capitals: capitals as NonNullable<Typography['capitals']> }),
    ...(declared['font-kerning'] === 'none' ? { noKerning: true } : {}),
    ...(maxLines === undefined ? {} : { maxLines }),
    ...(declared['text-overflow'] === 'ellipsis' ? { ellipsis: true } : {}),
  };
}

/** Parses `lang`, a BCP 47 tag. */
function parseLanguage(fields: Fields): Pick<Typography, 'lang'> {
  const found = fields.find('lang');
  if (found === undefined) return {};
  try {
    return { lang: Intl.getCanonicalLocales(String(found.value).trim())[0] as string };
  } catch {
    return fail(found.path, `${propertyName(found.path)} must be the BCP 47 tag of a language, like "de" or "pt-BR"; not ${show(found.value)}.`);
  }
}

/** Parses `text-wrap`; `text-wrap-mode` is its longhand in CSS. */
function parseTextWrap(fields: Fields, { declared }: TextDeclarations): Pick<Typography, 'noWrap' | 'textWrap'> {
  const wrap = fields.string('text-wrap');
  return {
    ...(wrap === 'nowrap' || declared['text-wrap-mode'] === 'nowrap' ? { noWrap: true } : {}),
    ...(wrap === 'balance' || wrap === 'pretty' ? { textWrap: wrap } : {}),
  };
}

/** Parses a `text-indent` in percent, which refers to the width of the lines. */
export function parseIndent({ declared, path }: TextDeclarations, scale: LengthScale, width: number): Pick<Typography, 'textIndent'> {
  const value = declared['text-indent'];
  return typeof value === 'string' && value.trim().endsWith('%') ? { textIndent: pixelsOf(value, { ...scale, percent: width }, path('text-indent')) } : {};
}

function clampOf({ declared, path }: TextDeclarations): number | undefined {
  const value = declared['line-clamp'];
  if (value === undefined || value === 'none') return undefined;
  const count = Number(value);
  return Number.isInteger(count) && count >= 1 && count <= 10_000
    ? count
    : fail(path('line-clamp'), `${propertyName(path('line-clamp'))} must be a number of lines from 1 to 10000, or none; not ${show(value)}.`);
}

const alignments: ReadonlyMap<string, 0 | 1 | 2> = new Map(
  Object.entries({ start: 0, 'flex-start': 0, left: 0, top: 0, center: 1, end: 2, 'flex-end': 2, right: 2, bottom: 2 } as const),
);

/** Alignment of a text in a flex or grid container, of which it is the only item. */
export function parseFlexAlignment({ declared }: TextDeclarations): Pick<Partial<Typography>, 'linesPosition' | 'textAlign'> {
  if (!/\b(flex|grid|-webkit-box)\b/.test(String(declared.display ?? ''))) return {};
  const isColumn = /^column/.test(String(declared['flex-direction'] ?? '')) || /grid/.test(String(declared.display));
  const place = (key: string) => alignments.get(String(declared[key] ?? declared['place-items'] ?? '').trim());
  const [main, cross] = [place('justify-content'), place('align-items')];
  const [vertical, horizontal] = isColumn ? [main, cross] : [cross, main];
  return {
    ...(vertical === 1 ? { linesPosition: 'center' } : vertical === 2 ? { linesPosition: 'bottom' } : {}),
    ...(horizontal === undefined ? {} : { textAlign: (['left', 'center', 'right'] as const)[horizontal] }),
  };
}
