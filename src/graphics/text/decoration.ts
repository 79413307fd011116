import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Sides, Typography } from '../../script/index.js';
import type { Rect } from '../canvas/bitmap.js';
import type { ResolvedFont } from '../fonts/index.js';
import type { Fragment } from './lines/layout.js';

/** A decoration line of one fragment. */
export interface DecorationRect {
  kind: 'underline' | 'overline' | 'lineThrough';
  /** Bounds, including both lines of a double decoration and the crests of a wave. */
  rect: Rect;
  /** Thickness of a single line. */
  thickness: number;
  /** Whether it is at an end of the text line, where a stroke wraps around the corner. */
  leftmost: boolean;
  rightmost: boolean;
  /** Gap between an underline and descenders. */
  gap: number;
  style: DecorationStyle;
}

/** Absent: solid. */
type DecorationStyle = NonNullable<Typography['decorationLook']>['style'];

type LineBrush = { typography: Typography; font: ResolvedFont; ascent: number };

/** Positions of decoration lines, which canvas lacks, from the font's metrics; on whole pixels so that adjacent words join. */
export function decorationRects(fragments: readonly Fragment[], brush: LineBrush): DecorationRect[] {
  const { textDecoration, fontSize, stroke, decorationLook: look = {} } = brush.typography;
  const kinds = (['underline', 'overline', 'lineThrough'] as const).filter((kind) => textDecoration[kind]);
  if (kinds.length === 0) return [];
  const metrics = brush.font.lineMetrics;
  return fragments.flatMap((fragment) =>
    kinds.map((kind) => {
      const em = kind === 'lineThrough' ? metrics.strikeThickness : metrics.underlineThickness;
      const thickness = Math.max(1, Math.round(look.thickness ?? em * fontSize));
      const middle = {
        underline: -metrics.underlinePosition * fontSize,
        lineThrough: -metrics.strikePosition * fontSize,
        overline: thickness / 2 - brush.ascent,
      }[kind];
      const offset = Math.round(middle - thickness / 2);
      const own = look.underlineOffset === undefined ? Math.max(1, offset) : Math.round(look.underlineOffset);
      const top = fragment.baseline + (kind === 'underline' ? own : offset);
      const { above, height } = decorationExtent(thickness, kind, look.style);
      const y = top - above;
      const x = Math.round(fragment.x);
      const rect = { x, y, width: Math.round(fragment.x + fragment.width) - x, height };
      const gap = Math.max(0, Math.min(thickness, (y - fragment.baseline) * 0.7)) + (stroke?.width ?? 0);
      return { kind, rect, thickness, leftmost: fragment.leftmost, rightmost: fragment.rightmost, gap, style: look.style };
    }),
  );
}

/** Space that a style needs above the line's top, and its total height. */
function decorationExtent(thickness: number, kind: DecorationRect['kind'], style: DecorationStyle): { above: number; height: number } {
  if (style === 'double') return { above: kind === 'underline' ? 0 : kind === 'overline' ? 2 * thickness : thickness, height: 3 * thickness };
  if (style === 'wavy') {
    const height = thickness + 2 * Math.ceil(amplitudeOf(thickness));
    return { above: kind === 'underline' ? 0 : kind === 'overline' ? height - thickness : Math.round((height - thickness) / 2), height };
  }
  return { above: 0, height: thickness };
}

function amplitudeOf(thickness: number): number {
  return thickness + 0.5;
}

/** Draws one line in the context's fill style; dashes, dots and waves continue from word to word. */
export function drawDecoration(context: SKRSContext2D, { rect, thickness, style }: DecorationRect): void {
  const { x, y, width, height } = rect;
  if (style === undefined) {
    context.fillRect(x, y, width, height);
  } else if (style === 'double') {
    context.fillRect(x, y, width, thickness);
    context.fillRect(x, y + 2 * thickness, width, thickness);
  } else {
    drawPattern(context, rect, thickness, style);
  }
}

function drawPattern(context: SKRSContext2D, { x, y, width, height }: Rect, thickness: number, style: 'dotted' | 'dashed' | 'wavy'): void {
  const [mark, gap] = style === 'dotted' ? [0.01, thickness * 2] : thickness >= 3 ? [thickness * 2, thickness] : [thickness * 3, thickness * 2];
  const period = style === 'wavy' ? 4 * (thickness + 0.5) : mark + gap;
  const first = Math.floor(x / period - 1) * period;
  const middle = y + height / 2;
  context.save();
  context.beginPath();
  context.rect(x, y - 1, width, height + 2);
  context.clip();
  context.strokeStyle = context.fillStyle;
  context.lineWidth = thickness;
  context.lineCap = style === 'dashed' ? 'butt' : 'round';
  if (style !== 'wavy') context.setLineDash([mark, gap]);
  context.beginPath();
  context.moveTo(first, middle);
  if (style !== 'wavy') context.lineTo(x + width + period, middle);
  const swing = amplitudeOf(thickness) * 2;
  for (let at = first; style === 'wavy' && at < x + width + period; at += period) {
    context.quadraticCurveTo(at + period / 4, middle - swing, at + period / 2, middle);
    context.quadraticCurveTo(at + (period * 3) / 4, middle + swing, at + period, middle);
  }
  context.stroke();
  context.restore();
}

/** Whether underlines skip descenders; in East Asian text the gaps would remove most of the line. */
export function hasInkSkipping(text: string): boolean {
  return !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text);
}

/** Extent of strokes and shadows beyond the glyphs, in pixels. */
export function glyphOutsets(shadows: Typography['shadows'], strokeWidth: number): Sides {
  // Two pixels for anti-aliasing and rounded glyph boxes.
  return extendByShadows(shadows, 2 + strokeWidth);
}

/** Extent of shadows and outline beyond a block, in pixels. */
export function boxOutsets({ box, outline }: Pick<Typography, 'box' | 'outline'>): Sides {
  const edge = outline === undefined ? 0 : Math.max(0, outline.offset) + 1;
  const outside = (box?.shadows ?? []).filter(({ inset }) => !inset);
  return extendByShadows(
    outside.map(({ blur, spread, ...shadow }) => ({ ...shadow, blur: blur + Math.max(0, spread) / 1.5 })),
    edge,
  );
}

function extendByShadows(shadows: ReadonlyArray<{ x: number; y: number; blur: number }>, edge: number): Sides {
  const reach = { left: edge, top: edge, right: edge, bottom: edge };
  for (const { x, y, blur } of shadows) {
    // A blur of two sigma is visible up to three sigma.
    const spread = edge + blur * 1.5;
    reach.left = Math.max(reach.left, spread - x);
    reach.right = Math.max(reach.right, spread + x);
    reach.top = Math.max(reach.top, spread - y);
    reach.bottom = Math.max(reach.bottom, spread + y);
  }
  return reach;
}
