import type { Color } from './color-and-sides.js';

/** A colour in OKLab, in which equal steps look equal (Ottosson, 2020). Premultiplied, so that a transparent colour has no hue. */
export interface Oklab {
  l: number;
  a: number;
  b: number;
  alpha: number;
}

/** Converts a colour to premultiplied OKLab. */
export function premultipliedOklab({ r, g, b, a: alphaByte }: Color): Oklab {
  const [red, green, blue] = [linear(r), linear(g), linear(b)];
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const alpha = alphaByte / 255;
  return {
    l: alpha * (0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s),
    a: alpha * (1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s),
    b: alpha * (0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s),
    alpha,
  };
}

/** Converts premultiplied OKLab to the nearest colour of sRGB. */
function colorOfOklab({ alpha, ...premultiplied }: Oklab): Color {
  if (alpha <= 0) return { r: 0, g: 0, b: 0, a: 0 };
  const [lightness, a, b] = [premultiplied.l / alpha, premultiplied.a / alpha, premultiplied.b / alpha];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return {
    r: encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    g: encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    b: encoded(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
    a: byte(alpha),
  };
}

/** The colour between two others, even for the eye; `share` 0: `from`, 1: `to`. */
export function mixColors(from: Color, to: Color, share: number): Color {
  const [start, end] = [premultipliedOklab(from), premultipliedOklab(to)];
  const mixed = (channel: keyof Oklab) => start[channel] + (end[channel] - start[channel]) * share;
  return colorOfOklab({ l: mixed('l'), a: mixed('a'), b: mixed('b'), alpha: mixed('alpha') });
}

function linear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function encoded(value: number): number {
  return byte(value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);
}

function byte(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 255);
}
