import type { Keyframe, Rect } from '../../contract/index.js';
import type { Animate, AnimatedPart, LoopAnimation, PhaseAnimation, TextElement } from '../../script/index.js';
import { tween, valueAt } from '../curves.js';
import type { Piece } from '../piece.js';
import { highlightBars } from './highlight.js';
import { type Phases, planPhases } from './phases.js';
import { shift, vectorOf } from './poses.js';
import { isRedrawn, redrawnPart, stepsOf, type Variant } from './redrawn.js';
import { hiddenFraction, lengthAlong, type Side, sides } from './reveal.js';
import { concatenate, partTracks, phaseTracks, type Tracks } from './tracks.js';

/** A drawn piece of a text; x and y count from the top left of the element's box. */
export interface TextPart extends Rect {
  role: 'background' | 'block' | 'line' | 'word' | 'letter' | 'rule';
  /** Index among the pieces of its role, in reading order; equal for all layers of a letter. */
  index: number;
  /** Of the first letter of a line, word or letter, in reading order. */
  line?: number;
  word?: number;
  cell?: Rect;
  /** Present if it replaces a part for a while. */
  variant?: Variant;
}

type Curves = Pick<Piece, 'opacity' | 'shiftX' | 'shiftY' | 'scaleX' | 'scaleY' | 'rotation' | 'blur' | 'reveal' | 'anchor' | 'start' | 'frames'>;

/** Motion of a piece during part of the element's time. */
export interface AnimatedPiece extends Curves {
  /** Index of the piece. */
  piece: number;
}

/** Timing and place of a text. */
export interface TextAnimationContext {
  fps: number;
  /** Length of the element. */
  frames: number;
  /** The element's box on the canvas. */
  box: Rect;
  canvas: { width: number; height: number };
  fontSize: number;
}

/** A time in which the same pieces are shown: the parts while they move one by one, the undivided text at rest. */
interface Stretch {
  from: number;
  to: number;
  by: AnimatedPart;
  /** Whether parts are shown instead of the undivided text. */
  isDivided: boolean;
  /** The phase in which variants replace the parts. */
  redrawn?: 'in' | 'out';
  /** What happens in it. */
  animate: Animate;
}

/** Compiles `animate` of a text whose pieces are those of textParts(). The pieces are in drawing order; one may appear several times, at different times. */
export function animateText({ animate }: TextElement, pieces: readonly TextPart[], context: TextAnimationContext): AnimatedPiece[] {
  if (animate === undefined) return pieces.map((_, piece) => ({ piece }));
  const groups = new Map<AnimatedPart, Groups>();
  const grouped = (by: AnimatedPart): Groups => {
    const found = groups.get(by) ?? new Groups(by, pieces);
    groups.set(by, found);
    return found;
  };
  const count = (by: AnimatedPart | undefined) => (by === undefined ? 1 : grouped(by).count);
  const counts = { in: count(animate.in?.by), out: count(animate.out?.by), loop: count(animate.loop?.by) };
  const phases = planPhases(animate, counts, context.frames, context.fps);
  const steps = stepsOf(pieces);
  return stretchesOf(animate, phases, pieces.some(isPart), context.frames).flatMap((stretch) => {
    const { isDivided, redrawn } = stretch;
    const own = grouped(stretch.by);
    return pieces.flatMap((piece, index): AnimatedPiece[] => {
      if (isDivided ? piece.role === 'block' : isPart(piece)) return [];
      const animation = redrawn && animate[redrawn];
      if (redrawn !== undefined && animation !== undefined && isPart(piece))
        return redrawnPart(piece, { animation, phase: redrawn, window: phases[redrawn](own.of(piece).order), ...stretch }, steps, context.fps).map((part) => ({
          piece: index,
          ...part,
        }));
      if (piece.variant !== undefined) return [];
      const tracks = isDivided && !isPart(piece) ? fadeTracks(stretch.animate, phases) : groupTracks(stretch.animate, phases, own.of(piece), piece, context);
      const isWhole = stretch.from === 0 && stretch.to === context.frames;
      return [{ piece: index, ...curvesOf(tracks, piece, own.of(piece).cell), ...(isWhole ? {} : { start: stretch.from, frames: stretch.to - stretch.from }) }];
    });
  });
}

/** The bars behind the parts of a text; none without a highlight. */
export function textHighlight({ animate }: TextElement, pieces: readonly TextPart[], context: TextAnimationContext): Piece[] {
  if (animate?.in?.type !== 'highlight') return [];
  const groups = new Groups(
    animate.in.by,
    pieces.filter(({ role }) => role !== 'background'),
  );
  const phases = planPhases(
    animate,
    { in: groups.count, out: animate.out === undefined ? 1 : new Groups(animate.out.by, pieces).count, loop: 1 },
    context.frames,
    context.fps,
  );
  return highlightBars(animate, phases, groups.cells, context);
}

/** How finely a text must be divided for its animations. */
export function textParts(animate: Animate | undefined): AnimatedPart {
  const used = [animate?.in, animate?.out, animate?.loop].map((animation) => (isRedrawn(animation) ? 'letter' : animation?.by));
  return (['letter', 'word', 'line'] as const).find((part) => used.includes(part)) ?? 'element';
}

function stretchesOf(animate: Animate, phases: Phases, isDivided: boolean, frames: number): Stretch[] {
  if (!isDivided) return [{ from: 0, to: frames, by: 'element', isDivided, animate }];
  const entered = animate.in === undefined ? 0 : Math.min(frames, Math.ceil(phases.inEnd - 1e-6));
  const leaving = animate.out === undefined ? frames : Math.max(entered, Math.floor(phases.outStart + 1e-6));
  const stretches: Stretch[] = [
    { from: 0, to: entered, ...partsOf('in', animate.in?.type === 'highlight' ? undefined : animate.in), animate: animate.in ? { in: animate.in } : {} },
    { from: entered, to: leaving, ...partsOf('loop', animate.loop), animate: animate.loop ? { loop: animate.loop } : {} },
    { from: leaving, to: frames, ...partsOf('out', animate.out), animate: animate.out ? { out: animate.out } : {} },
  ];
  return stretches.filter(({ from, to }) => to > from);
}

function partsOf(phase: 'in' | 'out' | 'loop', animation: PhaseAnimation | LoopAnimation | undefined): Pick<Stretch, 'by' | 'isDivided' | 'redrawn'> {
  const by = animation?.by ?? 'element';
  const redrawn = phase !== 'loop' && isRedrawn(animation);
  return { by, isDivided: redrawn || by !== 'element', ...(redrawn && { redrawn: phase }) };
}

function isPart({ role }: TextPart): boolean {
  return role === 'line' || role === 'word' || role === 'letter';
}

/** Pieces that move as one. */
interface Group {
  /** Place in reading order. */
  order: number;
  /** Union of the letters' cells, or of the drawings of a whole text; the centre is the origin of scaling and rotation. */
  cell: Rect;
  /** Union of cells and drawings. */
  extent: Rect;
}

class Groups {
  readonly #by: AnimatedPart;
  readonly #groups = new Map<number, Group>();

  constructor(by: AnimatedPart, pieces: readonly TextPart[]) {
    this.#by = by;
    const members = new Map<number, TextPart[]>();
    for (const piece of pieces) {
      if (piece.variant !== undefined || (by !== 'element' && !isPart(piece))) continue;
      members.set(this.#key(piece), [...(members.get(this.#key(piece)) ?? []), piece]);
    }
    for (const [order, key] of [...members.keys()].sort((a, b) => a - b).entries()) {
      const own = members.get(key) as TextPart[];
      const cell = union(own.map((piece) => piece.cell ?? piece));
      this.#groups.set(key, { order, cell, extent: union([cell, ...own]) });
    }
  }

  get count(): number {
    return Math.max(1, this.#groups.size);
  }

  get cells(): Rect[] {
    return [...this.#groups.values()].sort((a, b) => a.order - b.order).map(({ cell }) => cell);
  }

  of(piece: TextPart): Group {
    return this.#groups.get(this.#key(piece)) ?? { order: 0, cell: piece, extent: piece };
  }

  #key({ index, line = 0, word = 0 }: TextPart): number {
    return { element: 0, line, word, letter: index }[this.#by];
  }
}

function union(rects: readonly Rect[]): Rect {
  const x = Math.min(...rects.map((rect) => rect.x));
  const y = Math.min(...rects.map((rect) => rect.y));
  return { x, y, width: Math.max(...rects.map((rect) => rect.x + rect.width)) - x, height: Math.max(...rects.map((rect) => rect.y + rect.height)) - y };
}

/** Motion of one piece within its group. */
function groupTracks(animate: Animate, phases: Phases, group: Group, piece: TextPart, context: TextAnimationContext): Tracks {
  const { box, canvas, fontSize, fps } = context;
  const rect = { ...group.extent, x: box.x + group.extent.x, y: box.y + group.extent.y };
  const part = { in: group.order, out: group.order, loop: group.order };
  const { in: entrance, out: exit, ...rest } = animate;
  const isSlid = (animation: PhaseAnimation | undefined): animation is PhaseAnimation => animation?.type === 'mask-reveal' && animation.by !== 'element';
  const own: Animate = { ...rest, ...(entrance && !isSlid(entrance) && { in: entrance }), ...(exit && !isSlid(exit) && { out: exit }) };
  const tracks = wipedPiece(partTracks(own, phases, part, fps, { rect, canvas, em: fontSize }), group.extent, piece);
  return concatenate([
    isSlid(entrance) ? maskedTracks(entrance, 'in', phases, group, piece) : {},
    tracks,
    isSlid(exit) ? maskedTracks(exit, 'out', phases, group, piece) : {},
  ]);
}

/** A line, word or letter that moves out of a fixed mask as large as itself. Where its easing overshoots, the mask is there only before that. */
function maskedTracks(animation: PhaseAnimation, phase: 'in' | 'out', phases: Phases, { order, extent }: Group, piece: TextPart): Tracks {
  const { x } = vectorOf(animation.direction);
  const away = shift(animation, phase, x === 0 ? extent.height : extent.width);
  const window = phases[phase](order);
  const tracks = phaseTracks(animation, phase, window, away);
  const curve = tracks.x ?? tracks.y ?? [];
  const isBackwards = (away.x ?? away.y ?? 0) < 0;
  const [before, after]: [Side, Side] = x === 0 ? ['top', 'bottom'] : ['left', 'right'];
  const side = isBackwards ? before : after;
  const moves = framesOf(window).map((frame) => ({ frame, moved: valueAt(curve, frame) * (isBackwards ? -1 : 1) }));
  const isBeyond = ({ moved }: { moved: number }): boolean => moved < -1e-6;
  const [first, last] = [moves.findIndex(isBeyond), moves.findLastIndex(isBeyond)];
  const isUnmasked = (index: number): boolean => first >= 0 && (phase === 'in' ? index >= first : index <= last);
  const hidden = moves.map(
    ({ frame, moved }, index): Keyframe => ({ frame, value: isUnmasked(index) ? 0 : hiddenFraction(side, Math.max(0, moved), extent, piece) }),
  );
  return { ...tracks, [side]: hidden };
}

/** The whole frames around a window. */
function framesOf({ from, to }: { from: number; to: number }): number[] {
  const first = Math.floor(from);
  return Array.from({ length: Math.ceil(to) - first + 1 }, (_, k) => first + k);
}

/** Converts what is hidden of a group to what is hidden of one of its pieces. */
function wipedPiece(tracks: Tracks, extent: Rect, piece: TextPart): Tracks {
  const converted: Tracks = { ...tracks };
  for (const side of sides) {
    const curve = tracks[side];
    if (curve === undefined) continue;
    const window = { from: curve[0]?.frame ?? 0, to: curve.at(-1)?.frame ?? 0 };
    const whole = lengthAlong(side, extent);
    converted[side] = framesOf(window).map((frame) => ({ frame, value: hiddenFraction(side, valueAt(curve, frame) * whole, extent, piece) }));
  }
  return converted;
}

/** The background of a text whose parts move one by one fades in with the first part and out with the last one. */
function fadeTracks(animate: Animate, phases: Phases): Tracks {
  const fade = (from: number, to: number, start: number, end: number): Tracks => ({
    opacity: tween({ frame: from, value: start }, { frame: Math.max(from + 1, to), value: end }, 'easeInOutSine'),
  });
  const [first, last] = [phases.in(0), phases.lastOut];
  return concatenate([
    animate.in === undefined ? {} : fade(first.from, first.to, 0, 1),
    animate.out === undefined ? {} : fade(Math.min(last.from, last.to - 1), last.to, 1, 0),
  ]);
}

function curvesOf({ x, y, scaleX, scaleY, rotation, opacity, blur, ...hidden }: Tracks, piece: TextPart, cell: Rect): Curves {
  const hasAnchor = scaleX !== undefined || scaleY !== undefined || rotation !== undefined;
  return {
    ...(x && { shiftX: x }),
    ...(y && { shiftY: y }),
    ...(scaleX && { scaleX }),
    ...(scaleY && { scaleY }),
    ...(rotation && { rotation }),
    ...(opacity && { opacity }),
    ...(blur && { blur }),
    ...(Object.keys(hidden).length > 0 && { reveal: hidden as NonNullable<Piece['reveal']> }),
    ...(hasAnchor && { anchor: { x: (cell.x + cell.width / 2 - piece.x) / piece.width, y: (cell.y + cell.height / 2 - piece.y) / piece.height } }),
  };
}
