import type { EasingFunction } from './animation.js';
import type { Keyframe } from './keyframe.js';

/** The values that keyframes give to a property for which the element is drawn anew. */
export interface ValueTrack {
  /** Names that lead from the element to the value in the script. */
  path: readonly string[];
  keys: ReadonlyArray<{ time: Keyframe['time']; easing: EasingFunction; value: unknown }>;
}

/** An element of which keyframes change what is drawn. */
export interface Varying<E> {
  tracks: readonly ValueTrack[];
  /** The element with one value for each track. */
  at(values: readonly unknown[]): E;
}
