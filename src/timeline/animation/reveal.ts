import type { Rect } from '../../contract/index.js';

/** Sides from which something may be hidden. */
export const sides = ['left', 'top', 'right', 'bottom'] as const;
export type Side = (typeof sides)[number];

/** The fraction of a piece that is hidden from a side where `pixels` of the whole are hidden from it. */
export function hiddenFraction(side: Side, pixels: number, whole: Rect, piece: Rect): number {
  const gap = {
    left: piece.x - whole.x,
    top: piece.y - whole.y,
    right: whole.x + whole.width - piece.x - piece.width,
    bottom: whole.y + whole.height - piece.y - piece.height,
  }[side];
  return Math.min(1, Math.max(0, (pixels - gap) / lengthAlong(side, piece)));
}

/** Length of a rectangle in the direction in which a side hides it. */
export function lengthAlong(side: Side, { width, height }: Rect): number {
  return side === 'left' || side === 'right' ? width : height;
}
