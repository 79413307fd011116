import { fail, propertyName, show } from '../validation/fail.js';
import { type LengthScale, parseLength } from '../values/lengths.js';

/** Percentages wait for the layout, which knows what they are of. */
export type Length = { px: number } | { percent: number };
export type AutoLength = Length | 'auto';

const forms = 'a number (pixels) or a length like "20px", "4vw", "10vh", "1.5em" or "50%"';
const MAX_LENGTH = 100_000;

export function parseLayoutLength(value: string | number, scale: LengthScale): Length | undefined {
  const percent = /^\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*%\s*$/.exec(String(value));
  if (percent) return Math.abs(Number(percent[1])) > MAX_LENGTH ? undefined : { percent: Number(percent[1]) };
  const px = parseLength(value, scale);
  return px === undefined || !Number.isFinite(px) || Math.abs(px) > MAX_LENGTH ? undefined : { px };
}

export function lengthAt(value: string | number, scale: LengthScale, path: string): Length {
  return parseLayoutLength(value, scale) ?? fail(path, `${propertyName(path)} must be ${forms}, not ${show(value)}.`);
}

export function autoLengthAt(value: string | number, scale: LengthScale, path: string): AutoLength {
  if (isAuto(value)) return 'auto';
  return parseLayoutLength(value, scale) ?? fail(path, `${propertyName(path)} must be "auto", ${forms}; not ${show(value)}.`);
}

export function isAuto(value: string | number): boolean {
  return ['auto', 'fit-content', 'max-content', 'min-content', 'initial', 'unset', 'none'].includes(String(value).trim().toLowerCase());
}

/** In pixels, percentages of `whole`. */
export function resolveLength(length: Length, whole: number): number {
  return 'px' in length ? length.px : (length.percent * whole) / 100;
}
