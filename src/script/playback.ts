import type { SpeedPiece } from '../contract/index.js';
import { evaluate } from './animation/index.js';
import type { Freeze, SpeedKeyframe } from './movie.js';

/** What decides how fast the media of an element plays. */
export interface PlaybackSpeed {
  /** Seconds of the media per second. Default 1. */
  speed?: number | readonly SpeedKeyframe[];
  /** In order, without overlaps. */
  freeze?: readonly Freeze[];
}

/** Pieces of an eased change of speed; its named easings have no common closed integral. */
const EASED_PIECES = 64;
/** Speeds that the engine can play, which an easing that overshoots may exceed. */
const [MIN_SPEED, MAX_SPEED] = [0.1, 20];
/** A freeze that begins this much after the end of the media still holds its last frame: lengths in scripts are rounded. */
const END_TOLERANCE_SECONDS = 0.02;

/** How the media of an element plays: seconds of the media by seconds of the element. */
export class Playback {
  /** The first one starts at 0; the last one has a constant speed above 0. */
  readonly pieces: readonly Required<SpeedPiece>[];

  constructor({ speed = 1, freeze = [] }: PlaybackSpeed) {
    this.pieces = freeze.reduce(insertHold, typeof speed === 'number' ? [constant(0, speed)] : speedPieces(speed));
  }

  /** Seconds of the media that have been played at a time of the element. */
  mediaAt(seconds: number): number {
    let played = 0;
    for (const [index, piece] of this.pieces.entries()) {
      const end = this.#endOf(index);
      if (seconds < end) return played + ((piece.from + speedAt(piece, end, seconds)) / 2) * Math.max(0, seconds - piece.time);
      played += playedIn(piece, end);
    }
    return played;
  }

  /** When this much of the media has been played, in seconds of the element. */
  startOf(media: number): number {
    return this.#timeOf(media, (_index, played) => played >= media);
  }

  /** As startOf(), after a freeze that holds the media there. */
  endOf(media: number): number {
    return this.#timeOf(media, (index, played) => played > media + (this.#isHold(index + 1) ? END_TOLERANCE_SECONDS : 0));
  }

  /** `isReached`: whether the wanted time lies in a piece at whose end this much has been played. */
  #timeOf(media: number, isReached: (piece: number, played: number) => boolean): number {
    if (media <= 0) return 0;
    let played = 0;
    for (const [index, piece] of this.pieces.entries()) {
      const end = this.#endOf(index);
      const after = played + playedIn(piece, end);
      if (piece.from > 0 && isReached(index, after)) return piece.time + secondsFor(piece, end, Math.max(0, media - played));
      played = after;
    }
    return Number.POSITIVE_INFINITY;
  }

  #endOf(index: number): number {
    return this.pieces[index + 1]?.time ?? Number.POSITIVE_INFINITY;
  }

  #isHold(index: number): boolean {
    return this.pieces[index]?.from === 0;
  }
}

const constant = (time: number, speed: number): Required<SpeedPiece> => ({ time, from: speed, to: speed });

function speedAt({ time, from, to }: Required<SpeedPiece>, end: number, seconds: number): number {
  return from === to ? from : from + ((to - from) * (seconds - time)) / (end - time);
}

function playedIn({ time, from, to }: Required<SpeedPiece>, end: number): number {
  return from === 0 ? 0 : ((from + to) / 2) * (end - time);
}

/** Seconds after which a piece has played this much of the media. */
function secondsFor({ time, from, to }: Required<SpeedPiece>, end: number, media: number): number {
  const acceleration = from === to ? 0 : (to - from) / (end - time);
  return (2 * media) / (from + Math.sqrt(Math.max(0, from * from + 2 * acceleration * media)));
}

function speedPieces(keyframes: readonly SpeedKeyframe[]): Required<SpeedPiece>[] {
  const [first] = keyframes;
  if (first === undefined) return [constant(0, 1)];
  const pieces = keyframes.flatMap((keyframe, index) => easedPieces(keyframe, keyframes[index + 1]));
  return first.time > 0 ? [constant(0, first.value), ...pieces] : pieces;
}

function easedPieces({ time, value, easing }: SpeedKeyframe, next: SpeedKeyframe | undefined): Required<SpeedPiece>[] {
  if (next === undefined || next.value === value || easing === 'hold') return [constant(time, value)];
  if (easing === 'linear') return [{ time, from: value, to: next.value }];
  const at = (step: number): number => Math.min(MAX_SPEED, Math.max(MIN_SPEED, value + (next.value - value) * evaluate(easing, step / EASED_PIECES)));
  return Array.from({ length: EASED_PIECES }, (_, step) => ({
    time: time + ((next.time - time) * step) / EASED_PIECES,
    from: at(step),
    to: at(step + 1),
  }));
}

/** Pieces that stand still during a freeze. */
function insertHold(pieces: readonly Required<SpeedPiece>[], { time, duration }: Freeze): Required<SpeedPiece>[] {
  const until = time + duration;
  const ends = pieces.map((_, index) => pieces[index + 1]?.time ?? Number.POSITIVE_INFINITY);
  const before = pieces.flatMap((piece, index) =>
    piece.time >= time ? [] : [{ ...piece, to: speedAt(piece, ends[index] ?? 0, Math.min(time, ends[index] ?? 0)) }],
  );
  const after = pieces.flatMap((piece, index) => {
    const end = ends[index] ?? 0;
    if (end <= until) return [];
    return piece.time >= until ? [piece] : [{ time: until, from: speedAt(piece, end, until), to: piece.to }];
  });
  return [...before, constant(time, 0), ...after];
}
