import { fail, propertyName, show } from '../validation/fail.js';
import type { Color, Sides } from '../values/color-and-sides.js';
import { colorForms, parseColor } from '../values/colors.js';
import { type LengthScale, splitOutsideParentheses } from '../values/lengths.js';
import { type Declarations, words } from './declarations.js';
import { type Length, parseLayoutLength } from './lengths.js';

/** A colour stop of a gradient. */
export interface ColorStop {
  color: Color;
  /** Position on the gradient line; absent: midway between its neighbours. */
  at?: Length;
}

/** The paint of a background layer. */
export type Paint =
  | { kind: 'image'; url: string }
  | { kind: 'linear'; degrees: number | 'corner'; toward: [number, number]; stops: ColorStop[]; repeats: boolean }
  | { kind: 'radial'; circle: boolean; x: Length; y: Length; stops: ColorStop[]; repeats: boolean }
  | { kind: 'conic'; degrees: number; x: Length; y: Length; stops: ColorStop[] };

/** An image or gradient of a background. */
export interface BackgroundLayer {
  paint: Paint;
  size: 'cover' | 'contain' | 'auto' | 'stretch' | [Length | 'auto', Length | 'auto'];
  x: Length;
  y: Length;
  repeatX: boolean;
  repeatY: boolean;
}

/** A parsed CSS background. */
export interface Background {
  color: Color | undefined;
  /** Topmost first. */
  layers: BackgroundLayer[];
  /** Distance from the outer edge of the border to the painted area (`background-clip`); absent: 0. */
  inset?: Sides;
}

const half: Length = { percent: 50 };
const positionPercents: ReadonlyMap<string, number> = new Map(Object.entries({ left: 0, top: 0, center: 50, middle: 50, right: 100, bottom: 100 }));
const forms = `a colour (${colorForms}), url(…) or a gradient`;

/** Parses `background` and its longhands. Throws SCHEMA_VALIDATION_ERROR with the path from `path`. */
export function parseBackground(declared: Declarations, scale: LengthScale, path: (key: string) => string): Background {
  const background: Background = { color: undefined, layers: [] };
  const short = declared.background;
  if (short !== undefined) addShorthand(background, String(short), scale, path('background'));
  const color = declared['background-color'];
  if (color !== undefined) background.color = colorAt(color, path('background-color'));
  const image = declared['background-image'];
  if (image !== undefined) background.layers = parseImages(String(image), scale, path('background-image'));
  const size = declared['background-size'];
  if (size !== undefined) for (const layer of background.layers) layer.size = parseSize(String(size), scale, path('background-size'));
  const position = declared['background-position'];
  if (position !== undefined) for (const layer of background.layers) Object.assign(layer, parsePosition(String(position), scale, path('background-position')));
  const repeat = declared['background-repeat'];
  if (repeat !== undefined) for (const layer of background.layers) Object.assign(layer, repetition(String(repeat).trim()));
  return background;
}

function colorAt(value: string | number, path: string): Color {
  const text = String(value).trim();
  if (text === 'none') return { r: 0, g: 0, b: 0, a: 0 };
  return parseColor(text) ?? fail(path, `${propertyName(path)} must be a colour (${colorForms}), not ${show(value)}.`);
}

function layerOf(paint: Paint): BackgroundLayer {
  return { paint, size: paint.kind === 'image' ? 'auto' : 'stretch', x: { percent: 0 }, y: { percent: 0 }, repeatX: true, repeatY: true };
}

function addShorthand(background: Background, value: string, scale: LengthScale, path: string): void {
  for (const part of splitOutsideParentheses(value, ',')) {
    const [before = '', after] = splitSlash(part);
    let layer: BackgroundLayer | undefined;
    const position: string[] = [];
    for (const word of words(before)) {
      const paint = parsePaint(word, scale);
      const color = parseColor(word);
      if (paint) layer = layerOf(paint);
      else if (color) background.color = color;
      else if (/^(no-repeat|repeat|repeat-x|repeat-y)$/.test(word)) layer && Object.assign(layer, repetition(word));
      else if (/^(none|scroll|fixed|local|initial|inherit|unset)$/.test(word)) continue;
      else if (positionPercents.has(word) || parseLayoutLength(word, scale)) position.push(word);
      else fail(path, `${propertyName(path)} must be ${forms}; ${show(word)} is none of these.`);
    }
    if (!layer) continue;
    if (position.length > 0) Object.assign(layer, parsePosition(position.join(' '), scale, path));
    if (after !== undefined) {
      const sizes = words(after).filter((word) => !/repeat$/.test(word));
      if (sizes.length > 0) layer.size = parseSize(sizes.join(' '), scale, path);
      if (/no-repeat/.test(after)) Object.assign(layer, repetition('no-repeat'));
    }
    background.layers.push(layer);
  }
}

/** Splits `center / cover` at the slash outside of functions. */
function splitSlash(text: string): string[] {
  let depth = 0;
  for (const [i, letter] of [...text].entries()) {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter === '/' && depth === 0) return [text.slice(0, i), text.slice(i + 1)];
  }
  return [text];
}

function parseImages(value: string, scale: LengthScale, path: string): BackgroundLayer[] {
  const parts = splitOutsideParentheses(value, ',').filter((part) => part !== '' && part !== 'none');
  return parts.map((part) => {
    const bare = /^(https?:|[./]|[\w-]+\.\w+)/i.test(part) ? ({ kind: 'image', url: part } as const) : undefined;
    return layerOf(parsePaint(part, scale) ?? bare ?? fail(path, `${propertyName(path)} must be url(…) or a gradient, not ${show(part)}.`));
  });
}

function parsePaint(text: string, scale: LengthScale): Paint | undefined {
  const url = /^url\(\s*(["']?)(.*?)\1\s*\)$/is.exec(text);
  if (url) return url[2] === '' ? undefined : { kind: 'image', url: url[2] as string };
  const match = /^(repeating-)?(linear|radial|conic)-gradient\((.*)\)$/is.exec(text);
  if (!match) return undefined;
  const parts = splitOutsideParentheses(match[3] ?? '', ',');
  const first = parseStops([parts[0] ?? ''], scale);
  const stops = parseStops(first ? parts : parts.slice(1), scale);
  if (!stops || stops.length < 1) return undefined;
  const head = first ? '' : (parts[0] ?? '').trim().toLowerCase();
  const repeats = match[1] !== undefined;
  if (match[2] === 'linear') return linear(head, stops, repeats);
  const [shape = '', at] = head.split(/\bat\b/);
  const { x, y } = at === undefined ? { x: half, y: half } : parsePosition(at.trim(), scale, '');
  if (match[2] === 'radial') return { kind: 'radial', circle: /circle/.test(shape), x, y, stops, repeats };
  return { kind: 'conic', degrees: degreesOf(/from\s+(\S+)/.exec(shape)?.[1] ?? '0') ?? 0, x, y, stops };
}

function linear(head: string, stops: ColorStop[], repeats: boolean): Paint | undefined {
  const sides = /^to\s+(.*)$/.exec(head)?.[1]?.split(/\s+/);
  const toward: [number, number] = [0, 0];
  for (const side of sides ?? []) {
    if (side === 'left' || side === 'right') toward[0] = side === 'left' ? -1 : 1;
    else if (side === 'top' || side === 'bottom') toward[1] = side === 'top' ? -1 : 1;
    else return undefined;
  }
  if (toward[0] !== 0 && toward[1] !== 0) return { kind: 'linear', degrees: 'corner', toward, stops, repeats };
  if (sides) return { kind: 'linear', degrees: toward[0] === 0 ? (toward[1] < 0 ? 0 : 180) : toward[0] > 0 ? 90 : 270, toward, stops, repeats };
  const degrees = head === '' ? 180 : degreesOf(head);
  return degrees === undefined ? undefined : { kind: 'linear', degrees, toward, stops, repeats };
}

/** Degrees of a CSS angle; bare numbers are degrees. Undefined for other text. */
export function degreesOf(text: string | number): number | undefined {
  const match = /^\s*([+-]?(?:\d+\.?\d*|\.\d+))(deg|rad|turn|grad)?\s*$/i.exec(String(text));
  if (!match) return undefined;
  const factor = { deg: 1, rad: 180 / Math.PI, turn: 360, grad: 0.9 }[(match[2] ?? 'deg').toLowerCase()] ?? 1;
  return Number(match[1]) * factor;
}

function parseStops(parts: readonly string[], scale: LengthScale): ColorStop[] | undefined {
  const stops: ColorStop[] = [];
  for (const part of parts) {
    const [name = '', ...at] = words(part);
    const color = parseColor(name);
    if (!color || at.length > 2) return undefined;
    const positions = at.map((text) => parseStopPosition(text, scale));
    if (positions.includes(undefined)) return undefined;
    if (positions.length === 0) stops.push({ color });
    for (const position of positions) stops.push({ color, at: position as Length });
  }
  return stops;
}

function parseStopPosition(text: string, scale: LengthScale): Length | undefined {
  if (/(deg|turn|rad)$/.test(text)) return { percent: ((degreesOf(text) ?? 0) / 360) * 100 };
  return parseLayoutLength(text, scale);
}

function parseSize(value: string, scale: LengthScale, path: string): BackgroundLayer['size'] {
  const text = value.trim();
  if (text === 'cover' || text === 'contain' || text === 'auto') return text;
  if (text === 'fill' || text === 'stretch') return 'stretch';
  const [x, y] = words(text).map((word) => (word === 'auto' ? 'auto' : parseLayoutLength(word, scale)));
  if (x === undefined) return fail(path, `${propertyName(path)} must be cover, contain, auto, or one or two lengths; not ${show(value)}.`);
  return [x, y ?? 'auto'];
}

function parsePosition(value: string, scale: LengthScale, path: string): { x: Length; y: Length } {
  const parts = words(value);
  const lengths = parts.map((word): Length | undefined => {
    const percent = positionPercents.get(word);
    return percent === undefined ? parseLayoutLength(word, scale) : { percent };
  });
  if (parts.length < 1 || lengths.some((length) => length === undefined)) {
    return fail(path, `${propertyName(path)} must be made of left, center, right, top, bottom and lengths; not ${show(value)}.`);
  }
  const swapped = /^(top|bottom)$/.test(parts[0] ?? '') || /^(left|right)$/.test(parts[1] ?? '');
  const [x = half, y = half] = swapped ? [lengths[1], lengths[0]] : lengths;
  return { x: x ?? half, y: y ?? half };
}

function repetition(value: string): { repeatX: boolean; repeatY: boolean } {
  return { repeatX: value === 'repeat' || value === 'repeat-x', repeatY: value === 'repeat' || value === 'repeat-y' };
}
