import { type Color, type Declarations, parseColor, splitOutsideParentheses } from '../../script/index.js';
import { flatten, mutedOn, readableOn } from './contrast.js';
import { lookUp } from './placeholders.js';
import type { Settings } from './settings.js';

/** Values of `color` that depend on what lies behind the text. */
export const readableColors = ['readable', 'readable-muted', 'readable-primary', 'readable-accent'] as const;

const black: Color = { r: 0, g: 0, b: 0, a: 255 };

/** Opaque colours of a node's background, or those behind it: a gradient has several, an image none of its own. */
export function groundsOf(declared: Declarations, backdrop: string | undefined, behind: readonly Color[]): readonly Color[] {
  const drawn = colorsIn(backdrop ?? '').filter(({ a }) => a > 0);
  const below = drawn.length > 0 ? drawn.map((color) => flatten(color, behind[0] ?? black)) : behind;
  const text = [declared.background, declared['background-color'], declared['background-image']].filter((part) => part !== undefined).join(' ');
  const own = colorsIn(text).filter(({ a }) => a > 40);
  if (own.length === 0) return below;
  const grounds = below.length > 0 ? below : [black];
  return own.flatMap((color) => grounds.map((ground) => flatten(color, ground)));
}

/** All colours in a CSS background. */
function colorsIn(text: string): Color[] {
  return splitOutsideParentheses(text, ' ').flatMap((word) => {
    const inside = /^[\w-]*gradient\((.*)\)/is.exec(word)?.[1];
    if (inside !== undefined) return splitOutsideParentheses(inside, ',').flatMap((stop) => colorsIn(stop));
    const color = /^url\(/i.test(word) ? undefined : parseColor(word.replace(/,$/, ''));
    return color === undefined ? [] : [color];
  });
}

/** Replaces a `readable…` colour by a colour of the theme that is readable on the grounds. */
export function withReadableColor(declared: Declarations, grounds: readonly Color[], settings: Settings): Declarations {
  const name = String(declared.color ?? '').trim();
  if (!(readableColors as readonly string[]).includes(name)) return declared;
  const themed = (key: string) => parseColor(String(lookUp(settings, `theme.${key}`) ?? '')) ?? black;
  const behind = grounds.length > 0 ? grounds : [themed('surface')];
  const text = readableOn(behind, themed('text'));
  const color =
    name === 'readable' ? text : name === 'readable-muted' ? mutedOn(behind, text) : readableOn(behind, themed(name.slice('readable-'.length)), true);
  return { ...declared, color: `rgb(${color.r}, ${color.g}, ${color.b})` };
}
