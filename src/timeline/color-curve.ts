import type { ColorCurve } from '../contract/index.js';
import type { Color, Keyframe } from '../script/index.js';
import { formatColor } from './clips/effects.js';
import { curveOf } from './curves.js';

type ColorProperty = 'color' | 'backgroundColor' | 'strokeColor' | 'borderColor' | 'shadowColor' | 'glowColor';

interface Oklab {
  l: number;
  a: number;
  b: number;
  alpha: number;
}

const limits = { l: { min: -1, max: 2 }, a: { min: -1, max: 1 }, b: { min: -1, max: 1 }, alpha: { min: 0, max: 1 } };

/** A colour of an element over its frames: that of its keyframes, or else its own. */
export function colorCurve(keyframes: readonly Keyframe[], property: ColorProperty, own: Color, frames: number, fps: number): ColorCurve {
  if (keyframes.every((keyframe) => keyframe[property] === undefined)) return formatColor(own);
  const channel = (name: keyof Oklab) => {
    const valueAtKeyframe = (keyframe: Keyframe) => {
      const color = keyframe[property];
      return color === undefined ? undefined : premultipliedOklab(color)[name];
    };
    return curveOf(keyframes, valueAtKeyframe, limits[name], frames, fps) ?? 0;
  };
  return { l: channel('l'), a: channel('a'), b: channel('b'), alpha: channel('alpha') };
}

/** A colour in OKLab, in which equal steps look equal (Ottosson, 2020). Premultiplied, so that a transparent colour has no hue. */
function premultipliedOklab({ r, g, b, a: alphaByte }: Color): Oklab {
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

function linear(byte: number): number {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
