import type { Easing, Script } from '../../contract/index.js';
import type { Color } from '../values/color-and-sides.js';

/** An easing: a name, a CSS cubic Bézier, or a damped spring that settles at the end of the motion. */
export type EasingFunction =
  | Easing
  | { bezier: readonly [x1: number, y1: number, x2: number, y2: number] }
  | { spring: { stiffness: number; damping: number } };

/** How an element enters or leaves. */
export type EntranceType = Script.Entrance['type'];

/** A repeated motion. */
export type LoopType = Script.LoopAnimation['type'];

/** What of an element moves as one. All but `element` are parts of a text. */
export type AnimatedPart = NonNullable<Script.Entrance['by']>;

/** Direction of a movement on the canvas. */
export type Direction = NonNullable<Script.Entrance['direction']>;

/** What entrances, exits and loops have in common; times in seconds. */
interface PartAnimation {
  by: AnimatedPart;
  /** Of one part. Of a loop: of one repetition. */
  duration: number;
  /** Before the first part moves. */
  delay: number;
  /** Between the starts of two parts; absent: chosen by the number of parts. */
  stagger?: number;
  direction: Direction;
  /** Canvas pixels; absent: chosen by type and size. */
  distance?: number;
  /** Meaning by type; absent: chosen by type. */
  amount?: number;
}

/** An entrance or exit. */
export interface PhaseAnimation extends PartAnimation {
  type: EntranceType;
  easing: EasingFunction;
  /** Of a highlight. */
  color?: Color;
}

/** A motion that repeats between entrance and exit. */
export interface LoopAnimation extends PartAnimation {
  type: LoopType;
}

/** The animations of an element. */
export interface Animate {
  in?: PhaseAnimation;
  out?: PhaseAnimation;
  loop?: LoopAnimation;
}
