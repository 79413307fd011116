import { splitOutsideParentheses } from '../values/lengths.js';

/** CSS declarations by hyphenated property name. */
export type Declarations = Readonly<Record<string, string | number>>;

/** Splits a value at spaces outside of functions. */
export function words(value: string | number): string[] {
  return splitOutsideParentheses(String(value).replace(/\s*!important\s*$/, ''), ' ');
}
