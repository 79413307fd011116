import type { ColorCurve } from '../contract/index.js';
import { type Color, type Keyframe, type Oklab, premultipliedOklab } from '../script/index.js';
import { curveOf } from './curves.js';

type ColorProperty = 'color' | 'backgroundColor' | 'strokeColor' | 'borderColor' | 'shadowColor' | 'glowColor' | 'keyColor';

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

/** A colour as `#rrggbbaa`. */
export function formatColor(color: Color): string {
  return `#${[color.r, color.g, color.b, color.a].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
