import type { Easing } from '../../contract/index.js';
import type { EasingFunction } from '../animation/index.js';
import { fail, propertyName, show } from '../validation/fail.js';
import type { Fields } from '../validation/fields.js';

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const DEFAULT_SPRING = { stiffness: 100, damping: 10 };

const forms =
  'a name such as "easeOutCubic", "cubic-bezier(x1, y1, x2, y2)" with x1 and x2 from 0 to 1 and y1 and y2 from -10 to 10, or "spring(stiffness, damping)" with a stiffness from 1 to 10000 and a damping from 0.1 to 1000';

/** Parses the `easing` of a keyframe, animation or transition; `fallback` when it is absent. Throws SCHEMA_VALIDATION_ERROR. */
export function parseEasing<T>(fields: Fields, fallback: T): EasingFunction | T {
  const found = fields.find('easing');
  if (found === undefined) return fallback;
  return readEasing(found.value) ?? fail(found.path, `${propertyName(found.path)} must be ${forms}; not ${show(found.value)}.`);
}

/** An easing from its text; undefined when it is a function with invalid parameters. */
export function readEasing(value: unknown): EasingFunction | undefined {
  const text = String(value).trim();
  return /^(cubic-bezier|spring)/.test(text) ? parseFunction(text) : (text as Easing);
}

function parseFunction(text: string): EasingFunction | undefined {
  if (text === 'spring' || text === 'spring()') return { spring: DEFAULT_SPRING };
  const [, name, inner = ''] = /^(cubic-bezier|spring)\s*\(([^()]*)\)$/.exec(text) ?? [];
  const parts = inner.split(',').map((part) => part.trim());
  if (!parts.every((part) => NUMBER.test(part))) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = parts.map(Number);
  const isWithin = (value: number, low: number, high: number) => value >= low && value <= high;
  if (name === 'cubic-bezier' && parts.length === 4)
    return isWithin(a, 0, 1) && isWithin(c, 0, 1) && isWithin(b, -10, 10) && isWithin(d, -10, 10) ? { bezier: [a, b, c, d] } : undefined;
  if (name === 'spring' && parts.length === 2) return isWithin(a, 1, 10_000) && isWithin(b, 0.1, 1000) ? { spring: { stiffness: a, damping: b } } : undefined;
  return undefined;
}
