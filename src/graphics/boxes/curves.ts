import type { Keyframe } from '../../contract/index.js';
import { type Length, resolveLength } from '../../script/index.js';
import type { Rect } from '../canvas/bitmap.js';
import { findEasing, type Motion } from '../components/index.js';
import type { ComponentPiece } from './piece.js';

/** Easings that the engine implements under the same name with the same curve. */
export const engineEasings = /^(linear|hold|ease(In|Out|InOut)(Quad|Cubic|Quart|Quint|Sine|Expo|Circ|Bounce)|ease(In|Out)(Back|Elastic))$/;

/** Converts times of an element to frames. */
export interface FrameClock {
  framesPerSecond: number;
  /** Number of frames for which the element is shown. */
  frames: number;
}

type Curves = Pick<ComponentPiece, 'opacity' | 'shiftX' | 'shiftY' | 'scaleX' | 'scaleY' | 'rotation' | 'reveal' | 'anchor'>;

/** Converts the motion of a node to curves of its piece; `cell` is the node's box, `at` the piece's rectangle. */
export function motionCurves(motion: readonly Motion[], delayMs: number, cell: Rect, at: Rect, clock: FrameClock, baseRotation = 0): Curves {
  const curves: Curves = {};
  const reveal: NonNullable<ComponentPiece['reveal']> = {};
  for (const { property, keys } of motion) {
    const curve = (read: (value: Length | { number: number }) => number) =>
      toCurve(
        keys.map(({ atMs, isAbsolute, value, easing }) => ({
          frame: frameAt((isAbsolute === true ? 0 : delayMs) + atMs, clock),
          value: read(value),
          ...(easing === undefined ? {} : { easing }),
        })),
      );
    const number = (value: Length | { number: number }) => ('number' in value ? value.number : 0);
    const length = (whole: number) => (value: Length | { number: number }) => ('number' in value ? value.number : resolveLength(value, whole));
    if (property === 'shift-x') curves.shiftX = curve(length(cell.width));
    else if (property === 'shift-y') curves.shiftY = curve(length(cell.height));
    else if (property === 'opacity') curves.opacity = curve(number);
    else if (property === 'rotate') curves.rotation = curve((value) => number(value) + baseRotation);
    else if (property === 'scale-x') curves.scaleX = curve(number);
    else if (property === 'scale-y') curves.scaleY = curve(number);
    else if (property === 'scale') curves.scaleX = curves.scaleY = curve(number);
    else if (property !== 'sweep')
      reveal[property.slice(7) as keyof typeof reveal] = curve((value) => hiddenFraction(property.slice(7), number(value), cell, at));
  }
  if (Object.keys(reveal).length > 0) curves.reveal = reveal;
  if (curves.scaleX || curves.scaleY || curves.rotation) curves.anchor = centreWithin(cell, at);
  return curves;
}

/** Applies the reveal animation of the clipping box `window` to a piece inside it. */
export function clipByReveal(piece: ComponentPiece, window: Rect, motion: readonly Motion[], delayMs: number, clock: FrameClock): ComponentPiece {
  const reveal = { ...piece.reveal };
  for (const { property, keys } of motion) {
    const side = property.startsWith('reveal-') ? (property.slice(7) as keyof typeof reveal) : undefined;
    if (side === undefined || reveal[side] !== undefined) continue;
    const shares = toCurve(
      keys.map(({ atMs, isAbsolute, value, easing }) => ({
        frame: frameAt((isAbsolute === true ? 0 : delayMs) + atMs, clock),
        value: 'number' in value ? value.number : 0,
        ...(easing === undefined ? {} : { easing }),
      })),
      true,
    );
    reveal[side] = shares.map(({ frame, value }) => ({ frame, value: hiddenFraction(side, value, window, piece) }));
  }
  return Object.keys(reveal).length > 0 ? { ...piece, reveal } : piece;
}

/** Centre of `cell` as fractions of `at`. */
export function centreWithin(cell: Rect, at: Rect): { x: number; y: number } {
  return { x: (cell.x + cell.width / 2 - at.x) / at.width, y: (cell.y + cell.height / 2 - at.y) / at.height };
}

/** The frame at a time, with its fraction; rounded, so that no whole frame gets a second keyframe right beside it. */
export function frameAt(ms: number, clock: FrameClock): number {
  return Math.round(ms * clock.framesPerSecond * 1e3) / 1e6;
}

/** Fraction of the piece to hide so that `share` of its node is hidden; all of it with the whole node. The piece may be larger than the node, e.g. by a shadow. */
function hiddenFraction(side: string, share: number, cell: Rect, at: Rect): number {
  if (share <= 0) return 0;
  if (share >= 1) return 1;
  const clamp = (value: number) => Math.min(1, Math.max(0, value));
  if (side === 'left') return clamp((cell.x + cell.width * share - at.x) / at.width);
  if (side === 'right') return clamp((at.x + at.width - cell.x - cell.width * (1 - share)) / at.width);
  if (side === 'top') return clamp((cell.y + cell.height * share - at.y) / at.height);
  return clamp((at.y + at.height - cell.y - cell.height * (1 - share)) / at.height);
}

/** A keyframe with the easing of a component, which the engine may not implement. */
interface ComponentKeyframe extends Omit<Keyframe, 'easing'> {
  easing?: string;
}

function hasEngineEasing(key: ComponentKeyframe): key is Keyframe {
  return key.easing === undefined || engineEasings.test(key.easing);
}

/** Sorts keyframes for the engine and samples easings that it does not implement once per frame. */
export function toCurve(keys: readonly ComponentKeyframe[], everyFrame = false): Keyframe[] {
  const ordered = [...keys].sort((a, b) => a.frame - b.frame);
  const curve: Keyframe[] = [];
  for (const [i, key] of ordered.entries()) {
    const next = ordered[i + 1];
    if (next !== undefined && next.frame <= key.frame) continue;
    if (next === undefined) curve.push({ frame: key.frame, value: key.value });
    else if (!everyFrame && hasEngineEasing(key)) curve.push(key);
    else curve.push(...sample(key, next));
  }
  return curve;
}

/** The keyframe and one for each frame between it and the next. */
function sample(key: ComponentKeyframe, next: ComponentKeyframe): Keyframe[] {
  const ease = findEasing(key.easing ?? 'linear') ?? ((t: number) => t);
  const samples: Keyframe[] = [{ frame: key.frame, value: key.value }];
  for (let frame = Math.floor(key.frame) + 1; frame < next.frame; frame++) {
    const t = ease((frame - key.frame) / (next.frame - key.frame));
    samples.push({ frame, value: key.value + (next.value - key.value) * t });
  }
  return samples;
}
