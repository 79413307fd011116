import { fail, propertyName, show } from '../validation/fail.js';
import { type LengthScale, lengthForms, parseLength } from '../values/lengths.js';

/** Pixels, or a percentage that layout resolves. */
export type Length = { px: number } | { percent: number };
export type AutoLength = Length | 'auto';

const MAX_LENGTH = 100_000;

/** Parses a length; undefined for invalid and excessive ones. */
export function parseLayoutLength(value: string | number, scale: LengthScale): Length | undefined {
  const percent = /^\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*%\s*$/.exec(String(value));
  if (percent) return Math.abs(Number(percent[1])) > MAX_LENGTH ? undefined : { percent: Number(percent[1]) };
  const px = parseLength(value, scale);
  return px === undefined || !Number.isFinite(px) || Math.abs(px) > MAX_LENGTH ? undefined : { px };
}

/** Parses a length. Throws SCHEMA_VALIDATION_ERROR. */
export function lengthAt(value: string | number, scale: LengthScale, path: string): Length {
  return parseLayoutLength(value, scale) ?? fail(path, `${propertyName(path)} must be ${lengthForms}, not ${show(value)}.`);
}

/** Parses a length or `auto`. Throws SCHEMA_VALIDATION_ERROR. */
export function autoLengthAt(value: string | number, scale: LengthScale, path: string): AutoLength {
  if (isAuto(value)) return 'auto';
  return parseLayoutLength(value, scale) ?? fail(path, `${propertyName(path)} must be "auto", ${lengthForms}; not ${show(value)}.`);
}

/** Whether a value means automatic size. */
export function isAuto(value: string | number): boolean {
  return ['auto', 'fit-content', 'max-content', 'min-content', 'initial', 'unset', 'none'].includes(String(value).trim().toLowerCase());
}

/** Pixels of a length; percentages refer to `whole`. */
export function resolveLength(length: Length, whole: number): number {
  return 'px' in length ? length.px : (length.percent * whole) / 100;
}
