import type { Color } from '../script/index.js';
import type { Keyframe, MediaRange, Rect } from './timeline.js';

type PieceKeyframes = Keyframe[];

/** What a piece shows: a file, or one colour. */
export type PieceContent = { kind: 'sprite' | 'image' | 'video' | 'sequence'; path: string } | { kind: 'fill'; color: Color };

/**
 * One part of an element that is drawn in parts: a text, a component, subtitles. x and y count from the top
 * left corner of the element's box, in canvas pixels; keyframes count frames from the element's start.
 */
export type Piece = PieceContent &
  Rect & {
    opacity?: PieceKeyframes;
    shiftX?: PieceKeyframes;
    shiftY?: PieceKeyframes;
    scaleX?: PieceKeyframes;
    scaleY?: PieceKeyframes;
    rotation?: PieceKeyframes;
    /** Parts of the piece hidden from each side. */
    reveal?: { left?: PieceKeyframes; top?: PieceKeyframes; right?: PieceKeyframes; bottom?: PieceKeyframes };
    /** What it stretches and turns about, in fractions of the piece. */
    anchor?: { x: number; y: number };
    /** Window through which it is seen, where x and y count from. */
    clip?: Rect;
    cornerRadius?: number;
    /** Shown in this stretch alone, in frames from the element's start. Default: the whole element. */
    start?: number;
    frames?: number;
    media?: MediaRange;
  };
