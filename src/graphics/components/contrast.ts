import type { Color } from '../../script/index.js';

/** Minimum contrast of text with its ground: WCAG 2, level AA. */
export const minContrast = 4.5;

const light: Color = { r: 255, g: 255, b: 255, a: 255 };
const dark: Color = { r: 17, g: 18, b: 28, a: 255 };
const black: Color = { r: 0, g: 0, b: 0, a: 255 };

/** Relative luminance of WCAG 2, 0 to 1. */
function luminanceOf({ r, g, b }: Color): number {
  const [red = 0, green = 0, blue = 0] = [r, g, b].map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio of two opaque colours, 1 to 21. */
export function contrastOf(a: Color, b: Color): number {
  const [low = 0, high = 0] = [luminanceOf(a), luminanceOf(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** Mixes opaque colours; `share` of the second one. */
export function mixColors(first: Color, second: Color, share: number): Color {
  const mix = (a: number, b: number) => Math.round(a + (b - a) * share);
  return { r: mix(first.r, second.r), g: mix(first.g, second.g), b: mix(first.b, second.b), a: 255 };
}

/** The colour as seen over an opaque ground. */
export function flatten(color: Color, ground: Color): Color {
  return mixColors(ground, color, color.a / 255);
}

function worstContrast(color: Color, grounds: readonly Color[]): number {
  return Math.min(...grounds.map((ground) => contrastOf(color, ground)));
}

/**
 * `preferred` if it is readable on all grounds; else the light or dark colour that is, or the better of both. With `keepsHue`, the
 * preferred colour is lightened or darkened only as far as needed.
 */
export function readableOn(grounds: readonly Color[], preferred: Color, keepsHue = false): Color {
  if (grounds.length === 0 || worstContrast(preferred, grounds) >= minContrast) return preferred;
  const better = [light, dark].toSorted((a, b) => worstContrast(b, grounds) - worstContrast(a, grounds))[0] as Color;
  // Only black is readable on some middle greys.
  const target = worstContrast(better, grounds) < minContrast && worstContrast(black, grounds) > worstContrast(better, grounds) ? black : better;
  if (!keepsHue) return target;
  for (let share = 0.1; share < 1; share += 0.1) {
    const mixed = mixColors(preferred, target, share);
    if (worstContrast(mixed, grounds) >= minContrast) return mixed;
  }
  return target;
}

/** A quieter variant of a text colour that is still readable on all grounds. */
export function mutedOn(grounds: readonly Color[], text: Color): Color {
  const [ground] = grounds;
  if (ground === undefined) return text;
  for (const share of [0.36, 0.28, 0.2, 0.12]) {
    const mixed = mixColors(text, ground, share);
    if (worstContrast(mixed, grounds) >= minContrast) return mixed;
  }
  return text;
}
