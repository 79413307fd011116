import type { Image } from './golden-image.js';

/** The exact luma of a pixel, 16 to 235 with fractions. */
export type ExactLuma = (x: number, y: number) => number;

/** Luma of a plane, one byte per pixel. */
export interface Luma {
  width: number;
  height: number;
  levels: Uint8Array;
}

/** Luma of an sRGB colour in BT.709's limited range, unrounded. */
export function lumaOf([r, g, b]: readonly [number, number, number]): number {
  return 16 + (219 / 255) * (0.2126 * r + 0.7152 * g + 0.0722 * b);
}

/** Recovers the luma samples of a composed frame: RGB has more levels than luma, so that rounding finds the sample. */
export function lumaLevels({ width, height, pixels }: Image): Luma {
  const levels = Uint8Array.from({ length: width * height }, (_, i) =>
    Math.round(lumaOf([pixels[4 * i] ?? 0, pixels[4 * i + 1] ?? 0, pixels[4 * i + 2] ?? 0])),
  );
  return { width, height, levels };
}

/** The exact luma, dithered to 8 bits with uniform noise from a fixed seed. */
export function noiseDithered(exact: ExactLuma, width: number, height: number): Luma {
  let state = 20_261_125;
  const noise = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const levels = Uint8Array.from({ length: width * height }, (_, i) => Math.floor(exact(i % width, Math.floor(i / width)) + noise()));
  return { width, height, levels };
}

/** Longest run of equal samples along the rows (`across`) or columns, in pixels. */
export function longestRun({ width, height, levels }: Luma, direction: 'across' | 'down'): number {
  const [lines, length, step, stride] = direction === 'across' ? [height, width, 1, width] : [width, height, width, 1];
  let longest = 0;
  for (let line = 0; line < lines; line++) {
    let run = 1;
    for (let k = 1; k < length; k++) {
      const at = line * stride + k * step;
      run = levels[at] === levels[at - step] ? run + 1 : 1;
      longest = Math.max(longest, run);
    }
  }
  return longest;
}

/** Largest difference between the mean of a square and the mean of the exact luma, in levels. A band's edge is up to half a level off. */
export function largestMeanError({ width, height, levels }: Luma, exact: ExactLuma, side = 16): number {
  let worst = 0;
  for (let top = 0; top + side <= height; top += side / 2) {
    for (let left = 0; left + side <= width; left += side / 2) {
      let sum = 0;
      for (let y = top; y < top + side; y++) for (let x = left; x < left + side; x++) sum += (levels[y * width + x] ?? 0) - exact(x, y);
      worst = Math.max(worst, Math.abs(sum / side ** 2));
    }
  }
  return worst;
}
