import type { Color, Theme } from '../../script/index.js';
import { contrastOf, mixColors, readableOn } from './contrast.js';
import type { Group, Settings } from './settings.js';
import type { Viewport } from './style/style.js';

/** Corner radii by name, in units of the shorter side of the box. */
const radii: Readonly<Record<Theme['corners'], Record<string, string>>> = {
  sharp: { radius: '0', 'radius-small': '0', 'radius-large': '0', pill: '0' },
  soft: { radius: '1.6vmin', 'radius-small': '0.8vmin', 'radius-large': '2.8vmin', pill: '1.6vmin' },
  round: { radius: '3vmin', 'radius-small': '1.6vmin', 'radius-large': '4.6vmin', pill: '50vmin' },
};

const white: Color = { r: 255, g: 255, b: 255, a: 255 };
const black: Color = { r: 0, g: 0, b: 0, a: 255 };

/** Number of colours of chart series; later series repeat them. */
export const seriesCount = 8;

/**
 * Adds the groups `theme` and `view`, and fills `{{theme.…}}` in the defaults of the other groups. The view tells components the shape of
 * the element's box: `portrait`, `square` or `landscape` is true.
 */
export function withTheme(settings: Settings, theme: Theme, viewport: Viewport): Settings {
  const values = themeValues(theme);
  const fill = (value: unknown): unknown =>
    typeof value === 'string' ? value.replaceAll(/\{\{\s*theme\.([\w-]+)\s*\}\}/g, (_, name: string) => values[name] ?? '') : value;
  const fillAll = <T>(object: Readonly<Record<string, T>>) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, fill(value) as T]));
  const filled = [...settings].map(([name, group]) => [name, { ...group, values: fillAll(group.values), defaults: fillAll(group.defaults) }] as const);
  return new Map<string, Group>([...filled, ['theme', groupOf(values)], ['view', groupOf(viewValues(viewport))]]);
}

function groupOf(values: Readonly<Record<string, unknown>>): Group {
  return { path: '', given: {}, defaults: {}, values, isGiven: false, unsupported: [] };
}

/** Shape of a box; boxes up to a fifth longer than wide count as square. */
export function shapeOf({ width, height }: Viewport): 'portrait' | 'square' | 'landscape' {
  if (height > width * 1.2) return 'portrait';
  return width > height * 1.2 ? 'landscape' : 'square';
}

function viewValues(viewport: Viewport): Record<string, string> {
  return { [shapeOf(viewport)]: 'true' };
}

function themeValues(theme: Theme): Record<string, string> {
  const { primary, accent, background, surface } = theme;
  const onSurface = readableOn([surface], theme.text);
  const deep = mixColors(primary, black, 0.28);
  const values: Record<string, Color> = {
    primary,
    accent,
    background,
    surface,
    text: onSurface,
    'primary-deep': deep,
    'primary-soft': mixColors(surface, primary, 0.1),
    'surface-shade': mixColors(surface, onSurface, 0.06),
    line: mixColors(surface, onSurface, 0.14),
    'background-raised': mixColors(background, readableOn([background], theme.text), 0.08),
    'background-line': mixColors(background, readableOn([background], theme.text), 0.2),
  };
  for (const [index, color] of seriesColors(theme).entries()) values[`series-${index}`] = color;
  const texts = Object.fromEntries(Object.entries(values).map(([name, color]) => [name, hexOf(color)]));
  return { ...texts, ...(radii[theme.corners] as Record<string, string>), heading: theme.fontHeading, body: theme.fontBody, logo: theme.logo ?? '' };
}

/** Colours of a chart on the surface: shades of both main colours that differ in lightness. */
function seriesColors({ primary, accent, surface, text }: Theme): Color[] {
  const onSurface = readableOn([surface], text);
  const colors = [
    primary,
    accent,
    mixColors(primary, surface, 0.5),
    mixColors(primary, onSurface, 0.5),
    mixColors(accent, surface, 0.5),
    mixColors(accent, onSurface, 0.45),
    mixColors(primary, accent, 0.5),
    mixColors(surface, onSurface, 0.35),
  ];
  return colors.map((color) => (contrastOf(color, surface) < 1.25 ? mixColors(color, contrastOf(white, surface) > 4.5 ? white : black, 0.3) : color));
}

function hexOf({ r, g, b, a }: Color): string {
  return `#${[r, g, b, a].map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
}
