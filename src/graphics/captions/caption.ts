import type { Color } from '../../script/index.js';
import type { Rect } from '../canvas/bitmap.js';

/** A word of a caption as it is to be drawn. */
export interface CaptionWord {
  text: string;
  /** Follows the word before it without a space. */
  glued: boolean;
  /** The author began a line here. */
  breakBefore: boolean;
  style: { bold?: true; italic?: true; underline?: true };
}

/** How captions look; lengths in canvas pixels. */
export interface CaptionLook {
  families: readonly string[];
  fontSize: number;
  fontWeight: number;
  /** Of a word in its two states. */
  lineColor: Color;
  wordColor: Color;
  outline: { width: number; color: Color };
  shadow: { offset: number; color: Color };
  /** Added to each space between words. */
  wordSpacing: number;
  align: 'left' | 'center' | 'right';
  maxWidth: number;
  maxWordsPerLine: number;
}

/** What lies above each other: all shadows, all outlines, then the letters in one of their two colours. */
export type CaptionLayer = 'shadow' | 'outline' | 'line' | 'word';

export interface CaptionSprite extends Rect {
  path: string;
  layer: CaptionLayer;
  /** Index of the word. */
  word: number;
}

export interface DrawnCaption {
  /** Of the lines' boxes. */
  width: number;
  height: number;
  /** From the block's top left corner; back to front. */
  sprites: CaptionSprite[];
  /** Advance by line height of every word's parts, by the index of the word: a word may be broken over lines. */
  cells: Rect[][];
}
