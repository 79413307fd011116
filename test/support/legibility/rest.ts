import type { Piece } from '../../../src/timeline/index.js';
import type { Ink } from './ink.js';

/** Frames of an element in which something does not move: from `from`, before `to`. */
export interface Rest {
  from: number;
  to: number;
}

type Curve = ReadonlyArray<{ frame: number; value: number }> | undefined;

/** The longest time for which a curve keeps its value at rest. */
function restOfCurve(curve: Curve, value: number, frames: number): Rest {
  const keys = (curve ?? []).map((key) => ({ frame: key.frame, isAtRest: Math.abs(key.value - value) < 0.02 }));
  const [first, last] = [keys[0], keys.at(-1)];
  if (first === undefined || last === undefined) return { from: 0, to: frames };
  const ends = [{ frame: 0, isAtRest: first.isAtRest }, ...keys, { frame: frames, isAtRest: last.isAtRest }];
  let [best, from]: [Rest, number | undefined] = [{ from: 0, to: 0 }, undefined];
  for (const { frame, isAtRest } of ends) {
    if (isAtRest) from ??= frame;
    if (isAtRest && from !== undefined && frame - from > best.to - best.from) best = { from, to: frame };
    if (!isAtRest) from = undefined;
  }
  return best;
}

function meet(rests: readonly Rest[]): Rest {
  return { from: Math.max(...rests.map(({ from }) => from)), to: Math.min(...rests.map(({ to }) => to)) };
}

function restOfPiece(piece: Piece, frames: number): Rest {
  const { start = 0, reveal = {} } = piece;
  return meet([
    { from: start, to: Math.min(frames, start + (piece.frames ?? frames)) },
    ...[piece.opacity, piece.scaleX, piece.scaleY].map((curve) => restOfCurve(curve, 1, frames)),
    ...[piece.shiftX, piece.shiftY, piece.rotation, piece.blur, ...Object.values(reveal)].map((curve) => restOfCurve(curve, 0, frames)),
  ]);
}

const endOf = ({ start = 0, frames }: Piece, all: number): number => start + (frames ?? all - start);

/** Whether one of two pieces takes the place of the other when that ends, as the exit of a text does. */
function follow(a: Piece, b: Piece, frames: number): boolean {
  const overlap = a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
  return overlap && (Math.abs(endOf(a, frames) - (b.start ?? 0)) <= 1 || Math.abs(endOf(b, frames) - (a.start ?? 0)) <= 1);
}

/** Frames in which all pieces that show a part of a text rest. Pieces and letters count from the same corner. */
export function restOfText(pieces: readonly Piece[], { bounds, coverage }: Pick<Ink, 'bounds' | 'coverage'>, frames: number): Rest {
  const rests = new Map(pieces.map((piece) => [piece, restOfPiece(piece, frames)]));
  const found = new Map<string, Rest>();
  for (let at = 0; at < coverage.length; at += 13) {
    if ((coverage[at] ?? 0) < 128) continue;
    const [x, y] = [bounds.x + (at % bounds.width), bounds.y + Math.floor(at / bounds.width)];
    const covering = pieces.filter((piece) => x >= piece.x && y >= piece.y && x < piece.x + piece.width && y < piece.y + piece.height);
    // What is below the letters, such as a photo that moves on, does not count.
    const chain = covering.slice(-1);
    for (const piece of covering.toReversed()) if (!chain.includes(piece) && chain.some((other) => follow(piece, other, frames))) chain.push(piece);
    for (const piece of covering) if (!chain.includes(piece) && chain.some((other) => follow(piece, other, frames))) chain.push(piece);
    const [longest] = chain.map((piece) => rests.get(piece) ?? { from: 0, to: 0 }).toSorted((a, b) => b.to - b.from - (a.to - a.from));
    if (longest !== undefined) found.set(`${longest.from}-${longest.to}`, longest);
  }
  return meet([{ from: 0, to: frames }, ...found.values()]);
}
