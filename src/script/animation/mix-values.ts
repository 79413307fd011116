import type { Color } from '../values/color-and-sides.js';
import { parseColor } from '../values/colors.js';
import { mixColors } from '../values/oklab.js';

/** Colours, numbers with their units, names, white space and other characters of a CSS value. */
const token = /(#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\([^()]*\))|([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z]+\b|%)?|([a-z-]+)|\s+|./gi;
const units: ReadonlySet<string> = new Set(['', '%', 'px', 'vw', 'vh', 'vmin', 'vmax', 'em', 'rem', 'pt', 'deg', 'rad', 'turn']);
const keywords: ReadonlySet<string> = new Set([
  'solid',
  'dashed',
  'dotted',
  'double',
  'inset',
  'to',
  'at',
  'circle',
  'ellipse',
  'top',
  'right',
  'bottom',
  'left',
  'center',
]);

type Token = { color: Color } | { number: number; unit: string } | { text: string };

/**
 * The value between two values of a script; `share` 0: `from`, 1: `to`, beyond them for easings that overshoot. Numbers, lengths, colours, and CSS values
 * made of them change evenly, lists of equal length and objects part by part; other values change when `share` reaches 1.
 */
export function mixValues(from: unknown, to: unknown, share: number): unknown {
  if (typeof from === 'number' && typeof to === 'number') return mixNumbers(from, to, share);
  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length) return from.map((value, index) => mixValues(value, to[index], share));
  if (isObject(from) && isObject(to)) return Object.fromEntries(Object.keys({ ...from, ...to }).map((name) => [name, mixValues(from[name], to[name], share)]));
  const mixed = isText(from) && isText(to) ? mixTexts(String(from), String(to), share) : undefined;
  return mixed ?? (share < 1 ? from : to);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

/** Fine enough for every use, and short in a text. */
function mixNumbers(from: number, to: number, share: number): number {
  return Number((from + (to - from) * share).toFixed(5));
}

function mixTexts(from: string, to: string, share: number): string | undefined {
  const [start, end] = [tokensOf(from), tokensOf(to)];
  if (start === undefined || end === undefined || start.length !== end.length) return undefined;
  const mixed = start.map((one, index) => mixTokens(one, end[index] as Token, share));
  return mixed.every((text) => text !== undefined) ? mixed.join('') : undefined;
}

function mixTokens(from: Token, to: Token, share: number): string | undefined {
  if ('color' in from && 'color' in to) return cssOf(mixColors(from.color, to.color, share));
  if ('number' in from && 'number' in to) {
    const unit = unitOf(from, to);
    return unit === undefined ? undefined : `${mixNumbers(from.number, to.number, share)}${unit}`;
  }
  return 'text' in from && 'text' in to && from.text === to.text ? from.text : undefined;
}

/** The unit of two numbers. One without a unit is a number of pixels where the other has them, and zero has any unit. */
function unitOf(from: { number: number; unit: string }, to: { number: number; unit: string }): string | undefined {
  if (from.unit === to.unit) return from.unit;
  const bare = from.unit === '' ? from : to;
  const other = from.unit === '' ? to : from;
  return bare.unit === '' && (bare.number === 0 || other.unit === 'px') ? other.unit : undefined;
}

/** The parts of a CSS value; undefined for other text, such as words. */
function tokensOf(value: string): Token[] | undefined {
  const tokens: Token[] = [];
  for (const match of value.trim().matchAll(token)) {
    const [text, color, number, unit = '', name] = match;
    const isCalled = value.trim()[match.index + text.length] === '(';
    if (color !== undefined || name !== undefined) {
      const parsed = parseColor(text);
      if (parsed !== undefined) tokens.push({ color: parsed });
      else if (name !== undefined && (isCalled || keywords.has(name.toLowerCase()))) tokens.push({ text });
      else return undefined;
    } else if (number !== undefined) {
      if (!units.has(unit)) return undefined;
      tokens.push({ number: Number(number), unit });
    } else if (/^[\s(),/]+$/.test(text)) tokens.push({ text: text.trim() === '' ? ' ' : text });
    else return undefined;
  }
  return tokens;
}

function cssOf({ r, g, b, a }: Color): string {
  return `#${[r, g, b, a].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
