import type { Typography } from '../../movie/index.js';
import type { ResolvedFont } from '../fonts/index.js';
import type { Rect } from './bitmap.js';
import type { Fragment } from './layout.js';

export interface DecorationRect {
  kind: 'underline' | 'overline' | 'lineThrough';
  rect: Rect;
  /** Ends of the line of text, where a stroke goes round the corner. */
  leftmost: boolean;
  rightmost: boolean;
  /** Room that an underline leaves around descenders. */
  gap: number;
}

/** Canvas has no text-decoration: the lines as the font wants them, on whole pixels so that words' parts meet. */
export function decorationRects(fragments: readonly Fragment[], brush: { typography: Typography; font: ResolvedFont; ascent: number }): DecorationRect[] {
  const { textDecoration, fontSize, stroke } = brush.typography;
  const metrics = brush.font.lineMetrics;
  const kinds = (['underline', 'overline', 'lineThrough'] as const).filter((kind) => textDecoration[kind]);
  return fragments.flatMap((fragment) =>
    kinds.map((kind) => {
      const em = kind === 'lineThrough' ? metrics.strikeThickness : metrics.underlineThickness;
      const thickness = Math.max(1, Math.round(em * fontSize));
      const middle = {
        underline: -metrics.underlinePosition * fontSize,
        lineThrough: -metrics.strikePosition * fontSize,
        overline: thickness / 2 - brush.ascent,
      }[kind];
      const offset = Math.round(middle - thickness / 2);
      const y = fragment.baseline + (kind === 'underline' ? Math.max(1, offset) : offset);
      const x = Math.round(fragment.x);
      const rect = { x, y, width: Math.round(fragment.x + fragment.width) - x, height: thickness };
      const gap = Math.min(thickness, (y - fragment.baseline) * 0.7) + (stroke?.width ?? 0);
      return { kind, rect, leftmost: fragment.leftmost, rightmost: fragment.rightmost, gap };
    }),
  );
}

/** East Asian letters sit on the underline as a whole; gaps would eat it up. */
export function skipsInk(text: string): boolean {
  return !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text);
}

/** How far strokes and shadows reach beyond the glyphs. */
export function outsets({ shadows, stroke }: Pick<Typography, 'shadows' | 'stroke'>): { left: number; top: number; right: number; bottom: number } {
  // Two pixels for anti-aliasing and for glyph boxes that were rounded.
  const edge = 2 + (stroke?.width ?? 0);
  const reach = { left: edge, top: edge, right: edge, bottom: edge };
  for (const { x, y, blur } of shadows) {
    // Blur is two sigma; three sigma hold what one can see.
    const spread = edge + blur * 1.5;
    reach.left = Math.max(reach.left, spread - x);
    reach.right = Math.max(reach.right, spread + x);
    reach.top = Math.max(reach.top, spread - y);
    reach.bottom = Math.max(reach.bottom, spread + y);
  }
  return reach;
}
