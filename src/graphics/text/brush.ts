import type { SKRSContext2D } from '@napi-rs/canvas';
import type { SpanLook, Typography } from '../../script/index.js';
import { createCanvas } from '../canvas/skia.js';
import type { ResolvedFont } from '../fonts/index.js';
import { letterSpacingOf, sizeOf } from './spans.js';

/** Everything that determines how fragments look. */
export interface Brush {
  typography: Typography;
  font: ResolvedFont;
  /** Fonts of faces other than the first, by index. */
  faces?: readonly (ResolvedFont | undefined)[];
  /** Looks of the parts of the text, by face: see spans.ts. */
  looks?: readonly SpanLook[];
  /** BCP 47 tag. */
  lang: string;
  /** Ascent of the first font in pixels. */
  ascent: number;
  /** Descent of the first font in pixels; needed for backgrounds of parts. */
  descent?: number;
  /** The element's path, for errors. */
  path: string;
  /** Whether letters and lines may lie anywhere between pixels, because they move from drawing to drawing. */
  isVarying?: boolean;
}

/** Font size in pixels at which letters have exact widths; Skia rounds those of small ones to pixels. */
const EXACT_SIZE = 1000;

/** The brush at a size at which letters have exact widths, with the factor back to its own size. */
export function exactBrush(brush: Brush): { brush: Brush; scale: number } {
  const { typography } = brush;
  const scale = typography.fontSize / EXACT_SIZE;
  return { brush: { ...brush, typography: { ...typography, fontSize: EXACT_SIZE, letterSpacing: typography.letterSpacing / scale } }, scale };
}

/** Sets the font and the letter spacing of one run. */
export function prepareRun(
  context: SKRSContext2D,
  brush: Pick<Brush, 'typography' | 'font' | 'faces' | 'looks'>,
  run: { rightToLeft: boolean; face?: number },
): void {
  context.direction = run.rightToLeft ? 'rtl' : 'ltr';
  if (brush.faces === undefined) return;
  context.font = (brush.faces[run.face ?? 0] ?? brush.font).css(sizeOf(brush, run.face));
  context.letterSpacing = `${letterSpacingOf(brush, run.face)}px`;
}

/** Advance of a text in the font of a run. */
export function measureRun(brush: Brush, run: { rightToLeft: boolean; face?: number }, text: string): number {
  const context = createCanvas(1, 1).getContext('2d');
  prepareContext(context, brush);
  prepareRun(context, brush, run);
  return context.measureText(text).width;
}

/** Sets everything that affects glyphs on a new context. */
export function prepareContext(context: SKRSContext2D, brush: Pick<Brush, 'typography' | 'font' | 'lang'>): void {
  context.font = brush.font.css(brush.typography.fontSize);
  context.lang = brush.lang;
  context.letterSpacing = `${brush.typography.letterSpacing}px`;
  context.fontVariantCaps = brush.typography.capitals ?? 'normal';
  context.fontKerning = brush.typography.noKerning === true ? 'none' : 'normal';
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  context.lineJoin = 'round';
  context.lineCap = 'round';
}
