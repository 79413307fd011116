import type { Script } from '../contract/index.js';
import type { Background, BoxLook } from './css/index.js';
import type { Color, Sides } from './values/color-and-sides.js';

/** Animation style of a text, as numbered by JSON2Video. */
export type TextStyle = NonNullable<Script.TextElement['style']>;

/** Everything that decides how text looks, in canvas pixels. */
export interface Typography {
  /** Families in order of preference. */
  fontFamilies: string[];
  fontSize: number;
  /** Set for `font-size: auto`: the text is fitted to its box, and fontSize is only the basis of em lengths. */
  fit?: { letterSpacingEm?: number };
  /** 100..900 */
  fontWeight: number;
  fontStyle: 'normal' | 'italic';
  color: Color;
  /** Background of the text block; alpha 0: none. */
  backgroundColor: Color;
  textAlign: 'left' | 'center' | 'right' | 'justify';
  /** Multiple of fontSize. */
  lineHeight: number;
  letterSpacing: number;
  textDecoration: { underline: boolean; lineThrough: boolean; overline: boolean };
  textTransform: 'none' | 'uppercase' | 'lowercase' | 'capitalize';
  shadows: Array<{ x: number; y: number; blur: number; color: Color }>;
  stroke?: { width: number; color: Color };
  padding: Sides;
  borderRadius: number;
  /** Margin between the block and the element's box; may be negative. */
  margin?: Sides;
  /** Width of the text block including padding; absent: the width of its longest line. */
  blockWidth?: number;
  /** Absent: lines break between words and where the writing system allows it. */
  wordBreak?: 'break-all' | 'keep-all';
  /** Words wider than their line overflow instead of being broken. */
  keepLongWords?: boolean;
  /** Set when the block's box has more than a background colour and equal corner radii; padding then includes the border widths. */
  box?: BoxLook;
  outline?: { offset: number; look: BoxLook };
  /** Overflow beyond the block is clipped. */
  clips?: true;
  /** Background painted through the letters, below their own colour. */
  fill?: Background;
  /** Bounds of the text block including padding; an explicit height sets both minHeight and maxHeight. */
  minWidth?: number;
  maxWidth?: number;
  minHeight?: number;
  maxHeight?: number;
  /** Vertical alignment of the lines within a taller block; absent: top. */
  linesPosition?: 'center' | 'bottom';
  /** White space is preserved. */
  keepSpaces?: true;
  /** Lines are not wrapped. */
  noWrap?: true;
  /** Line breaks are chosen for the look of all lines: of equal width, or without a very short last line. */
  textWrap?: 'balance' | 'pretty';
  /** Where words may be broken: where the language's dictionary allows it, or nowhere; absent: at soft hyphens. */
  hyphens?: 'auto' | 'none';
  /** BCP 47 tag; absent: guessed from the text. */
  lang?: string;
  wordSpacing?: number;
  textIndent?: number;
  direction?: 'ltr' | 'rtl';
  decorationLook?: DecorationLook;
  capitals?: 'small-caps' | 'all-small-caps';
  noKerning?: true;
  /** Maximum number of lines; the last one ends in an ellipsis if more follow. */
  maxLines?: number;
  /** Lines wider than the block end in an ellipsis. */
  ellipsis?: true;
  /** Matrix a, b, c, d, e, f as in the Canvas API, applied to the whole block around its centre. */
  transform?: [number, number, number, number, number, number];
  /** Position of the text block in the element's box. */
  horizontalPosition: 'left' | 'center' | 'right';
  verticalPosition: 'top' | 'center' | 'bottom';
}

/** Styling of text decoration lines; absent properties come from the font and the text colour. */
export interface DecorationLook {
  color?: Color;
  style?: 'double' | 'dotted' | 'dashed' | 'wavy';
  thickness?: number;
  underlineOffset?: number;
}

/** How a part of a text with markup looks; absent properties are those of the text. */
export interface SpanLook {
  /** Multiple of the text's font size. */
  scale?: number;
  /** Families that precede those of the text. */
  fontFamilies?: string[];
  /** 100..900 */
  fontWeight?: number;
  fontStyle?: 'normal' | 'italic';
  color?: Color;
  /** Lines besides those of the text. */
  textDecoration?: Typography['textDecoration'];
  decorationLook?: DecorationLook;
  background?: SpanBackground;
  /** Multiple of the text's font size. */
  letterSpacingEm?: number;
  /** Outline instead of the text's; width 0: none. `widthEm`: multiple of the text's font size; color: absent: that of the letters. */
  stroke?: { widthEm: number; color?: Color };
  /** The letters have none of the text's shadows. */
  noShadow?: true;
}

/** Background behind the words of a span, as high as letters of its font size. */
export interface SpanBackground {
  color: Color;
  /** Corner radius as a multiple of the text's font size. */
  radiusEm: number;
  /** Font size at which the background was set, as a multiple of the text's. */
  scale: number;
}

/** A part of a text with a look of its own; positions in UTF-16 units of the text. */
export interface TextSpan {
  start: number;
  end: number;
  look: SpanLook;
}
