import { described, finite, limited, needNumber, needText } from './operators.js';
import { ExpressionError } from './tokens.js';

interface ExpressionFunction {
  /** Fewest and most arguments. */
  arguments: readonly [least: number, most: number];
  call: (values: readonly unknown[]) => unknown;
}

const MOST_ARGUMENTS = 50;

export const functions: ReadonlyMap<string, ExpressionFunction> = new Map([
  ['min', { arguments: [1, MOST_ARGUMENTS], call: (values) => Math.min(...values.map((value) => needNumber(value, 'min'))) }],
  ['max', { arguments: [1, MOST_ARGUMENTS], call: (values) => Math.max(...values.map((value) => needNumber(value, 'max'))) }],
  ['ceil', { arguments: [1, 1], call: ([value]) => Math.ceil(needNumber(value, 'ceil')) }],
  ['floor', { arguments: [1, 1], call: ([value]) => Math.floor(needNumber(value, 'floor')) }],
  ['round', { arguments: [1, 2], call: round }],
  ['abs', { arguments: [1, 1], call: ([value]) => Math.abs(needNumber(value, 'abs')) }],
  ['length', { arguments: [1, 1], call: ([value]) => lengthOf(value) }],
  ['upper', { arguments: [1, 1], call: ([value]) => limited(needText(value, 'upper').toUpperCase()) }],
  ['lower', { arguments: [1, 1], call: ([value]) => limited(needText(value, 'lower').toLowerCase()) }],
]);

/** Halves go up; the second argument counts decimals. */
function round([value, decimals = 0]: readonly unknown[]): number {
  const places = needNumber(decimals, 'round');
  if (!Number.isInteger(places) || places < 0 || places > 10) throw new ExpressionError('rounds to a number of decimals that is not from 0 to 10');
  return finite(Math.round(needNumber(value, 'round') * 10 ** places) / 10 ** places);
}

/** Of a text in letters as people count them, nearly: code points. */
function lengthOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'string') return [...limited(value)].length;
  throw new ExpressionError(`has ${described(value)} where length needs a text or an array`);
}
