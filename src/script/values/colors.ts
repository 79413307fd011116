import type { Color } from './color-and-sides.js';
import { colorNames } from './color-names.js';

/** Supported colour notations, for messages. */
export const colorForms = '#rgb, #rgba, #rrggbb, #rrggbbaa, a CSS colour name, rgb(), rgba(), hsl(), hsla() or transparent';

export const transparent: Readonly<Color> = Object.freeze({ r: 0, g: 0, b: 0, a: 0 });

/** Parses a CSS colour; undefined for other text. */
export function parseColor(text: string): Color | undefined {
  const color = text.trim().toLowerCase();
  if (color.startsWith('#')) return parseHex(color.slice(1));
  if (color === 'transparent') return { ...transparent };
  const named = colorNames.get(color);
  return named === undefined ? parseFunction(color) : parseHex(named);
}

function parseHex(digits: string): Color | undefined {
  if (!/^([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(digits)) return undefined;
  const long = digits.length < 6 ? [...digits].map((digit) => digit + digit).join('') : digits;
  const value = Number.parseInt(long.padEnd(8, 'f'), 16);
  return { r: value >>> 24, g: (value >>> 16) & 255, b: (value >>> 8) & 255, a: value & 255 };
}

/** Parses both syntaxes of colour functions: `rgba(255, 0, 0, 0.5)` and `rgb(255 0 0 / 50%)`. */
function parseFunction(color: string): Color | undefined {
  const match = /^(rgb|hsl)a?\(([^()]*)\)$/.exec(color);
  const [, model, inside = ''] = match ?? [];
  if (model === undefined) return undefined;
  const parts = (inside.includes(',') ? inside.split(',') : inside.replace('/', ' ').trim().split(/\s+/)).map((part) => part.trim());
  if (parts.length !== 3 && parts.length !== 4) return undefined;
  const [first = '', second = '', third = '', fourth = '1'] = parts;
  const alpha = amount(fourth, 1);
  const channels =
    model === 'rgb' ? [amount(first, 255), amount(second, 255), amount(third, 255)] : hslChannels(angle(first), amount(second, 1), amount(third, 1));
  const [r, g, b] = channels;
  if (alpha === undefined || r === undefined || g === undefined || b === undefined) return undefined;
  return { r: byte(r), g: byte(g), b: byte(b), a: byte(alpha * 255) };
}

/** A number, or a percentage of `whole`. */
function amount(text: string, whole: number): number | undefined {
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+))(%?)$/.exec(text);
  if (match === null) return undefined;
  return match[2] === '%' ? (Number(match[1]) * whole) / 100 : Number(match[1]);
}

function angle(text: string): number | undefined {
  return amount(text.replace(/deg$/, ''), 360);
}

function hslChannels(hue: number | undefined, saturation: number | undefined, lightness: number | undefined): Array<number | undefined> {
  if (hue === undefined || saturation === undefined || lightness === undefined) return [];
  const s = Math.min(1, Math.max(0, saturation));
  const l = Math.min(1, Math.max(0, lightness));
  const chroma = s * Math.min(l, 1 - l);
  const turn = (((hue / 30) % 12) + 12) % 12;
  return [0, 8, 4].map((offset) => {
    const k = (offset + turn) % 12;
    return 255 * (l - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  });
}

function byte(value: number): number {
  return Math.min(255, Math.max(0, Math.round(value)));
}
