import { ExpressionError } from './tokens.js';

/** Maximum length of a text in an expression. */
const MAX_TEXT_CHARACTERS = 10_000;

/** Truth of a value. False are: false, null, 0, "", "false" (sent by forms) and empty arrays. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== false && value !== null && value !== undefined && value !== 0 && value !== '' && value !== 'false';
}

/** Converts a number or numeric text; undefined for other values. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.length > 32 || !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)) return undefined;
  return Number(value);
}

/** Like numberOf(); throws ExpressionError for other values. `user` names the operator or function. */
export function requireNumber(value: unknown, user: string): number {
  const number = numberOf(value);
  if (number === undefined) throw new ExpressionError(`has ${describeValue(value)} where ${user} needs a number`);
  return number;
}

/** Throws ExpressionError for infinite results and NaN. */
export function checkFinite(number: number): number {
  if (!Number.isFinite(number)) throw new ExpressionError('has a result that is not a finite number');
  return number;
}

/** Formats a value for insertion into a text. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  // 15 digits preserve written decimals and hide binary rounding errors: 0.1 + 0.2 becomes 0.3.
  if (typeof value === 'number' && !Number.isInteger(value)) return String(Number(value.toPrecision(15)));
  if (typeof value !== 'object') return String(value);
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? '';
}

/** Throws ExpressionError for texts that are too long. */
export function checkTextLength(text: string): string {
  if (text.length > MAX_TEXT_CHARACTERS) throw new ExpressionError(`works on a text of more than ${MAX_TEXT_CHARACTERS} characters`);
  return text;
}

/** Converts a value to text; throws ExpressionError for objects and arrays. */
export function requireText(value: unknown, user: string): string {
  if (typeof value === 'object' && value !== null) throw new ExpressionError(`has ${describeValue(value)} where ${user} needs a text or a number`);
  return checkTextLength(asText(value));
}

/** Describes a value for an error message. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (value === null) return 'null';
  if (typeof value === 'string') return `the text ${JSON.stringify(value.length > 30 ? `${value.slice(0, 27)}...` : value)}`;
  return typeof value === 'object' ? 'an object' : String(value);
}

type Operator = (left: unknown, right: unknown) => unknown;

/** Binary operators by sign. */
export const operators: Readonly<Record<string, Operator>> = {
  '+': add,
  '-': (left, right) => checkFinite(requireNumber(left, '"-"') - requireNumber(right, '"-"')),
  '*': (left, right) => checkFinite(requireNumber(left, '"*"') * requireNumber(right, '"*"')),
  '/': (left, right) => checkFinite(requireNumber(left, '"/"') / divisor(right)),
  '%': (left, right) => checkFinite(requireNumber(left, '"%"') % divisor(right)),
  '==': isEqual,
  '!=': (left, right) => !isEqual(left, right),
  '<': (left, right) => order(left, right, '<') < 0,
  '>': (left, right) => order(left, right, '>') > 0,
  '<=': (left, right) => order(left, right, '<=') <= 0,
  '>=': (left, right) => order(left, right, '>=') >= 0,
};

/** Adds if one value is a number and the other one numeric; otherwise concatenates. */
function add(left: unknown, right: unknown): unknown {
  if (typeof left === 'number' || typeof right === 'number') {
    const sum = [numberOf(left), numberOf(right)];
    if (sum[0] !== undefined && sum[1] !== undefined) return checkFinite(sum[0] + sum[1]);
  }
  return checkTextLength(requireText(left, '"+"') + requireText(right, '"+"'));
}

function divisor(value: unknown): number {
  const number = requireNumber(value, 'a division');
  if (number === 0) throw new ExpressionError('divides by zero');
  return number;
}

/** Compares values; 7 equals "7", objects and arrays equal nothing. */
function isEqual(left: unknown, right: unknown): boolean {
  if (typeof left === 'object' && left !== null) return false;
  if (typeof left !== typeof right && (typeof left === 'number' || typeof right === 'number')) {
    const number = numberOf(left);
    return number !== undefined && number === numberOf(right);
  }
  return typeof left === 'string' && typeof right === 'string' ? checkTextLength(left) === checkTextLength(right) : left === right;
}

function order(left: unknown, right: unknown, sign: string): number {
  const numbers = [numberOf(left), numberOf(right)] as const;
  if (numbers[0] !== undefined && numbers[1] !== undefined) return numbers[0] - numbers[1];
  if (typeof left === 'string' && typeof right === 'string') return checkTextLength(left) < checkTextLength(right) ? -1 : Number(left > right);
  throw new ExpressionError(`compares ${describeValue(left)} with ${describeValue(right)}: "${sign}" needs two numbers or two texts`);
}
