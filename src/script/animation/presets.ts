import type { Color } from '../values/color-and-sides.js';
import type { AnimatedPart, Direction, EasingFunction, EntranceType, LoopType } from './animation.js';

interface EntrancePreset {
  /** Seconds of an entrance; an exit takes EXIT_PACE of it. */
  duration: number;
  easing: EasingFunction;
  exitEasing: EasingFunction;
}

const decelerating = { easing: 'easeOutCubic', exitEasing: 'easeInCubic' } as const;

/** Defaults of entrances and exits by type. */
export const entrancePresets: Readonly<Record<EntranceType, EntrancePreset>> = {
  fade: { duration: 0.6, easing: 'easeInOutSine', exitEasing: 'easeInOutSine' },
  slide: { duration: 0.8, ...decelerating },
  rise: { duration: 0.7, ...decelerating },
  scale: { duration: 0.6, ...decelerating },
  pop: { duration: 0.5, easing: 'easeOutBack', exitEasing: 'easeInBack' },
  blur: { duration: 0.7, ...decelerating },
  'mask-reveal': { duration: 0.8, ...decelerating },
  typewriter: { duration: 0, easing: 'hold', exitEasing: 'hold' },
  flip: { duration: 0.6, ...decelerating },
  spin: { duration: 0.8, ...decelerating },
  scramble: { duration: 0.7, easing: 'linear', exitEasing: 'linear' },
  'draw-on': { duration: 1.2, easing: 'easeInOutSine', exitEasing: 'easeInOutSine' },
  highlight: { duration: 0.5, easing: 'easeInOutCubic', exitEasing: 'easeInOutCubic' },
};

/** Entrances and exits of texts alone. */
export const textOnly: ReadonlySet<EntranceType> = new Set(['typewriter', 'highlight', 'scramble', 'draw-on']);

/** Properties that only some types have. */
type OwnProperty = 'distance' | 'direction' | 'amount' | 'color' | 'easing';

/** Entrances and exits by the properties that not all have. */
export const entranceProperties: Readonly<Record<OwnProperty, readonly EntranceType[]>> = {
  distance: ['slide', 'rise'],
  direction: ['slide', 'rise', 'mask-reveal', 'flip', 'spin', 'highlight'],
  amount: ['scale', 'pop', 'blur', 'spin', 'draw-on'],
  color: ['highlight'],
  easing: ['fade', 'slide', 'rise', 'scale', 'pop', 'blur', 'mask-reveal', 'flip', 'spin', 'draw-on', 'highlight'],
};

/** Loops by the properties that not all have. */
export const loopProperties: Readonly<Partial<Record<OwnProperty, readonly LoopType[]>>> = {
  distance: ['wave', 'float'],
  direction: ['spin'],
  amount: ['pulse', 'sway', 'blink'],
};

/** Duration of an exit as a fraction of that of the entrance: viewers have read the element by then. */
export const EXIT_PACE = 0.75;

/** Colour of a highlight: light or dark letters remain readable on it. */
export const HIGHLIGHT_COLOR: Color = { r: 0xf2, g: 0xb7, b: 0x05, a: 0x99 };

/** Defaults of loops: seconds of one repetition. */
export const loopSeconds: Readonly<Record<LoopType, number>> = { wave: 1.6, pulse: 1.2, float: 3, sway: 2.4, spin: 4, blink: 1 };

const byLetter: ReadonlySet<EntranceType | LoopType> = new Set(['typewriter', 'wave', 'scramble', 'draw-on']);

/** What moves as one unless the script says so; parts only of texts. */
export function defaultPart(type: EntranceType | LoopType, isText: boolean): AnimatedPart {
  if (!isText) return 'element';
  if (type === 'mask-reveal' || type === 'highlight') return 'line';
  return byLetter.has(type) ? 'letter' : 'element';
}

/** Direction of an entrance or exit unless the script names one. What is uncovered along the lines of a text follows its reading direction. */
export function defaultDirection(type: EntranceType, by: AnimatedPart, isRightToLeft: boolean): Direction {
  if (isRightToLeft && (type === 'highlight' || (type === 'mask-reveal' && by === 'element'))) return 'left';
  // Parts that enter sideways one after the other would pass through each other.
  return type === 'flip' || type === 'highlight' || (by === 'element' && (type === 'slide' || type === 'mask-reveal')) ? 'right' : 'up';
}
