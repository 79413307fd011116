import type { Typography } from '../../script/index.js';

/** Letters smaller than this are no longer read. */
const smallest = 8;

export interface Fit {
  typography: Typography;
  fits: boolean;
}

/** The largest whole font size at which a text fits; when none does, the smallest. */
export function fitFontSize(typography: Typography, boxHeight: number, fitsAt: (candidate: Typography) => boolean): Fit {
  let low = smallest;
  // One line of text at least has to fit.
  let high = Math.max(smallest, Math.floor(boxHeight / Math.max(typography.lineHeight, 0.1)));
  if (!fitsAt(withSize(typography, low))) return { typography: withSize(typography, low), fits: false };
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fitsAt(withSize(typography, middle))) low = middle;
    else high = middle - 1;
  }
  return { typography: withSize(typography, low), fits: true };
}

function withSize({ fit, ...typography }: Typography, fontSize: number): Typography {
  const spacing = fit?.letterSpacingEm;
  return { ...typography, fontSize, ...(spacing === undefined ? {} : { letterSpacing: spacing * fontSize }) };
}
