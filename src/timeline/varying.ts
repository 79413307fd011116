import { evaluate, mixValues, type ValueTrack, type Varying } from '../script/index.js';
import { frameOf, inOrder } from './curves.js';
import type { Piece } from './piece.js';

/** A time in which an element is drawn with the same values, in frames from its start. */
export interface VaryingState<E> {
  start: number;
  frames: number;
  /** The element with these values. */
  element: E;
}

/** Largest number of frames that are drawn one by one; longer changes are drawn every second or third frame, and so on. */
const MAX_STATES = 1800;

/** The states of an element whose keyframes change what is drawn, one after the other over all its frames. */
export function statesOf<E>({ tracks, at }: Varying<E>, frames: number, fps: number): Array<VaryingState<E>> {
  const curves = tracks.map((track) => framesOf(track, frames, fps));
  const changing = curves.flat().map(({ frame }) => Math.min(frames, Math.max(0, frame)));
  const step = Math.max(1, Math.ceil((Math.max(...changing) - Math.min(...changing)) / MAX_STATES));
  const states: Array<VaryingState<E>> = [];
  let previous: string | undefined;
  for (let frame = 0; frame < frames; frame++) {
    const values = curves.map((curve) => valueAt(curve, frame - (frame % step)));
    const key = JSON.stringify(values);
    const last = states.at(-1);
    if (last !== undefined && key === previous) last.frames++;
    else states.push({ start: frame, frames: 1, element: at(values) });
    previous = key;
  }
  return states;
}

interface Key extends Pick<ValueTrack['keys'][number], 'easing' | 'value'> {
  frame: number;
}

/** The keyframes of a track in order. */
function framesOf({ keys }: ValueTrack, frames: number, fps: number): Key[] {
  return inOrder(keys.map(({ time, easing, value }) => ({ frame: frameOf(time, frames, fps), easing, value })));
}

function valueAt(keys: readonly Key[], frame: number): unknown {
  const next = keys.findIndex((key) => key.frame > frame);
  const to = keys[next];
  const from = keys[next === -1 ? keys.length - 1 : next - 1];
  if (from === undefined) return to?.value;
  if (to === undefined) return from.value;
  return mixValues(from.value, to.value, evaluate(from.easing, (frame - from.frame) / (to.frame - from.frame)));
}

/** Joins the drawings of an element's states into one list, back to front. What does not change from one state to the next is shown on. */
export function joinStates(states: ReadonlyArray<{ start: number; frames: number; pieces: readonly Piece[] }>): Piece[] {
  const layers = Math.max(0, ...states.map(({ pieces }) => pieces.length));
  return Array.from({ length: layers }, (_, layer) => {
    const shown: Array<{ key: string; piece: Piece; start: number; frames: number }> = [];
    for (const { start, frames, pieces } of states) {
      const piece = pieces[layer];
      if (piece === undefined) continue;
      const key = JSON.stringify(piece);
      const last = shown.at(-1);
      if (last !== undefined && last.key === key && last.start + last.frames === start) last.frames += frames;
      else shown.push({ key, piece, start, frames });
    }
    return shown.flatMap(({ piece, start, frames }) => shownDuring(piece, start, frames));
  }).flat();
}

/** A piece during some frames of the element only. */
function shownDuring(piece: Piece, start: number, frames: number): Piece[] {
  const from = Math.max(piece.start ?? 0, start);
  const to = Math.min((piece.start ?? 0) + (piece.frames ?? Number.POSITIVE_INFINITY), start + frames);
  return to > from ? [{ ...piece, start: from, frames: to - from }] : [];
}
