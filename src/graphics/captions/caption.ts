import type { Color } from '../../script/index.js';
import type { Rect } from '../canvas/bitmap.js';

/** A word of a caption with its style. */
export interface CaptionWord {
  text: string;
  /** No space before the word. */
  glued: boolean;
  /** The caption file has a line break before the word. */
  breakBefore: boolean;
  style: {
    bold?: true;
    italic?: true;
    underline?: true /** Emphasized: larger, and in the highlight colour. */;
    large?: true /** Index of the speaker. */;
    speaker?: number;
    loud?: true;
    /** Factor of the font size; absent: 1. */
    scale?: number;
  };
}

/** Style of captions; lengths in canvas pixels. */
export interface CaptionLook {
  families: readonly string[];
  fontSize: number;
  fontWeight: number;
  /** Do not warn when the family lacks the weight. */
  acceptsOtherWeight?: boolean;
  /** Colour of words that are not highlighted. */
  lineColor: Color;
  /** Colours of speakers in place of lineColor, by index; more speakers start again with the first one. */
  speakerColors: readonly Color[];
  /** Colour of the word that is spoken. */
  wordColor: Color;
  outline: { width: number; color: Color };
  shadow: { offset: number; color: Color };
  /** Second colour of the highlight, at the bottom of the letters; absent: one colour. */
  gradient?: Color;
  /** Whether words may be emphasized, which makes lines higher. */
  hasLargeWords: boolean;
  /** Added to each space between words. */
  wordSpacing: number;
  align: 'left' | 'center' | 'right';
  maxWidth: number;
  maxWordsPerLine: number;
}

/** Layers back to front: shadows, outlines, then letters in the line colour or the highlight colour. */
export type CaptionLayer = 'shadow' | 'outline' | 'line' | 'word';

/** A sprite file of one word in one layer. */
export interface CaptionSprite extends Rect {
  path: string;
  layer: CaptionLayer;
  /** Index of the word in its caption. */
  word: number;
  rightToLeft: boolean;
}

/** A drawn caption; positions are from the top left of its block. */
export interface DrawnCaption {
  /** Size of the block of lines. */
  width: number;
  height: number;
  /** Back to front. */
  sprites: CaptionSprite[];
  /** Boxes of each word (advance by line height), by word index; a word broken over lines has several. */
  cells: Rect[][];
}
