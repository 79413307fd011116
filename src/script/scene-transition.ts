import type { Script } from '../contract/index.js';
import type { EasingFunction } from './animation/index.js';

/** The transition from the previous scene. */
export interface SceneTransition {
  style: TransitionStyle;
  /** Seconds. */
  duration: number;
  /** Absent: linear. */
  easing?: EasingFunction;
  /** Of the style luma. */
  luma?: LumaWipe;
}

/** A grey image by which a transition shows the new scene, dark places first. */
export interface LumaWipe {
  src: string;
  /** Width of the edge, 0..1. */
  softness: number;
  /** Whether bright places change first. */
  invert: boolean;
}

/** Names of transitions, with their direction. */
export type TransitionStyle = Exclude<
  NonNullable<Script.Transition['style']>,
  'wipe' | 'slide' | 'smooth' | 'cover' | 'reveal' | 'push' | 'whip-pan' | 'page-curl' | 'cross-dissolve' | 'zoom'
>;
