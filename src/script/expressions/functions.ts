import { checkFinite, checkTextLength, describeValue, requireNumber, requireText } from './operators.js';
import { ExpressionError } from './tokens.js';

interface ExpressionFunction {
  /** Minimum and maximum number of arguments. */
  arguments: readonly [min: number, max: number];
  call: (values: readonly unknown[]) => unknown;
}

const MAX_ARGUMENTS = 50;

/** Functions of expressions by name. */
export const functions: ReadonlyMap<string, ExpressionFunction> = new Map([
  ['min', { arguments: [1, MAX_ARGUMENTS], call: (values) => Math.min(...values.map((value) => requireNumber(value, 'min'))) }],
  ['max', { arguments: [1, MAX_ARGUMENTS], call: (values) => Math.max(...values.map((value) => requireNumber(value, 'max'))) }],
  ['ceil', { arguments: [1, 1], call: ([value]) => Math.ceil(requireNumber(value, 'ceil')) }],
  ['floor', { arguments: [1, 1], call: ([value]) => Math.floor(requireNumber(value, 'floor')) }],
  ['round', { arguments: [1, 2], call: round }],
  ['abs', { arguments: [1, 1], call: ([value]) => Math.abs(requireNumber(value, 'abs')) }],
  ['length', { arguments: [1, 1], call: ([value]) => lengthOf(value) }],
  ['upper', { arguments: [1, 1], call: ([value]) => checkTextLength(requireText(value, 'upper').toUpperCase()) }],
  ['lower', { arguments: [1, 1], call: ([value]) => checkTextLength(requireText(value, 'lower').toLowerCase()) }],
]);

/** Rounds half up to a number of decimals. */
function round([value, decimals = 0]: readonly unknown[]): number {
  const places = requireNumber(decimals, 'round');
  if (!Number.isInteger(places) || places < 0 || places > 10) throw new ExpressionError('rounds to a number of decimals that is not from 0 to 10');
  return checkFinite(Math.round(requireNumber(value, 'round') * 10 ** places) / 10 ** places);
}

/** Number of items of an array or of code points of a text. */
function lengthOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'string') return [...checkTextLength(value)].length;
  throw new ExpressionError(`has ${describeValue(value)} where length needs a text or an array`);
}
