import type { Rect } from '../canvas/bitmap.js';

export interface CurveKey {
  frame: number;
  value: number;
  easing?: string;
}

/** One picture of a component and what it does; lengths in canvas pixels from the corner of the element's box, frames from its start. */
export interface ComponentPiece extends Rect {
  kind: 'sprite' | 'image' | 'sequence';
  path: string;
  opacity?: CurveKey[];
  shiftX?: CurveKey[];
  shiftY?: CurveKey[];
  scaleX?: CurveKey[];
  scaleY?: CurveKey[];
  rotation?: CurveKey[];
  /** Fractions of the piece hidden from each side. */
  reveal?: { left?: CurveKey[]; top?: CurveKey[]; right?: CurveKey[]; bottom?: CurveKey[] };
  anchor?: { x: number; y: number };
  clip?: Rect;
  start?: number;
  frames?: number;
}
