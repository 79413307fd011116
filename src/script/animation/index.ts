export type { Animate, AnimatedPart, Direction, EasingFunction, EntranceType, LoopAnimation, LoopType, PhaseAnimation } from './animation.js';
export { ease, evaluate } from './easing.js';
export type { Keyframe } from './keyframe.js';
export { mixValues } from './mix-values.js';
export {
  defaultDirection,
  defaultPart,
  EXIT_PACE,
  entrancePresets,
  entranceProperties,
  HIGHLIGHT_COLOR,
  loopProperties,
  loopSeconds,
  textOnly,
} from './presets.js';
export { minTextSeconds, partSeconds, phaseSeconds, staggerSeconds } from './timing.js';
export type { ValueTrack, Varying } from './varying.js';
