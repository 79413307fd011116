import { round, type SourceFields } from '../fields.js';
import { easings, type KeyframeBuilder } from '../keyframes.js';

/** Position and time of a composition, in pixels and seconds of the movie. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  start: number;
  length: number | undefined;
}

/** An element being converted. */
export interface ElementPlacement {
  fields: SourceFields;
  canvas: { width: number; height: number };
  inside: Box;
  /** Seconds; -1: after the elements before it. */
  start: number;
  length: number | undefined;
  keyframes: KeyframeBuilder;
}

/** The element's box, whose anchor is at x, y. Animated positions start there and continue with keyframes. */
export function readBox({ fields, canvas, inside, keyframes }: ElementPlacement): Box {
  const isText = fields.raw('type') === 'text';
  const width = lengthOf(still(fields, 'width'), inside.width, canvas) ?? (isText ? inside.width * 0.9 : inside.width);
  const height = lengthOf(still(fields, 'height'), inside.height, canvas) ?? (isText ? inside.height * 0.9 : inside.height);
  const at = (name: 'x' | 'y', whole: number, size: number): number => {
    const anchor = percentOf(still(fields, `${name}_anchor`)) ?? 0.5;
    const value = fields.raw(name);
    const first = Array.isArray(value) ? (value[0] as { value?: unknown } | undefined)?.value : value;
    const begins = lengthOf(first, whole, canvas) ?? whole / 2;
    if (Array.isArray(value)) {
      for (const moment of fields.list(name)) {
        const to = lengthOf(moment.raw('value'), whole, canvas) ?? begins;
        const easing = moment.choice('easing', easings, '; it is linear');
        keyframes.add({ time: secondsOf(moment.raw('time')) ?? 0, ...(easing !== undefined && { easing }), [name]: round(to - begins) });
      }
    }
    return begins - anchor * size;
  };
  const [padX, padY] = [lengthOf(fields.raw('x_padding'), width, canvas) ?? 0, lengthOf(fields.raw('y_padding'), height, canvas) ?? 0];
  return {
    x: round(inside.x + at('x', inside.width, width) + padX),
    y: round(inside.y + at('y', inside.height, height) + padY),
    width: round(Math.max(1, width - 2 * padX)),
    height: round(Math.max(1, height - 2 * padY)),
    start: inside.start,
    length: inside.length,
  };
}

/** A constant value, or the first value of an animated one. */
function still(fields: SourceFields, name: string): unknown {
  const value = fields.raw(name);
  if (!Array.isArray(value)) return value;
  fields.approximate(name, 'as it is at the beginning');
  return (value[0] as { value?: unknown } | undefined)?.value;
}

/** Pixels of a number or of a text such as `50%`, `10 vmin` and `40 px`. */
export function lengthOf(value: unknown, whole: number, canvas: { width: number; height: number }): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  // Sums are written too: `50% + 20 px`.
  let sum: number | undefined;
  for (const [, sign, digits, unit = 'px'] of value.matchAll(/([+-]?)\s*(\d*\.?\d+)\s*(%|px|vw|vh|vmin|vmax)?/g)) {
    const units: Record<string, number> = {
      px: 1,
      '%': whole / 100,
      vw: canvas.width / 100,
      vh: canvas.height / 100,
      vmin: Math.min(canvas.width, canvas.height) / 100,
      vmax: Math.max(canvas.width, canvas.height) / 100,
    };
    sum = (sum ?? 0) + (sign === '-' ? -1 : 1) * Number(digits) * (units[unit] ?? 1);
  }
  return sum;
}

/** `50%` → 0.5. */
export function percentOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value > 1 ? value / 100 : value;
  const number = Number.parseFloat(String(value ?? ''));
  return Number.isNaN(number) ? undefined : number / 100;
}

/** Seconds of a number or of a text such as `2 s` and `50%` (of the whole). */
export function secondsOf(value: unknown, whole?: number): number | undefined {
  if (typeof value === 'number') return value;
  const [, digits, unit] = /^\s*(\d*\.?\d+)\s*(s|%)?\s*$/.exec(String(value ?? '')) ?? [];
  if (digits === undefined) return undefined;
  return unit === '%' ? (whole === undefined ? undefined : (Number(digits) / 100) * whole) : Number(digits);
}
