import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Sides, Typography } from '../../script/index.js';
import type { Rect } from '../canvas/bitmap.js';
import { createCanvas } from '../canvas/skia.js';
import type { Brush } from './brush.js';
import { exactBrush, prepareContext, prepareRun } from './brush.js';
import { greatestFitting, minFontSize, withFontSize } from './lines/fit.js';
import type { FitLimits, LayoutInput, LineExtent, TextLayout } from './lines/layout.js';
import { fitsWithin, layoutText } from './lines/layout.js';
import type { MeasureRun, Paragraph } from './lines/paragraph.js';
import { prepareParagraphs } from './lines/paragraph.js';
import type { PlacedText } from './pieces.js';
import { letterSpacingOf, lookOf, sizeOf } from './spans.js';

/** In canvas pixels. */
export interface Size {
  width: number;
  height: number;
}

/** A text with its fonts, before layout. */
export interface TextPlan {
  brush: Brush;
  paragraphs: string[];
  /** Face index of every UTF-16 unit of each paragraph; absent: 0. */
  faces?: readonly Uint8Array[];
  /** Equal numbers for faces with the same font and size; absent: none are equal. */
  shapes?: readonly number[];
}

const none: Sides = { top: 0, right: 0, bottom: 0, left: 0 };

/** Lays out a text and positions its block in the element's box. `besidesEm`: height to reserve above and below a fitted text, in em. */
export function placeText(plan: TextPlan, box: Size, besidesEm = 0): { text: PlacedText; warnings: string[] } {
  const { isVarying = false } = plan.brush;
  const inner = insetByMargin(plan.brush.typography, box, isVarying);
  const { typography, warnings } = chooseSize(plan, inner, besidesEm);
  const { layout, brush } = layoutPlan(plan, typography, inner.width);
  const { outer, content } = placeBlock(typography, layout, inner, isVarying);
  const fragments = layout.fragments.map((fragment) => ({ ...fragment, x: fragment.x + content.x, baseline: fragment.baseline + content.y }));
  const lines = layout.lines.map(({ top, height }) => ({ top: top + content.y, height }));
  return { text: { fragments, outer, lines, brush }, warnings };
}

function insetByMargin({ margin = none }: Typography, box: Size, isVarying: boolean): Rect {
  // Even values keep sprites on the chroma grid.
  const even = (length: number) => (isVarying ? length : Math.round(length / 2) * 2);
  const { left, top } = { left: even(margin.left), top: even(margin.top) };
  return { x: left, y: top, width: Math.max(2, box.width - left - even(margin.right)), height: Math.max(2, box.height - top - even(margin.bottom)) };
}

function chooseSize(plan: TextPlan, box: Size, besidesEm: number): { typography: Typography; warnings: string[] } {
  const { typography } = plan.brush;
  if (typography.fit === undefined) return { typography, warnings: [] };
  const room = box.height - typography.padding.top - typography.padding.bottom;
  const isFitting = (fontSize: number) =>
    fitsRoom(plan, withFontSize(typography, fontSize), box.width, { height: room - besidesEm * fontSize, lines: Number.POSITIVE_INFINITY });
  if (!isFitting(minFontSize)) {
    const warnings = [`the text does not fit its box even at the smallest font size, ${minFontSize} pixels`];
    return { typography: withFontSize(typography, minFontSize), warnings };
  }
  // Upper bound: a single line that fills the box.
  const highest = Math.floor(room / Math.max(typography.lineHeight, 0.1));
  return { typography: withFontSize(typography, greatestFitting(minFontSize, highest, isFitting)), warnings: [] };
}

/** Lays out a text in a width; returns the layout and the brush that draws it. */
export function layoutPlan(plan: TextPlan, typography: Typography, boxWidth: number): { layout: TextLayout; brush: Brush } {
  const { input, brush } = prepareLayout(plan, typography, boxWidth);
  return { layout: layoutText(input), brush };
}

/** Whether a text fits without broken words; faster than layoutPlan(). */
export function fitsRoom(plan: TextPlan, typography: Typography, boxWidth: number, room: FitLimits): boolean {
  return fitsWithin(prepareLayout(plan, typography, boxWidth).input, room);
}

/** Paragraphs do not depend on the font size, so they are prepared once per plan. */
const paragraphsByPlan = new WeakMap<TextPlan, Paragraph[]>();

function paragraphsOf(plan: TextPlan): Paragraph[] {
  const known = paragraphsByPlan.get(plan);
  if (known !== undefined) return known;
  const { typography, lang } = plan.brush;
  const { faces, shapes } = plan;
  const paragraphs = prepareParagraphs({
    paragraphs: plan.paragraphs,
    ...(faces === undefined ? {} : { faces }),
    ...(shapes === undefined ? {} : { shapes }),
    typography,
    lang,
  });
  paragraphsByPlan.set(plan, paragraphs);
  return paragraphs;
}

function prepareLayout(plan: TextPlan, typography: Typography, boxWidth: number): { input: LayoutInput; brush: Brush } {
  const context = createCanvas(1, 1).getContext('2d');
  const brush = { ...plan.brush, typography };
  prepareContext(context, brush);
  const line = fontBoxOf(context, brush);
  const { padding, minWidth, maxWidth: limit = Number.POSITIVE_INFINITY } = typography;
  const around = padding.left + padding.right;
  const blockWidth = typography.blockWidth === undefined ? undefined : Math.max(minWidth ?? 0, Math.min(limit, typography.blockWidth));
  const maxWidth = Math.max(0, Math.min(limit, blockWidth ?? boxWidth) - around);
  // Unwrapped text has its natural width unless the block has a width.
  const widest = typography.noWrap === true && blockWidth === undefined && !Number.isFinite(limit) ? 1e6 : maxWidth;
  const input: LayoutInput = {
    paragraphs: paragraphsOf(plan),
    typography,
    ascent: line.fontBoundingBoxAscent,
    descent: line.fontBoundingBoxDescent,
    maxWidth: widest,
    ...(blockWidth === undefined ? {} : { width: maxWidth }),
    ...(minWidth === undefined ? {} : { minWidth: Math.max(0, minWidth - around) }),
    lang: plan.brush.lang,
    ...(plan.brush.isVarying === true && { isVarying: true }),
    measure: measureWith(context, brush),
    ...(brush.looks === undefined
      ? {}
      : { extents: extentsOf(context, brush, line), spacings: brush.faces?.map((_, face) => letterSpacingOf(brush, face)) ?? [] }),
  };
  return { input, brush: { ...brush, ascent: line.fontBoundingBoxAscent, descent: line.fontBoundingBoxDescent } };
}

/** Ascent and descent of the font, which Skia rounds to pixels. */
function fontBoxOf(context: SKRSContext2D, brush: Brush): FontBox {
  if (brush.isVarying !== true) return context.measureText('x');
  const { brush: exact, scale } = exactBrush(brush);
  context.save();
  prepareContext(context, exact);
  const { fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText('x');
  context.restore();
  return { fontBoundingBoxAscent: fontBoundingBoxAscent * scale, fontBoundingBoxDescent: fontBoundingBoxDescent * scale };
}

type FontBox = Pick<ReturnType<SKRSContext2D['measureText']>, 'fontBoundingBoxAscent' | 'fontBoundingBoxDescent'>;

/** What the faces of parts need above and below the baseline; parts in the text's family have its metrics, so that lines stay even. */
function extentsOf(context: SKRSContext2D, brush: Brush, base: FontBox): LineExtent[] {
  return (brush.faces ?? []).map((_, face) => {
    const { scale = 1, fontFamilies } = lookOf(brush, face) ?? {};
    prepareRun(context, brush, { rightToLeft: false, face });
    const own = fontFamilies === undefined ? undefined : context.measureText('x');
    const [ascent, descent] = [
      own?.fontBoundingBoxAscent ?? base.fontBoundingBoxAscent * scale,
      own?.fontBoundingBoxDescent ?? base.fontBoundingBoxDescent * scale,
    ];
    const height = brush.typography.lineHeight * sizeOf(brush, face);
    const above = (height - ascent - descent) / 2 + ascent;
    return { above, below: height - above };
  });
}

function measureWith(context: SKRSContext2D, given: Brush): MeasureRun {
  const { brush, scale } = given.isVarying === true ? exactBrush(given) : { brush: given, scale: 1 };
  if (brush !== given) prepareContext(context, brush);
  const { wordSpacing } = brush.typography;
  const widths = new Map<string, number>();
  return (text, rightToLeft, face) => {
    const key = `${rightToLeft ? '<' : '>'}${face} ${text}`;
    const known = widths.get(key);
    if (known !== undefined) return known;
    prepareRun(context, brush, { rightToLeft, face });
    const spaces = wordSpacing === undefined ? 0 : (text.match(/[ \u00a0]/g)?.length ?? 0);
    const width = context.measureText(text).width * scale + spaces * (wordSpacing ?? 0);
    widths.set(key, width);
    return width;
  };
}

const shares = { left: 0, top: 0, center: 0.5, right: 1, bottom: 1 } as const;

function placeBlock(typography: Typography, layout: TextLayout, box: Rect, isVarying: boolean): { outer: Rect; content: { x: number; y: number } } {
  const { padding, horizontalPosition, verticalPosition } = typography;
  const even = (length: number) => (isVarying ? length : Math.ceil(length / 2 - 1e-6) * 2);
  const onGrid = (place: number) => (isVarying ? place : Math.floor(place / 2) * 2);
  const whole = (length: number) => (isVarying ? length : Math.round(length));
  const width = even(layout.width + padding.left + padding.right);
  const { minHeight = 0, maxHeight = Number.POSITIVE_INFINITY, linesPosition } = typography;
  const lines = layout.height + padding.top + padding.bottom;
  const height = even(Math.max(minHeight, Math.min(maxHeight, lines)));
  const above = linesPosition === undefined ? 0 : whole((height - lines) * shares[linesPosition]);
  const x = box.x + onGrid((box.width - width) * shares[horizontalPosition]);
  const y = box.y + onGrid((box.height - height) * shares[verticalPosition]);
  // Width added by rounding up is split between both sides.
  const spare = (width - layout.width - padding.left - padding.right) / 2;
  return { outer: { x, y, width, height }, content: { x: x + padding.left + spare, y: y + whole(padding.top) + above } };
}
