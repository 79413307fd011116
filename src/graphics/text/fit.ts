import type { Typography } from '../../script/index.js';

/** Smaller text is not legible, so it is never chosen; pixels. */
export const minFontSize = 8;

/** The greatest integer from `low` to `high` that fits, where everything below a fitting one fits too; `low` when none does. */
export function greatestFitting(low: number, high: number, fits: (value: number) => boolean): number {
  let [best, limit] = [low, high];
  while (best < limit) {
    const middle = (best + limit + 1) >> 1;
    if (fits(middle)) best = middle;
    else limit = middle - 1;
  }
  return best;
}

/** The typography at another font size in pixels, with its letter spacing scaled along where that is given in em. */
export function withFontSize({ fit, ...typography }: Typography, fontSize: number): Typography {
  const spacing = fit?.letterSpacingEm;
  return { ...typography, fontSize, ...(spacing === undefined ? {} : { letterSpacing: spacing * fontSize }) };
}
