import type { Typography } from '../../../script/index.js';

/** Minimum automatic font size in pixels; smaller text is not legible. */
export const minFontSize = 8;

/** Binary search for the largest integer from `low` to `high` that fits; `low` if none does. If a value fits, all smaller ones must fit. */
export function greatestFitting(low: number, high: number, fits: (value: number) => boolean): number {
  let [best, limit] = [low, high];
  while (best < limit) {
    const middle = (best + limit + 1) >> 1;
    if (fits(middle)) best = middle;
    else limit = middle - 1;
  }
  return best;
}

/** The typography at another font size in pixels; letter spacing in em is scaled. */
export function withFontSize({ fit, ...typography }: Typography, fontSize: number): Typography {
  const spacing = fit?.letterSpacingEm;
  return { ...typography, fontSize, ...(spacing === undefined ? {} : { letterSpacing: spacing * fontSize }) };
}
