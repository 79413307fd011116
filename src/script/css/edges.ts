import { fail, propertyName, show } from '../validation/fail.js';
import type { Color, Sides } from '../values/color-and-sides.js';
import { parseColor } from '../values/colors.js';
import { type LengthScale, parseLength, splitOutsideParentheses } from '../values/lengths.js';
import type { Background } from './background.js';
import { type Declarations, words } from './declarations.js';
import { type Length, lengthAt } from './lengths.js';

type Side = keyof Sides;
/** The sides of a box in CSS order. */
export const sideNames: readonly Side[] = ['top', 'right', 'bottom', 'left'];
type PathOf = (key: string) => string;

/** Parses a shorthand of one to four values, and its longhands, which win. `none`: value of sides that are not set. */
export function parseSides<T>(
  declared: Declarations,
  name: string,
  path: PathOf,
  parse: (value: string | number, path: string) => T,
  none: T,
): Record<Side, T> {
  const short = declared[name];
  const values = short === undefined ? [none] : words(short).map((word) => parse(word, path(name)));
  if (values.length < 1 || values.length > 4) fail(path(name), `${propertyName(path(name))} must have one to four values, not ${show(short)}.`);
  const [top = none, right = top, bottom = top, left = right] = values;
  const all = { top, right, bottom, left };
  for (const [side, key] of longhandsOf(name)) {
    const own = declared[key];
    if (own !== undefined) all[side] = parse(own, path(key));
  }
  return all;
}

const longhands = new Map<string, ReadonlyArray<readonly [Side, string]>>();

/** The longhand of each side, such as `padding-top` or `border-top-width`. */
function longhandsOf(name: string): ReadonlyArray<readonly [Side, string]> {
  let keys = longhands.get(name);
  if (keys === undefined) {
    keys = sideNames.map((side) => [side, name.startsWith('border-') ? name.replace('border', `border-${side}`) : `${name}-${side}`] as const);
    longhands.set(name, keys);
  }
  return keys;
}

/** Visual style of a box. */
export interface BoxLook {
  background: Background;
  border: Border;
  /** Clockwise from the top left. */
  radii: [Length, Length, Length, Length];
  /** Topmost first. */
  shadows: BoxShadow[];
}

/** Widths in pixels; 0: no border. */
export interface Border {
  widths: Sides;
  colors: Record<Side, Color>;
  styles: Record<Side, BorderStyle>;
}

type BorderStyle = 'solid' | 'dashed' | 'dotted' | 'double';

const named: ReadonlyMap<string, number> = new Map([
  ['thin', 1],
  ['medium', 3],
  ['thick', 5],
]);
const lineStyles = ['solid', 'dashed', 'dotted', 'double', 'groove', 'ridge', 'inset', 'outset', 'none', 'hidden'];

interface Line {
  width?: number;
  color?: Color;
  style?: string;
}

/** Parses `border` and its longhands. Unlike in CSS, a width or colour without a style draws a solid border. */
export function parseBorder(declared: Declarations, scale: LengthScale, textColor: Color, path: PathOf): Border {
  if (!Object.keys(declared).some((key) => key.startsWith('border'))) return noBorder(textColor);
  const line = declared.border === undefined ? {} : parseLine(declared.border, scale, path('border'));
  const widths = parseSides(declared, 'border-width', path, (value, at) => widthOf(value, scale, at), undefined as number | undefined);
  const colors = parseSides(declared, 'border-color', path, (value, at) => colorOf(value, at), undefined as Color | undefined);
  const styles = parseSides(declared, 'border-style', path, (value, at) => styleOf(value, at), undefined as string | undefined);
  const border: Border = { widths: { top: 0, right: 0, bottom: 0, left: 0 }, colors: {} as Border['colors'], styles: {} as Border['styles'] };
  for (const side of sideNames) {
    const short = declared[`border-${side}`];
    const own = short === undefined ? {} : parseLine(short, scale, path(`border-${side}`));
    // The properties of a side win over those of all sides, its longhands over its shorthand.
    const pick = <T>(key: string, all: Record<Side, T | undefined>, ofSide: T | undefined, ofAll: T | undefined) =>
      declared[`border-${side}-${key}`] === undefined ? (ofSide ?? all[side] ?? ofAll) : all[side];
    const style = pick('style', styles, own.style, line.style);
    const isHidden = style === 'none' || style === 'hidden';
    border.widths[side] = isHidden ? 0 : (pick('width', widths, own.width, line.width) ?? (style === undefined ? 0 : 3));
    border.styles[side] = shownStyle(style);
    border.colors[side] = pick('color', colors, own.color, line.color) ?? textColor;
  }
  return border;
}

function noBorder(color: Color): Border {
  return {
    widths: { top: 0, right: 0, bottom: 0, left: 0 },
    colors: { top: color, right: color, bottom: color, left: color },
    styles: { top: 'solid', right: 'solid', bottom: 'solid', left: 'solid' },
  };
}

function styleOf(value: string | number, path: string): string {
  const style = String(value).trim();
  return lineStyles.includes(style) ? style : fail(path, `${propertyName(path)} must be one of ${lineStyles.join(', ')}; not ${show(value)}.`);
}

function shownStyle(style: string | undefined): BorderStyle {
  return style === 'dashed' || style === 'dotted' || style === 'double' ? style : 'solid';
}

function parseLine(value: string | number, scale: LengthScale, path: string): Line {
  const line: Line = {};
  for (const word of words(value)) {
    const length = named.get(word) ?? parseLength(word, scale);
    const color = parseColor(word);
    if (length !== undefined && line.width === undefined) line.width = Math.max(0, length);
    else if (lineStyles.includes(word)) line.style = word;
    else if (color) line.color = color;
    else fail(path, `${propertyName(path)} must be made of a width, a style and a colour, like "2px solid white"; not ${show(value)}.`);
  }
  return line;
}

function widthOf(value: string | number, scale: LengthScale, path: string): number {
  const width = named.get(String(value)) ?? parseLength(value, scale);
  if (width === undefined || width < 0 || width > 10_000) fail(path, `${propertyName(path)} must be a length of at least 0, like "2px"; not ${show(value)}.`);
  return width;
}

function colorOf(value: string | number, path: string): Color {
  return parseColor(String(value)) ?? fail(path, `${propertyName(path)} must be a colour, not ${show(value)}.`);
}

/** Parses `border-radius` and its longhands: corners clockwise from the top left. */
export function parseRadii(declared: Declarations, scale: LengthScale, path: PathOf): [Length, Length, Length, Length] {
  const short = String(declared['border-radius'] ?? 0).split('/')[0] ?? '0';
  const [a, b, c, d] = words(short).map((word) => lengthAt(word, scale, path('border-radius')));
  const first = a ?? { px: 0 };
  const second = b ?? first;
  const all: [Length, Length, Length, Length] = [first, second, c ?? first, d ?? second];
  for (const [i, corner] of ['top-left', 'top-right', 'bottom-right', 'bottom-left'].entries()) {
    const own = declared[`border-${corner}-radius`];
    if (own !== undefined) all[i] = lengthAt(words(own)[0] ?? '0', scale, path(`border-${corner}-radius`));
  }
  return all;
}

/** A box shadow; lengths in canvas pixels. */
export interface BoxShadow {
  x: number;
  y: number;
  blur: number;
  spread: number;
  color: Color;
  inset: boolean;
}

/** Parses `box-shadow`. Throws SCHEMA_VALIDATION_ERROR. */
export function parseBoxShadows(value: string | number | undefined, scale: LengthScale, path: string): BoxShadow[] {
  const text = String(value ?? 'none').trim();
  if (text === 'none' || text === '0' || text === '') return [];
  const shadows = splitOutsideParentheses(text, ',').map((entry) => parseBoxShadow(entry, scale));
  if (shadows.length > 16 || shadows.includes(undefined)) {
    fail(path, `${propertyName(path)} must be none, or up to 16 shadows like "0 4px 20px rgba(0, 0, 0, 0.4)"; not ${show(value)}.`);
  }
  return shadows as BoxShadow[];
}

function parseBoxShadow(entry: string, scale: LengthScale): BoxShadow | undefined {
  const shadow: BoxShadow = { x: 0, y: 0, blur: 0, spread: 0, color: { r: 0, g: 0, b: 0, a: 255 }, inset: false };
  const lengths: number[] = [];
  for (const word of words(entry)) {
    const length = parseLength(word, scale);
    const color = parseColor(word);
    if (length !== undefined) lengths.push(length);
    else if (word === 'inset') shadow.inset = true;
    else if (color) shadow.color = color;
    else return undefined;
  }
  if (lengths.length < 2 || lengths.length > 4) return undefined;
  const [x = 0, y = 0, blur = 0, spread = 0] = lengths;
  return { ...shadow, x, y, blur: Math.max(0, blur), spread };
}
