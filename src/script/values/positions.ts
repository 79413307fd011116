import type { Position } from '../movie.js';

/** Normalizes a position with one axis ("bottom") or both in either order ("center-bottom"). */
export function parsePosition(name: string): Position {
  if (name === 'custom') return 'custom';
  const words = name.split('-');
  const vertical = words.find((word) => word === 'top' || word === 'bottom') ?? 'center';
  const horizontal = words.find((word) => word === 'left' || word === 'right') ?? 'center';
  return `${vertical}-${horizontal}` as Position;
}

const along: Readonly<Record<string, number>> = { top: 0, left: 0, center: 0.5, bottom: 1, right: 1 };

/** The point of a box that a position names, as fractions from its top left corner. */
export function pointOf(name: string): { x: number; y: number } {
  const [vertical = '', horizontal = ''] = parsePosition(name).split('-');
  return { x: along[horizontal] ?? 0.5, y: along[vertical] ?? 0.5 };
}
