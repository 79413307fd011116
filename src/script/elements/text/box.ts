import { type Border, type BoxLook, parseBackground, parseBorder, parseBoxShadows, parseLayoutLength, parseRadii, sideNames, words } from '../../css/index.js';
import { isAuto } from '../../css/lengths.js';
import type { Sides, Typography } from '../../movie.js';
import { fail, propertyName, show } from '../../validation/fail.js';
import { type LengthScale, lengthForms, parseLength } from '../../values/lengths.js';
import type { TextDeclarations } from './declarations.js';

const corners = ['top-left', 'top-right', 'bottom-right', 'bottom-left'] as const;
const transparent = { r: 0, g: 0, b: 0, a: 0 };

/** Size of the element's box, to which percentages refer. */
interface ElementSize {
  width: number;
  height: number;
}

/** The box of a text block: background, border, shadows and size limits. `dropShadows` apply to the block if it has a background, otherwise to the letters. */
export function parseTextBox(
  sheet: TextDeclarations,
  typography: Typography,
  scale: LengthScale,
  room: ElementSize,
  dropShadows: Typography['shadows'],
): Partial<Typography> {
  const { declared, path } = sheet;
  if (isHidden(sheet)) return { backgroundColor: transparent };
  const look = lookOf(sheet, typography, scale);
  const clipsToText = declared['background-clip'] === 'text';
  const { top, right, bottom, left } = look.border.widths;
  const { padding } = typography;
  const outline = outlineOf(sheet, typography, scale, look);
  const isFilled = !clipsToText && (look.background.layers.length > 0 || typography.backgroundColor.a > 0);
  if (isFilled) look.shadows.push(...dropShadows.map((shadow) => ({ ...shadow, spread: 0, inset: false })));
  const isPlain =
    look.background.inset === undefined &&
    look.background.layers.length === 0 &&
    look.shadows.length === 0 &&
    !hasBorder(look.border) &&
    !hasSingleCorners(sheet);
  return {
    ...(clipsToText ? { fill: look.background, backgroundColor: transparent } : {}),
    ...(isPlain ? {} : { box: clipsToText ? { ...look, background: { color: undefined, layers: [] } } : look }),
    ...(hasBorder(look.border)
      ? { padding: { top: padding.top + top, right: padding.right + right, bottom: padding.bottom + bottom, left: padding.left + left } }
      : {}),
    ...(outline === undefined ? {} : { outline }),
    ...(isFilled ? {} : { shadows: [...typography.shadows, ...dropShadows] }),
    ...(/^(hidden|clip|scroll|auto)$/.test(String(declared.overflow ?? '')) ? { clips: true } : {}),
    ...sizesOf(sheet, scale, room, path),
  };
}

function lookOf({ declared, path }: TextDeclarations, typography: Typography, scale: LengthScale): BoxLook {
  const { background: short, 'background-color': _, ...others } = declared;
  const hasLayers = /gradient\(|url\(/i.test(`${short} ${declared['background-image']}`);
  const parsed = hasLayers ? parseBackground({ ...others, ...(isGradient(short) ? { background: short as string } : {}) }, scale, path) : undefined;
  const withImage = parsed?.layers.some(({ paint }) => paint.kind === 'image') ? (/url\(/i.test(String(short)) ? 'background' : 'background-image') : undefined;
  if (withImage !== undefined) fail(path(withImage), `${propertyName(path(withImage))} must be a colour or gradients, not ${show(declared[withImage])}.`);
  const radius = { px: typography.borderRadius };
  const border = parseBorder(declared, scale, typography.color, path);
  const inset = insetOf(declared['background-clip'], border.widths, typography.padding);
  return {
    background: { color: typography.backgroundColor, layers: parsed?.layers ?? [], ...(inset === undefined ? {} : { inset }) },
    border,
    radii:
      isPercentOrMany(declared['border-radius']) || hasSingleCorners({ declared, path }) ? parseRadii(declared, scale, path) : [radius, radius, radius, radius],
    shadows: parseBoxShadows(declared['box-shadow'], scale, path('box-shadow')),
  };
}

/** Whether `display` is `none`. */
export function isHidden({ declared }: TextDeclarations): boolean {
  return String(declared.display ?? '').trim() === 'none';
}

function insetOf(clip: string | number | undefined, border: Sides, padding: Sides): Sides | undefined {
  if (clip === 'padding-box') return border;
  if (clip !== 'content-box') return undefined;
  return Object.fromEntries(sideNames.map((side) => [side, border[side] + padding[side]])) as unknown as Sides;
}

function isGradient(value: string | number | undefined): boolean {
  return /gradient\(|url\(/i.test(String(value ?? ''));
}

function isPercentOrMany(value: string | number | undefined): boolean {
  return value !== undefined && (words(value).length > 1 || String(value).trim().endsWith('%'));
}

function hasSingleCorners({ declared }: TextDeclarations): boolean {
  return words(declared['border-radius'] ?? 0).length > 1 || corners.some((corner) => declared[`border-${corner}-radius`] !== undefined);
}

function hasBorder({ widths }: Border): boolean {
  return sideNames.some((side) => widths[side] > 0);
}

/** The outline: a border outside the block's border. */
function outlineOf({ declared, path }: TextDeclarations, typography: Typography, scale: LengthScale, look: BoxLook): Typography['outline'] {
  const line = Object.fromEntries(
    ['outline', 'outline-width', 'outline-style', 'outline-color']
      .filter((key) => declared[key] !== undefined)
      .map((key) => [key.replace('outline', 'border'), declared[key] as string | number]),
  );
  const border = parseBorder(line, scale, typography.color, (key) => path(key.replace('border', 'outline')));
  if (!hasBorder(border)) return undefined;
  const offset = pixelsOf(declared['outline-offset'] ?? 0, scale, path('outline-offset'));
  const reach = offset + border.widths.top;
  const radii = look.radii.map((radius) => ('px' in radius && radius.px > 0 ? { px: radius.px + reach } : radius)) as BoxLook['radii'];
  return { offset: reach, look: { background: { color: undefined, layers: [] }, border, radii, shadows: [] } };
}

function sizesOf({ declared }: TextDeclarations, scale: LengthScale, room: ElementSize, path: (key: string) => string): Partial<Typography> {
  const read = (key: string, whole: number) => {
    const value = declared[key];
    return value === undefined || isAuto(value) ? undefined : Math.min(32_768, Math.max(0, pixelsOf(value, { ...scale, percent: whole }, path(key))));
  };
  const height = read('height', room.height);
  const sizes = {
    minWidth: read('min-width', room.width),
    maxWidth: read('max-width', room.width),
    minHeight: larger(read('min-height', room.height), height),
    maxHeight: read('max-height', room.height) ?? height,
  };
  return Object.fromEntries(Object.entries(sizes).filter(([, size]) => size !== undefined));
}

function larger(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

/** Parses a length in pixels; percentages are resolved by the scale. Throws SCHEMA_VALIDATION_ERROR. */
export function pixelsOf(value: string | number, scale: LengthScale, path: string): number {
  const length = parseLayoutLength(value, scale) === undefined ? undefined : parseLength(value, scale);
  return length ?? fail(path, `${propertyName(path)} must be ${lengthForms}, not ${show(value)}.`);
}
