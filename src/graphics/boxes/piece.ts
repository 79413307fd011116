import type { Keyframe } from '../../contract/index.js';
import type { Rect } from '../canvas/bitmap.js';

/** One drawn part of a component and its motion; lengths in canvas pixels from the top left of the element's box, frames from the element's start. */
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
