import type { TreeNode } from '../pack.js';
import { lookUp } from '../placeholders.js';
import type { Settings } from '../settings.js';
import { seriesCount } from '../theme.js';

/** Maximum number of repetitions; schemas of settings usually allow fewer. */
const maxItemCount = 60;

/** Values of `{{item.…}}` in one repetition of a node; `''` is the item itself. */
export type Item = Readonly<Record<string, string>>;

/**
 * The repetitions of a node with `for`: one for each entry of a list, or for each number from a number down to 1. An object's
 * properties are `{{item.property}}`; of numbers, `share` is the fraction of the greatest, `level` the place between the smallest and the greatest.
 */
export function itemsOf(settings: Settings, source: string): Item[] {
  const value = lookUp(settings, source);
  const entries = Array.isArray(value) ? value : countdown(value);
  const list = entries.slice(0, maxItemCount);
  const numbers = list.map(Number);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  return list.map((entry, index) => ({
    ...propertiesOf(entry),
    index: String(index),
    number: String(index + 1),
    color: `{{theme.series-${index % seriesCount}}}`,
    along: percent(list.length > 1 ? index / (list.length - 1) : 0.5),
    ...(index === 0 ? { first: 'true' } : { later: 'true' }),
    ...(index === list.length - 1 ? { last: 'true' } : { earlier: 'true' }),
    ...(Number.isFinite(high) && {
      share: percent(high > 0 ? Math.max(0, numbers[index] as number) / high : 0),
      level: percent(high > low ? ((numbers[index] as number) - low) / (high - low) : 0.5),
      ...(index === numbers.indexOf(high) ? { highest: 'true' } : { lower: 'true' }),
    }),
  }));
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
