import type { Color } from '../values/color-and-sides.js';
import type { Corners, Grade } from '../values/looks.js';
import type { EasingFunction } from './animation.js';

/** Values of an element at one time; properties that are absent are not affected by the keyframe. */
export interface Keyframe {
  /** Seconds from the element's start, or a fraction of its duration. */
  time: { seconds: number } | { fraction: number };
  easing: EasingFunction;
  /** Canvas pixels added to the element's position. */
  x?: number;
  y?: number;
  /** Factors. */
  scale?: number;
  opacity?: number;
  volume?: number;
  /** Degrees, clockwise. */
  rotation?: number;
  /** Degrees in perspective, added to the element's. */
  rotateX?: number;
  rotateY?: number;
  /** Degrees added to the element's. */
  skewX?: number;
  skewY?: number;
  /** Canvas pixels. It and what follows replaces the element's own value. */
  cornerRadius?: number;
  brightness?: number;
  contrast?: number;
  gamma?: number;
  saturation?: number;
  sharpen?: number;
  /** Its amount; the rest in shares of the distance to the corners. */
  vignette?: number;
  vignetteSize?: number;
  vignetteSoftness?: number;
  grain?: number;
  /** Canvas pixels. */
  width?: number;
  height?: number;
  /** Pixels of the file. */
  crop?: { x: number; y: number; width: number; height: number };
  /** Of a text or an audiogram. */
  color?: Color;
  /** Of a text. */
  backgroundColor?: Color;
  strokeColor?: Color;
  borderColor?: Color;
  /** Of the first shadow: canvas pixels, the blur as a standard deviation. */
  shadowColor?: Color;
  shadowBlur?: number;
  shadowX?: number;
  shadowY?: number;
  /** Of the glow: canvas pixels as a standard deviation, and 0..4. */
  glowColor?: Color;
  glowRadius?: number;
  glowIntensity?: number;
  /** Fractions of the box. */
  anchorX?: number;
  anchorY?: number;
  /** Distance of the viewer in canvas pixels. */
  perspective?: number;
  /** Of the chroma key. */
  keyColor?: Color;
  keyTolerance?: number;
  keySoftness?: number;
  keyDespill?: number;
  keyChoke?: number;
  /** The whole grade; empty: none. */
  grade?: Grade;
  /** On the canvas. */
  corners?: Corners;
  /** Fraction of the frame for which the shutter is open. */
  motionBlur?: number;
  /** Of an audiogram, 0..10. */
  amplitude?: number;
  /** Semitones, -12..12. */
  pitch?: number;
  /** Of the filters of the equalizer, in their order. */
  equalizer?: ReadonlyArray<{ frequency?: number; gain?: number; q?: number }>;
  /** Share of the reverb, 0..1. */
  reverbWet?: number;
  /** -1..1 */
  balance?: number;
  /** Standard deviation in canvas pixels, on top of the element's own blur. */
  blur?: number;
}
