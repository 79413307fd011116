import type { Rect } from '../canvas/bitmap.js';

export interface Keyframe {
  frame: number;
  value: number;
  easing?: string;
}

/** One picture of a component and what it does; lengths in canvas pixels from the corner of the element's box, frames from its start. */
export interface ComponentPiece extends Rect {
  kind: 'sprite' | 'image' | 'sequence';
  path: string;
  opacity?: Keyframe[];
  shiftX?: Keyframe[];
  shiftY?: Keyframe[];
  scaleX?: Keyframe[];
  scaleY?: Keyframe[];
  rotation?: Keyframe[];
  /** Fractions of the piece hidden from each side. */
  reveal?: { left?: Keyframe[]; top?: Keyframe[]; right?: Keyframe[]; bottom?: Keyframe[] };
  anchor?: { x: number; y: number };
  clip?: Rect;
  start?: number;
  frames?: number;
}
