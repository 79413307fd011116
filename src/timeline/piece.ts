import type { Keyframe, MediaRange, Rect } from '../contract/index.js';
import type { Color } from '../script/index.js';

type PieceKeyframes = Keyframe[];

/** Content of a piece: a file or a solid colour. */
type PieceContent = { kind: 'sprite' | 'image' | 'video' | 'sequence'; path: string } | { kind: 'fill'; color: Color };

/**
 * One separately animated part of a text, component or subtitles element, such as a word. x and y are canvas pixels
 * from the top left corner of the element's box; keyframes count frames from the element's start.
 */
export type Piece = PieceContent &
  Rect & {
    opacity?: PieceKeyframes;
    shiftX?: PieceKeyframes;
    shiftY?: PieceKeyframes;
    scaleX?: PieceKeyframes;
    scaleY?: PieceKeyframes;
    rotation?: PieceKeyframes;
    /** Standard deviation in canvas pixels. */
    blur?: PieceKeyframes;
    /** Fraction of the piece hidden from each side. */
    reveal?: { left?: PieceKeyframes; top?: PieceKeyframes; right?: PieceKeyframes; bottom?: PieceKeyframes };
    /** Centre of scaling and rotation, in fractions of the piece. */
    anchor?: { x: number; y: number };
    /** Clip rectangle, in the same coordinates as x and y. */
    clip?: Rect;
    cornerRadius?: number;
    /** Visible range in frames from the element's start. Default: the whole element. */
    start?: number;
    frames?: number;
    media?: MediaRange;
    /** The colour of the element's keyframes in which a white sprite is shown. */
    tint?: 'color' | 'backgroundColor' | 'strokeColor' | 'borderColor';
  };
