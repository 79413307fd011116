import type { Easing } from '../../contract/index.js';
import type { TextStyle } from '../../script/index.js';
import type { Rect } from '../canvas/bitmap.js';
import { createRandom } from './random.js';
import type { TextPiece } from './text-sprites.js';

/** A value at a frame; `easing` leads to the next keyframe. */
export interface MotionKeyframe {
  /** Frame from the element's start; may be fractional. */
  frame: number;
  value: number;
  easing?: Easing;
}

type Curve = MotionKeyframe[];

/** Animation curves of a piece. */
export interface PieceMotion {
  opacity?: Curve;
  shiftX?: Curve;
  shiftY?: Curve;
  scaleX?: Curve;
  scaleY?: Curve;
  /** Origin of scaling, as fractions of the piece. */
  anchor?: { x: number; y: number };
  /** Clip rectangle, from the top left of the element's box. */
  clip?: Rect;
}

/** Timing and text of an element. */
export interface MotionContext {
  fps: { num: number; den: number };
  /** Number of frames for which the element is shown. */
  frames: number;
  fontSize: number;
  /** Seed of random orders. */
  text: string;
}

type MovingPiece = Omit<TextPiece, 'path' | 'bytes'>;

/** Motion of a part; `end` is the frame at which it stops. */
interface PartMotion extends PieceMotion {
  end: number;
}

/** Times in seconds, measured from JSON2Video's text styles. */
const timings = {
  blockFade: 2,
  word: { fade: 0.5, step: 0.4 },
  pop: { length: 0.05, step: 0.025 },
  jump: { length: 0.75, step: 0.05, depthEm: 1.3 },
  reveal: { length: 1.2, step: 0.03, lead: 0.5, distance: 40 },
  domino: { length: 1.2, step: 0.045, keyframes: 16 },
  grow: { length: 0.6, step: 0.07, from: 0.3, rule: 2 },
  random: { fade: 0.4, spread: 2.5 },
} as const;

/** Motion of each piece of a text, in the pieces' order. Backgrounds do not move. */
export function textStyleMotion(style: TextStyle, pieces: readonly MovingPiece[], setting: MotionContext): PieceMotion[] {
  const clock = new MotionTiming(setting);
  if (style === '002') return pieces.map(({ role }) => (role === 'background' ? {} : { opacity: clock.fade(0, timings.blockFade) }));
  if (style === '003') {
    const { step, fade } = timings.word;
    return pieces.map(({ role, index }) => (role === 'background' ? {} : { opacity: clock.fade(index * step, fade) }));
  }
  if (style === '001' || style === '011') return pieces.map(() => ({}));
  return style === '010' ? animateOut(pieces, clock) : animateIn(style, pieces, clock);
}

/** Converts seconds to frames and provides the random order of one text. */
class MotionTiming {
  readonly context: MotionContext;
  readonly #delays: number[] = [];
  readonly #random: () => number;
  /** The smallest of the delays: texts of a few parts would show nothing at first. */
  firstDelay = 0;

  constructor(setting: MotionContext) {
    this.context = setting;
    this.#random = createRandom(setting.text);
  }

  frames(seconds: number): number {
    return (seconds * this.context.fps.num) / this.context.fps.den;
  }

  /** Position of a letter in the random order, 0..1; equal for all layers of the letter. */
  delay(index: number): number {
    while (this.#delays.length <= index) this.#delays.push(this.#random());
    return this.#delays[index] as number;
  }

  /** A curve from one value to another; times in seconds. */
  transition(start: number, length: number, from: number, to: number, easing?: Easing): Curve {
    return [
      { frame: this.frames(start), value: from, ...(easing === undefined ? {} : { easing }) },
      { frame: this.frames(start + length), value: to },
    ];
  }

  fade(start: number, length: number, easing?: Easing): Curve {
    return this.transition(start, length, 0, 1, easing);
  }
}

type EntranceStyle = '004' | '005' | '006' | '007' | '008' | '009';

/** Parts enter one after the other; after the last one, the block replaces them. */
function animateIn(style: EntranceStyle, pieces: readonly MovingPiece[], clock: MotionTiming): PieceMotion[] {
  clock.firstDelay = Math.min(1, ...pieces.filter(isPart).map(({ index }) => clock.delay(index)));
  const motions = pieces.map((piece) => (isPart(piece) ? entrances[style](piece, clock) : undefined));
  const settled = Math.floor(Math.max(0, ...motions.map((motion) => motion?.end ?? 0))) + 1;
  return pieces.map((piece, i) => {
    const motion = motions[i];
    if (motion !== undefined) return withoutEnd(motion, { opacity: hideFrom(settled, motion.opacity) });
    if (piece.role === 'block') return { opacity: switchAt(settled, 0, 1) };
    return piece.role === 'rule' ? { scaleX: clock.transition(0, timings.grow.rule, 0, 1, 'easeOutExpo'), anchor: { x: 0.5, y: 0.5 } } : {};
  });
}

function isPart({ role }: MovingPiece): boolean {
  return role === 'letter' || role === 'word';
}

const entrances: Record<EntranceStyle, (piece: MovingPiece, clock: MotionTiming) => PartMotion> = {
  '004': (piece, clock) => {
    const { length, step } = timings.pop;
    const scale = clock.transition(piece.index * step, length, 0, 1, 'easeInOutElastic');
    return { scaleX: scale, scaleY: scale, anchor: anchorIn(piece, 0.5, 0.5), end: endOf(scale) };
  },
  '005': (piece, clock) => {
    const { length, step, depthEm } = timings.jump;
    const y = clock.transition(piece.index * step, length, depthEm * clock.context.fontSize, 0, 'easeOutElastic');
    const opacity = switchAt(y[0]?.frame ?? 0, 0, 1);
    return { shiftY: y, opacity, clip: aboveLineEnd(piece, clock.context.fontSize), end: endOf(y) };
  },
  '006': ({ index }, clock) => {
    const { length, step, lead, distance } = timings.reveal;
    const start = lead + index * step;
    const x = clock.transition(start, length, distance, 0, 'easeOutExpo');
    return { shiftX: x, opacity: clock.fade(start, length, 'easeOutExpo'), end: endOf(x) };
  },
  '007': (piece, clock) => {
    const scaleX = rotateIn(piece.index * timings.domino.step, clock);
    return { scaleX, anchor: anchorIn(piece, 0, 0.5), end: endOf(scaleX) };
  },
  '008': (piece, clock) => {
    const { length, step, from } = timings.grow;
    const start = piece.index * step;
    const scale = clock.transition(start, length, from, 1, 'easeOutExpo');
    return { scaleX: scale, scaleY: scale, opacity: clock.fade(start, length, 'easeOutExpo'), anchor: anchorIn(piece, 0.5, 0.5), end: endOf(scale) };
  },
  '009': ({ index }, clock) => {
    const opacity = clock.fade((clock.delay(index) - clock.firstDelay) * timings.random.spread, timings.random.fade);
    return { opacity, end: endOf(opacity) };
  },
};

/** Scale of a rotation about the vertical axis through the left edge, from edge-on to face-on, with circular ease-out. */
function rotateIn(start: number, clock: MotionTiming): Curve {
  const { length, keyframes } = timings.domino;
  return Array.from({ length: keyframes + 1 }, (_, i) => {
    const progress = i / keyframes;
    // Inverse of the circular easing.
    const time = 1 - Math.sqrt(1 - progress ** 2);
    return { frame: clock.frames(start + time * length), value: i === keyframes ? 1 : Math.sin((progress * Math.PI) / 2) };
  });
}

/** Letters fade out in random order until the element's end; before that, the block is shown. */
function animateOut(pieces: readonly MovingPiece[], clock: MotionTiming): PieceMotion[] {
  const { fade, spread } = timings.random;
  const { frames } = clock.context;
  const whole = clock.frames(fade + spread);
  // Shorter elements play the animation faster.
  const pace = Math.min(1, frames / whole);
  const first = Math.max(0, frames - whole);
  return pieces.map((piece) => {
    if (piece.role === 'block') return { opacity: switchAt(first, 1, 0) };
    if (!isPart(piece)) return {};
    const start = first + clock.frames(clock.delay(piece.index) * spread) * pace;
    const out: Curve = [
      { frame: start, value: 1 },
      { frame: start + clock.frames(fade) * pace, value: 0 },
    ];
    return { opacity: first > 0 ? dropOverridden([...switchAt(first, 0, 1), ...out]) : out };
  });
}

function endOf(curve: Curve): number {
  return curve.at(-1)?.frame ?? 0;
}

function withoutEnd({ end: _, ...motion }: PartMotion, changes: PieceMotion): PieceMotion {
  return { ...motion, ...changes };
}

function switchAt(frame: number, before: number, after: number): Curve {
  return dropOverridden([
    { frame: 0, value: before, easing: 'hold' },
    { frame, value: after },
  ]);
}

function hideFrom(frame: number, opacity: Curve | undefined): Curve {
  if (opacity === undefined) return switchAt(frame, 1, 0);
  const last = opacity.at(-1) as MotionKeyframe;
  return [...opacity.slice(0, -1), { ...last, easing: 'hold' }, { frame, value: 0 }];
}

/** Keeps the last of keyframes at the same frame. */
function dropOverridden(curve: Curve): Curve {
  return curve.filter(({ frame }, i) => {
    const next = curve[i + 1];
    return next === undefined || next.frame > frame;
  });
}

function anchorIn({ x, y, width, height, cell }: MovingPiece, shareX: number, shareY: number): { x: number; y: number } {
  if (cell === undefined) return { x: shareX, y: shareY };
  return { x: (cell.x + cell.width * shareX - x) / width, y: (cell.y + cell.height * shareY - y) / height };
}

/** Clip rectangle for letters that rise from below their line and may overshoot above it. */
function aboveLineEnd({ x, y, width, height, cell }: MovingPiece, fontSize: number): Rect {
  const top = Math.min(y, cell?.y ?? y) - 2 * fontSize;
  const bottom = Math.max(y + height, (cell?.y ?? y) + (cell?.height ?? height));
  return { x: x - fontSize, y: top, width: width + 2 * fontSize, height: bottom - top };
}
