import type { Background, Sides, Typography } from '../../../script/index.js';
import {
  type AutoLength,
  autoLengthAt,
  type BoxLook,
  type Declarations,
  degreesOf,
  fail,
  joinPath,
  type Length,
  type LengthScale,
  lengthAt,
  parseBackground,
  parseBorder,
  parseBoxShadows,
  parseRadii,
  parseSides,
  parseTextLook,
  propertyName,
  resolveLength,
  show,
  sideNames,
  words,
} from '../../../script/index.js';
import { textKeys } from './declarations.js';

/** Style and layout of a box or text of a component. Lengths are canvas pixels or percentages that layout resolves. */
export interface Style extends BoxLook {
  hidden: boolean;
  absolute: boolean;
  inset: Partial<Record<keyof Sides, Length>>;
  size: Partial<Record<(typeof sizeKeys)[number], AutoLength>>;
  aspectRatio?: number;
  margin: Record<keyof Sides, AutoLength>;
  padding: Record<keyof Sides, Length>;
  direction: 'row' | 'column' | 'row-reverse' | 'column-reverse';
  wraps: boolean;
  grow: number;
  shrink?: number;
  justify?: Place;
  align?: Place;
  alignSelf?: Place;
  vertical?: 'top' | 'center' | 'bottom';
  horizontal?: 'left' | 'center' | 'right';
  rowGap: number;
  columnGap: number;
  objectFit: 'cover' | 'contain' | 'stretch';
  opacity: number;
  clips: boolean;
  rotation: number;
  typography: Typography;
}

const sizeKeys = ['width', 'height', 'min-width', 'min-height', 'max-width', 'max-height'] as const;

/** Alignment along an axis. */
export type Place = 'start' | 'center' | 'end' | 'stretch' | 'between' | 'around' | 'evenly';

const placesByName: Readonly<Record<string, Place>> = {
  'flex-start': 'start',
  start: 'start',
  left: 'start',
  top: 'start',
  normal: 'start',
  baseline: 'start',
  center: 'center',
  middle: 'center',
  'flex-end': 'end',
  end: 'end',
  right: 'end',
  bottom: 'end',
  stretch: 'stretch',
  'space-between': 'between',
  'space-around': 'around',
  'space-evenly': 'evenly',
};

const choices: Readonly<Record<string, readonly string[]>> = {
  'text-align': ['left', 'center', 'right', 'justify', 'start', 'end'],
  'font-style': ['normal', 'italic', 'oblique'],
  'text-transform': ['none', 'uppercase', 'lowercase', 'capitalize'],
  'white-space': ['normal', 'nowrap', 'pre', 'pre-wrap', 'pre-line', 'break-spaces'],
  'text-wrap': ['wrap', 'nowrap', 'balance', 'pretty', 'stable'],
  hyphens: ['none', 'manual', 'auto'],
  direction: ['ltr', 'rtl'],
  'font-kerning': ['auto', 'normal', 'none'],
  'text-overflow': ['clip', 'ellipsis'],
  'text-decoration-style': ['solid', 'double', 'dotted', 'dashed', 'wavy'],
  'flex-direction': ['row', 'column', 'row-reverse', 'column-reverse'],
};

/** The element's box in canvas pixels. */
export interface Viewport {
  width: number;
  height: number;
}

/** Parses declarations. Throws SCHEMA_VALIDATION_ERROR with the path of the first invalid one. */
export function parseStyle(declared: Declarations, viewport: Viewport, group: string): Style {
  const path = (key: string) => joinPath(group, key);
  for (const [key, allowed] of Object.entries(choices)) {
    const value = declared[key];
    if (value !== undefined && !allowed.includes(String(value).trim().toLowerCase()))
      fail(path(key), `${key} must be one of ${allowed.join(', ')}; not ${show(value)}.`);
  }
  const typography = parseTextLook(textDeclarations(declared), group, viewport);
  const scale: LengthScale = { canvasWidth: viewport.width, canvasHeight: viewport.height, em: typography.fontSize, percent: viewport.width };
  const number = (key: string, fallback: number, low: number, high: number) => numberAt(declared[key], fallback, low, high, path(key));
  const [rowGap = 0, columnGap = rowGap] = words(declared.gap ?? 0).map((word) => resolveLength(lengthAt(word, scale, path('gap')), viewport.width));
  const gapOf = (key: string, fallback: number) =>
    declared[key] === undefined ? fallback : resolveLength(lengthAt(declared[key], scale, path(key)), viewport.width);
  const rotation = rotationOf(declared, path);
  const style: Style = {
    hidden: String(declared.display ?? '').trim() === 'none',
    absolute: /^(absolute|fixed)$/.test(String(declared.position ?? '').trim()),
    inset: {},
    size: {},
    margin: parseSides(declared, 'margin', path, (value, at) => autoLengthAt(value, scale, at), { px: 0 } as AutoLength),
    padding: parseSides(declared, 'padding', path, (value, at) => lengthAt(value, scale, at), { px: 0 } as Length),
    direction: (declared['flex-direction'] as Style['direction']) ?? 'column',
    wraps: String(declared['flex-wrap'] ?? '').startsWith('wrap'),
    grow: number('flex-grow', Number.parseFloat(String(declared.flex ?? 0)) || 0, 0, 1000),
    rowGap: gapOf('row-gap', rowGap),
    columnGap: gapOf('column-gap', columnGap),
    ...filled(parseBackground(declared, scale, path), declared, typography),
    objectFit: objectFit(String(declared['object-fit'] ?? 'cover').trim()),
    border: parseBorder(declared, scale, typography.color, path),
    radii: parseRadii(declared, scale, path),
    shadows: parseBoxShadows(declared['box-shadow'], scale, path('box-shadow')),
    opacity: number('opacity', 1, 0, 1),
    clips: /^(hidden|clip|scroll|auto)$/.test(String(declared.overflow ?? '').trim()),
    rotation,
  };
  for (const side of sideNames) {
    const value = declared[side];
    if (value !== undefined && String(value).trim() !== 'auto') style.inset[side] = lengthAt(value, scale, path(side));
  }
  for (const key of sizeKeys) {
    const value = declared[key];
    if (value !== undefined) style.size[key] = autoLengthAt(value, scale, path(key));
  }
  if (declared['flex-shrink'] !== undefined) style.shrink = number('flex-shrink', 1, 0, 1000);
  const ratio = declared['aspect-ratio'];
  if (ratio !== undefined && String(ratio).trim() !== 'auto') style.aspectRatio = ratioOf(ratio, path('aspect-ratio'));
  return { ...style, ...placement(declared, path) };
}

/** Applies `background-clip: text`: the background fills the letters instead of the box. */
function filled(background: Background, declared: Declarations, typography: Typography): Pick<Style, 'background' | 'typography'> {
  if (String(declared['background-clip'] ?? '').trim() !== 'text') return { background, typography };
  return { background: { color: undefined, layers: [] }, typography: { ...typography, fill: background } };
}

function textDeclarations(declared: Declarations): Declarations {
  const own = Object.fromEntries(textKeys.flatMap((key) => (declared[key] === undefined ? [] : [[key, declared[key]]])));
  return { 'text-shadow': 'none', ...own };
}

function placement(declared: Declarations, path: (key: string) => string): Partial<Style> {
  const place = (key: string) => (declared[key] === undefined ? undefined : placeAt(declared[key], path(key)));
  const justify = place('justify-content');
  const align = place('align-items');
  const alignSelf = place('align-self');
  const vertical = sideOf(declared['vertical-align'], ['top', 'center', 'bottom'], path('vertical-align'));
  const horizontal = sideOf(declared['horizontal-align'], ['left', 'center', 'right'], path('horizontal-align'));
  return {
    ...(justify && { justify }),
    ...(align && { align }),
    ...(alignSelf && { alignSelf }),
    ...(vertical && { vertical: vertical as NonNullable<Style['vertical']> }),
    ...(horizontal && { horizontal: horizontal as NonNullable<Style['horizontal']> }),
  };
}

function placeAt(value: string | number, path: string): Place | undefined {
  const text = String(value).trim();
  if (text === 'auto') return undefined;
  return (
    (Object.hasOwn(placesByName, text) ? placesByName[text] : undefined) ??
    fail(path, `${propertyName(path)} must be one of ${Object.keys(placesByName).join(', ')}; not ${show(value)}.`)
  );
}

function sideOf(value: string | number | undefined, allowed: readonly string[], path: string): string | undefined {
  if (value === undefined) return undefined;
  const text = String(value).trim().toLowerCase();
  const found = { middle: 'center', baseline: 'bottom' }[text] ?? text;
  return allowed.includes(found) ? found : fail(path, `${propertyName(path)} must be one of ${allowed.join(', ')}; not ${show(value)}.`);
}

function objectFit(value: string): Style['objectFit'] {
  if (value === 'fill') return 'stretch';
  return value === 'contain' || value === 'scale-down' ? 'contain' : 'cover';
}

function rotationOf(declared: Declarations, path: (key: string) => string): number {
  const inTransform = /rotateZ?\(([^)]*)\)/.exec(String(declared.transform ?? ''))?.[1];
  const value = declared.rotate ?? inTransform ?? 0;
  if (value === 'none') return 0;
  return degreesOf(value) ?? fail(path('rotate'), `rotate must be an angle like "30deg", not ${show(value)}.`);
}

function numberAt(value: string | number | undefined, fallback: number, low: number, high: number, path: string): number {
  if (value === undefined) return fallback;
  const text = String(value).trim();
  const number = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (text === '' || !(number >= low && number <= high)) fail(path, `${propertyName(path)} must be a number from ${low} to ${high}, not ${show(value)}.`);
  return number;
}

function ratioOf(value: string | number, path: string): number {
  const [a = Number.NaN, b = 1] = String(value).split(/[/:]/).map(Number);
  const ratio = a / b;
  return ratio > 0 && ratio < 1000 ? ratio : fail(path, `${propertyName(path)} must be a ratio like "16/9", not ${show(value)}.`);
}
