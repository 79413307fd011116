import { splitOutsideParentheses } from '../values/lengths.js';

/** Style properties by their hyphenated names, as written. */
export type Declarations = Readonly<Record<string, string | number>>;

/** Words of a value, with functions whole. */
export function words(value: string | number): string[] {
  return splitOutsideParentheses(String(value).replace(/\s*!important\s*$/, ''), ' ');
}
