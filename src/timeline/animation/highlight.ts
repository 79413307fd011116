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
    x: cell.x - OVERHANG * em,
    y: cell.y + GAP * em,
    width: cell.width + 2 * OVERHANG * em,
    height: Math.max(1, cell.height - 2 * GAP * em),
    reveal: phaseTracks(entrance, 'in', phases.in(order), pose),
    ...fade,
  }));
}
