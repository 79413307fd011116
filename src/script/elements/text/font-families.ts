import { fail, propertyName } from '../../validation/fail.js';
import type { Fields } from '../../validation/fields.js';
import type { CheckUrl } from '../context.js';

/** Whether a family name is the URL or path of a font file. */
export function isFontAddress(family: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(family) || /\.(?:ttf|otf|woff2?)(?:[?#].*)?$/i.test(family);
}

/** Parses font families in order of preference; `font-url` comes first. */
export function parseFamilies(fields: Fields, fallback: string, checkUrl: CheckUrl): string[] {
  const file = fields.optionalString('font-url')?.trim();
  const families = namedFamilies(fields, fallback, checkUrl);
  if (file === undefined || file === '') return families;
  checkAddress(file, fields.pathOf('font-url'), checkUrl);
  return [file, ...families.filter((family) => family !== file)];
}

function namedFamilies(fields: Fields, fallback: string, checkUrl: CheckUrl): string[] {
  const found = fields.find('font-family');
  if (found === undefined) return [fallback];
  const families = splitFamilies(String(found.value));
  if (families.length === 0) fail(found.path, `${propertyName(found.path)} must name a font family.`);
  for (const family of families.filter(isFontAddress)) checkAddress(family, found.path, checkUrl);
  return families;
}

/** Splits a `font-family` list; a single URL may contain commas. */
export function splitFamilies(text: string): string[] {
  if (/^https?:\/\/\S+$/i.test(text.trim())) return [text.trim()];
  return text
    .split(',')
    .map((family) => family.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter((family) => family !== '');
}

function checkAddress(url: string, path: string, checkUrl: CheckUrl): void {
  const reason = checkUrl(url);
  if (reason !== undefined) fail(path, `${propertyName(path)} is refused: ${reason}.`);
}
