import type { Rect } from '../../contract/index.js';
import type { Animate } from '../../script/index.js';
import { tween } from '../curves.js';
import type { Piece } from '../piece.js';
import type { Phases } from './phases.js';
import { awayPose } from './poses.js';
import { phaseTracks } from './tracks.js';

/** How far a bar reaches beyond the letters, in em. */
const OVERHANG = 0.12;
/** Gap above and below a bar, in em, so that the bars of two lines do not touch. */
const GAP = 0.06;

/** How much further than usual a bar reaches to meet that of a neighbour. */
const MAX_REACH = 1.7;

/** The bars of a highlight behind the parts of a text, which are drawn one after the other and fade with the exit. `cells`: in reading order. */
export function highlightBars({ in: entrance, out }: Animate, phases: Phases, cells: readonly Rect[], context: { frames: number; fontSize: number }): Piece[] {
  const color = entrance?.color;
  if (entrance === undefined || color === undefined) return [];
  const { frames, fontSize: em } = context;
  const subject = { rect: { x: 0, y: 0, width: 1, height: 1 }, canvas: { width: 1, height: 1 } };
  const pose = awayPose({ ...entrance, type: 'mask-reveal' }, 'in', subject);
  const fade =
    out === undefined
      ? {}
      : { opacity: tween({ frame: phases.outStart, value: 1 }, { frame: Math.max(frames, phases.outStart + 1), value: 0 }, 'easeInOutSine') };
  return cells.map((cell, order) => ({
    kind: 'fill',
    color,
    ...spanOf(cell, cells, OVERHANG * em),
    y: cell.y + GAP * em,
    height: Math.max(1, cell.height - 2 * GAP * em),
    reveal: phaseTracks(entrance, 'in', phases.in(order), pose),
    ...fade,
  }));
}

/** Place of a bar along its line: beyond its cell, up to the bar of a near neighbour. Translucent bars would add up where they overlap, and narrow gaps look like flaws. */
function spanOf(cell: Rect, cells: readonly Rect[], overhang: number): { x: number; width: number } {
  const middle = cell.y + cell.height / 2;
  const neighbours = cells.filter((other) => other !== cell && other.y < middle && middle < other.y + other.height);
  const [left, right] = [cell.x, cell.x + cell.width];
  const centre = left + cell.width / 2;
  const before = neighbours.filter((other) => other.x + other.width / 2 < centre).map((other) => (other.x + other.width + left) / 2);
  const after = neighbours.filter((other) => other.x + other.width / 2 > centre).map((other) => (right + other.x) / 2);
  // Bars meet between whole samples of chroma, so that no seam shows.
  const even = (value: number): number => Math.round(value / 2) * 2;
  const [start, end] = [even(Math.max(...before)), even(Math.min(...after))];
  const reach = overhang * MAX_REACH;
  const x = left - start < reach ? start : left - overhang;
  return { x, width: Math.max(1, (end - right < reach ? end : right + overhang) - x) };
}
