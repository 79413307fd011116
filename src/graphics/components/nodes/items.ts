import { formatAmount, type NumberFormat } from '../number-format.js';
import type { TreeNode } from '../pack.js';
import { lookUp } from '../placeholders.js';
import type { Settings } from '../settings.js';
import { seriesCount } from '../theme.js';

/** Maximum number of repetitions; schemas of settings usually allow fewer. */
const maxItemCount = 60;
/** Characters that the numbers of a chart may have side by side; longer ones are abbreviated. */
const maxCharacterCount = { landscape: 96, other: 48 };
const minus = '\u2212';

/** Values of `{{item.…}}` in one repetition of a node; `''` is the item itself. */
export type Item = Readonly<Record<string, string>>;

/**
 * The repetitions of a node with `for`: one for each entry of a list, or for each number from a number down to 1. An object's
 * properties are `{{item.property}}`; numbers have those of numberProperties() too.
 */
export function itemsOf(settings: Settings, source: string): Item[] {
  const value = lookUp(settings, source);
  const entries = Array.isArray(value) ? value : countdown(value);
  const list = entries.slice(0, maxItemCount);
  const ofNumbers = numberProperties(list.map(Number), settings, source);
  return list.map((entry, index) => ({
    ...propertiesOf(entry),
    index: String(index),
    number: String(index + 1),
    color: `{{theme.series-${index % seriesCount}}}`,
    ...(index === 0 ? { first: 'true' } : { later: 'true' }),
    ...(index === list.length - 1 ? { last: 'true' } : { earlier: 'true' }),
    ...ofNumbers[index],
  }));
}

/**
 * Of the numbers of a chart. Fractions of the range from the smallest to the greatest number, which includes zero: `share` is the height of a bar,
 * `zero-bottom` and `zero-top` are the distances of the line at zero from both ends. `negative` or `positive` is the side of the bar; `some-negative` or
 * `none-negative` is the same in each. `sign` and `amount` are the number as it is written.
 */
function numberProperties(numbers: readonly number[], settings: Settings, source: string): Item[] {
  const [lowest, highest] = [Math.min(...numbers), Math.max(...numbers)];
  if (!Number.isFinite(lowest) || !Number.isFinite(highest)) return [];
  const [low, high] = [Math.min(0, lowest), Math.max(0, highest)];
  const amounts = amountsOf(numbers, settings, source.split('.')[0] ?? '');
  return numbers.map((number, index) => ({
    share: percent(high > low ? Math.abs(number) / (high - low) : 0),
    'zero-bottom': percent(high > low ? -low / (high - low) : 0),
    'zero-top': percent(high > low ? high / (high - low) : 1),
    ...(number < 0 ? { negative: 'true' } : { positive: 'true' }),
    ...(low < 0 ? { 'some-negative': 'true' } : { 'none-negative': 'true' }),
    sign: number < 0 ? minus : '',
    amount: amounts[index] ?? '',
    ...(index === numbers.indexOf(highest) ? { highest: 'true' } : { lower: 'true' }),
  }));
}

/** Numbers without their signs, by the separators and language of the group. */
function amountsOf(numbers: readonly number[], settings: Settings, group: string): string[] {
  const own = (key: string): string | undefined => {
    const value = lookUp(settings, `${group}.${key}`);
    return value === undefined || value === null ? undefined : String(value);
  };
  const format: NumberFormat = {
    lang: own('lang'),
    thousands: own('thousands-separator') ?? 'auto',
    decimal: own('decimal-separator') ?? 'auto',
    ...decimalsOf(numbers),
  };
  const whole = numbers.map((number) => formatAmount(number, format));
  const around = `${own('prefix') ?? ''}${own('suffix') ?? ''}`.length;
  const room = lookUp(settings, 'view.landscape') === 'true' ? maxCharacterCount.landscape : maxCharacterCount.other;
  const isTooLong = Math.max(...whole.map((text) => text.length + around)) * numbers.length > room;
  return isTooLong ? numbers.map((number) => formatAmount(number, { ...format, isCompact: true })) : whole;
}

/** Values with more decimals than people write, as measured ones or those between keyframes, have two digits, or those before the point. */
function decimalsOf(numbers: readonly number[]): Pick<NumberFormat, 'decimals'> {
  if (numbers.every((number) => Number(number.toFixed(3)) === number)) return {};
  const largest = Math.max(...numbers.map(Math.abs));
  return { decimals: Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(largest)))) };
}

function countdown(value: unknown): number[] {
  const from = Number(value);
  return from >= 1 ? Array.from({ length: Math.min(maxItemCount, Math.floor(from)) }, (_, index) => Math.floor(from) - index) : [];
}

function percent(share: number): string {
  return `${Math.round(share * 1e4) / 100}%`;
}

function propertiesOf(entry: unknown): Record<string, string> {
  if (typeof entry !== 'object' || entry === null) return { '': String(entry ?? '') };
  const properties = Object.entries(entry).flatMap(([key, value]) => [
    [key, String(value ?? '')] as const,
    // A choice can decide whether a node is shown: `"if": "{{item.side-left}}"`.
    ...(typeof value === 'string' && /^[a-z]{1,20}$/.test(value) ? [[`${key}-${value}`, 'true'] as const] : []),
  ]);
  return { '': '', ...Object.fromEntries(properties) };
}

/** Fills `{{item}}` and `{{item.…}}` in a node and everything within it. */
export function forItem(node: TreeNode, item: Item): TreeNode {
  return fillItem(node, item) as TreeNode;
}

function fillItem(value: unknown, item: Item): unknown {
  if (typeof value === 'string') return value.replaceAll(/\{\{\s*item(?:\.([\w-]+))?\s*\}\}/g, (_, name: string | undefined) => item[name ?? ''] ?? '');
  if (Array.isArray(value)) return value.map((entry) => fillItem(entry, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fillItem(entry, item)]));
}
