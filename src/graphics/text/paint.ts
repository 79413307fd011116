import type { SKRSContext2D } from '@napi-rs/canvas';
import { AppError } from '../../errors/index.js';
import type { Color, Typography } from '../../script/index.js';
import type { Rect } from '../canvas/bitmap.js';
import { expandToEven, unite } from '../canvas/bitmap.js';
import { cssColor } from '../canvas/gradients.js';
import { createCanvas } from '../canvas/skia.js';
import type { Bitmap } from '../canvas/sprite-file.js';
import { compositeSurface, createSurface, cropSurface, type Surface, surfaceDensity } from '../canvas/surface.js';
import { outlineText } from '../canvas/text-outlines.js';
import { boxBounds, clipToBlock, fillWithBackground, maxScaleOf, paintBoxes, transformSurface } from './block-box.js';
import { type Brush, exactBrush, prepareContext, prepareRun } from './brush.js';
import type { DecorationRect } from './decoration.js';
import { drawDecoration, glyphOutsets, hasInkSkipping } from './decoration.js';
import type { Fragment } from './lines/layout.js';
import { findMarks, type MarkParts, paintMarks } from './marks.js';
import { type PaintGroup, paintGroups, strokedAlike } from './paint-groups.js';
import { lookOf, maxStrokeWidth } from './spans.js';
import { type BoxPart, boxesOf, fillsOf, isEmoji, strokesOf, type TintShare } from './tints.js';

const bitmapLimits = { side: 16384, pixels: 64 * 1024 * 1024 };

/** Layers of a text, back to front. */
export type PaintLayer = 'mark' | 'shadow' | 'stroke' | 'fill' | 'pen';

/** What to paint; all coordinates are those of the element's box. */
export interface Painting {
  fragments: readonly Fragment[];
  /** All runs of the text, whose descenders may interrupt underlines; default: `fragments`. */
  around?: readonly Fragment[];
  /** The text block, for fills, clipping and transforms. */
  block?: Rect;
  /** Background rectangles: one for the block or one per line. */
  backgrounds?: readonly Rect[];
  /** Draws a single layer, so that a part's shadow can be placed below all other parts. */
  layer?: PaintLayer;
  /** Of the layer `pen`. */
  pen?: Pen;
  /** Draws a part of the layer or the backgrounds; default: all. */
  share?: TintShare;
  /** Absent: all parts of the boxes. */
  boxParts?: readonly BoxPart[];
}

/** Draws the outlines of letters up to a length from the start of each contour; in canvas pixels. */
export interface Pen {
  width: number;
  length: number;
}

/** A painted bitmap. */
export interface Painted {
  /** Rectangle in the element's box; fractional if the bitmap has a density other than 1. */
  at: Rect;
  bitmap: Bitmap;
}

/** The layers that a text needs when its parts are drawn one by one, back to front. */
export function layersOf(typography: Typography, looks: Brush['looks'] = []): PaintLayer[] {
  const hasStroke = maxStrokeWidth({ typography, looks }) > 0;
  const hasMarks = looks.some(({ background }) => background !== undefined);
  return [
    ...(hasMarks ? ['mark' as const] : []),
    ...(typography.shadows.length > 0 ? ['shadow' as const] : []),
    ...(hasStroke ? ['stroke' as const] : []),
    'fill',
  ];
}

const glyphX = ({ x, indent = 0 }: Fragment): number => x + indent;

const css = ({ r, g, b }: Color) => `rgb(${r}, ${g}, ${b})`;

/** Paints fragments, backgrounds and decorations, cropped to the visible pixels; undefined if there are none. `density`: bitmap pixels per canvas pixel. */
export function paintText(painting: Painting, brush: Brush, density = 1): Painted | undefined {
  const drawn = drawTransformed(painting, brush, density);
  return drawn && cropSurface(drawn);
}

function drawTransformed(painting: Painting, brush: Brush, density: number): Surface | undefined {
  const { block } = painting;
  const { transform } = brush.typography;
  if (block === undefined || transform === undefined) return drawText(painting, brush, density);
  const drawn = drawText(painting, brush, density * maxScaleOf(transform));
  return (
    drawn &&
    transformSurface(drawn, transform, block, (at) => {
      checkSize(at, brush.path);
      return surfaceDensity(at, density);
    })
  );
}

/** Like paintText(), but returns an uncropped surface without the block's transform. */
export function drawText(painting: Painting, brush: Brush, density = 1): Surface | undefined {
  const bounds = findBounds(painting, brush);
  if (!bounds) return undefined;
  checkSize(bounds, brush.path);
  return new Painter(painting, brush, bounds, surfaceDensity(bounds, density)).paint(painting.backgrounds ?? []);
}

function checkSize({ width, height }: Rect, path: string): void {
  if (width <= bitmapLimits.side && height <= bitmapLimits.side && width * height <= bitmapLimits.pixels) return;
  throw new AppError('RENDER_FAILED', {
    path,
    message: `${path}: the text needs an image of ${width}x${height} pixels; at most ${bitmapLimits.side} per side and ${bitmapLimits.pixels} in total can be drawn. Use a smaller font-size or less text.`,
  });
}

/** Bounds of the ink: glyphs may exceed their advance, marks their line, shadows and strokes the glyphs. */
function findBounds(painting: Painting, brush: Brush): Rect | undefined {
  const context = createCanvas(1, 1).getContext('2d');
  prepareContext(context, brush);
  const glyphs = painting.fragments
    .filter(({ blank }) => !blank)
    .map((fragment) => {
      prepareRun(context, brush, fragment);
      const box = context.measureText(fragment.text);
      const left = Math.min(0, -box.actualBoundingBoxLeft);
      const width = Math.max(fragment.width, box.actualBoundingBoxRight) - left;
      const ascent = box.actualBoundingBoxAscent;
      return {
        x: Math.min(fragment.x, glyphX(fragment)) + left,
        y: fragment.baseline - ascent,
        width: width + Math.abs(fragment.indent ?? 0),
        height: ascent + box.actualBoundingBoxDescent,
      };
    });
  const lines = paintGroups(painting.fragments, brush).flatMap((group) => group.lines);
  const ink = unite([...glyphs, ...lines.map(({ rect }) => rect)]);
  // Measured glyphs are rounded to pixels, outlines are not.
  const spare = brush.isVarying === true ? 1 : 0;
  const around = ink && glyphOutsets(painting.pen === undefined ? brush.typography.shadows : [], painting.pen?.width ?? maxStrokeWidth(brush));
  const grown = ink &&
    around && {
      x: ink.x - around.left - spare,
      y: ink.y - around.top - spare,
      width: ink.width + around.left + around.right + 2 * spare,
      height: ink.height + around.top + around.bottom + 2 * spare,
    };
  const marks = findMarks(painting.fragments, painting.around ?? painting.fragments, brush).flatMap(({ parts }) => parts);
  const all = unite([grown, ...marks, ...boxBounds(painting.backgrounds ?? [], brush.typography)].filter((rect) => rect !== undefined));
  return all && expandToEven(all);
}

class Painter {
  readonly #fragments: readonly Fragment[];
  readonly #around: readonly Fragment[];
  readonly #groups: readonly PaintGroup[];
  readonly #marks: readonly MarkParts[];
  readonly #brush: Brush;
  readonly #bounds: Rect;
  readonly #density: number;
  readonly #layers: ReadonlySet<string>;
  readonly #block: Rect | undefined;
  readonly #pen: Pen | undefined;
  readonly #share: TintShare | undefined;
  readonly #boxParts: readonly BoxPart[] | undefined;

  constructor(painting: Painting, brush: Brush, bounds: Rect, density: number) {
    this.#fragments = painting.fragments.filter(({ blank }) => !blank);
    this.#groups = paintGroups(painting.fragments, brush);
    this.#marks = findMarks(painting.fragments, painting.around ?? painting.fragments, brush);
    const lines = new Set(painting.fragments.map(({ line }) => line));
    this.#around = (painting.around ?? painting.fragments).filter(({ blank, line }) => !blank && lines.has(line));
    this.#brush = brush;
    this.#bounds = bounds;
    this.#density = density;
    this.#block = painting.block;
    this.#pen = painting.pen;
    this.#share = painting.share;
    this.#boxParts = painting.boxParts;
    this.#layers = new Set(painting.layer === undefined ? ['mark', 'shadow', 'stroke', 'fill'] : [painting.layer]);
  }

  paint(backgrounds: readonly Rect[]): Surface {
    const { typography } = this.#brush;
    const sheet = this.#open();
    const { context } = sheet;
    paintBoxes(context, backgrounds, boxesOf(typography, this.#boxParts));
    if (this.#fragments.length === 0 && this.#groups.every(({ lines }) => lines.length === 0)) return sheet;
    if (typography.clips === true && this.#block !== undefined) clipToBlock(context, this.#block, typography);
    if (this.#pen !== undefined) this.#drawOutlines(context, this.#pen);
    if (this.#layers.has('mark')) paintMarks(context, this.#marks);
    if (this.#layers.has('shadow')) this.#drawShadows(sheet);
    if (this.#layers.has('stroke')) for (const groups of strokedAlike(strokesOf(this.#groups, this.#share, typography))) this.#stroke(context, groups);
    if (this.#layers.has('fill')) for (const group of fillsOf(this.#groups, this.#share, typography)) this.#fill(context, group);
    return sheet;
  }

  #stroke(context: SKRSContext2D, groups: readonly PaintGroup[]): void {
    const stroke = groups[0]?.stroke;
    if (stroke === undefined || stroke.width === 0 || stroke.color.a === 0) return;
    // Translucent letters must not show the inner half of the stroke.
    const hollow = groups.filter(({ color }) => color.a < 255);
    this.#layer(context, stroke.color.a, hollow.length > 0, (layer) => {
      this.#drawStroke(layer, stroke.width, stroke.color, groups);
      if (hollow.length === 0) return;
      layer.globalCompositeOperation = 'destination-out';
      // Uses the fill colour, because Skia's edge coverage depends on the colour.
      for (const group of hollow) this.#drawFill(layer, group, group.color);
    });
  }

  /** Draws letters and decoration lines; coloured lines are below the letters, except line-through. */
  #fill(context: SKRSContext2D, group: PaintGroup): void {
    const { color, fill, lineColor } = group;
    const lines = (kinds: ReadonlyArray<DecorationRect['kind']>) => {
      if (lineColor !== undefined && lineColor.a > 0)
        this.#layer(context, lineColor.a, false, (layer) => this.#drawLines(layer, group.lines, lineColor, kinds));
    };
    const draw = (layer: SKRSContext2D) => (lineColor === undefined ? this.#drawFill(layer, group, color) : this.#drawGlyphs(layer, group.fragments, color));
    lines(['underline', 'overline']);
    if (fill !== undefined && this.#block !== undefined) {
      const shape = this.#open();
      draw(shape.context);
      fillWithBackground(shape, this.#block, fill);
      compositeSurface(context, shape);
    }
    if (color.a > 0) this.#layer(context, color.a, false, draw);
    lines(['lineThrough']);
  }

  #open(): Surface {
    const sheet = createSurface(this.#bounds, this.#density);
    prepareContext(sheet.context, this.#brush);
    return sheet;
  }

  /** Draws opaque content and applies alpha to the whole layer, so that overlapping letters are not blended twice. */
  #layer(target: SKRSContext2D, alpha: number, always: boolean, draw: (layer: SKRSContext2D) => void): void {
    if (alpha === 255 && !always) {
      draw(target);
      return;
    }
    const layer = this.#open();
    draw(layer.context);
    compositeSurface(target, layer, alpha / 255);
  }

  /** CSS text-shadow: the first shadow is on top; translucent letters cast a full shadow. */
  #drawShadows({ canvas, context }: Surface): void {
    const { shadows } = this.#brush.typography;
    const visible = shadows.filter(({ color }) => color.a > 0);
    if (visible.length === 0) return;
    const silhouette = this.#open();
    const black = { r: 0, g: 0, b: 0, a: 255 };
    const casting = this.#groups.map((group) => ({ ...group, fragments: group.fragments.filter(({ face }) => lookOf(this.#brush, face)?.noShadow !== true) }));
    for (const groups of strokedAlike(casting)) {
      const stroke = groups[0]?.stroke;
      if (stroke !== undefined && stroke.color.a > 0) this.#drawStroke(silhouette.context, stroke.width, black, groups);
    }
    for (const group of casting) this.#drawFill(silhouette.context, group, black);
    // The silhouette is drawn outside the canvas, so that only its shadow is visible.
    const away = canvas.width + 1024;
    const density = this.#density;
    for (const shadow of visible.toReversed()) {
      context.save();
      context.resetTransform();
      context.shadowColor = cssColor(shadow.color);
      context.shadowBlur = shadow.blur * density;
      context.shadowOffsetX = away + shadow.x * density;
      context.shadowOffsetY = shadow.y * density;
      context.drawImage(silhouette.canvas, -away, 0);
      context.restore();
    }
  }

  /** Strokes with twice the width, because the fill covers the inner half. */
  #drawStroke(context: SKRSContext2D, width: number, color: Color, groups: readonly PaintGroup[]): void {
    context.strokeStyle = css(color);
    context.fillStyle = css(color);
    context.lineWidth = width * 2;
    const bars = groups.flatMap(({ lines }) => lines).filter(({ style }) => style === undefined);
    for (const { rect, leftmost, rightmost } of bars) {
      const left = rect.x - (leftmost ? width : 0);
      const right = rect.x + rect.width + (rightmost ? width : 0);
      context.fillRect(left, rect.y - width, right - left, rect.height + width * 2);
    }
    const fragments = groups.flatMap((group) => group.fragments);
    this.#forEachRun(context, fragments, (fragment) => this.#drawRun(context, 'stroke', fragment));
  }

  #drawOutlines(context: SKRSContext2D, { width, length }: Pen): void {
    context.lineWidth = width;
    context.setLineDash([length, 1e6]);
    for (const { color, fragments, stroke } of this.#groups) {
      context.strokeStyle = css(color.a === 0 && stroke !== undefined ? stroke.color : color);
      this.#forEachRun(context, fragments, (fragment) => this.#drawRun(context, 'stroke', fragment));
    }
    context.setLineDash([]);
  }

  #drawFill(context: SKRSContext2D, { fragments, lines }: PaintGroup, color: Color): void {
    this.#drawLines(context, lines, color, ['underline', 'overline', 'lineThrough']);
    this.#drawGlyphs(context, fragments, color);
  }

  #drawGlyphs(context: SKRSContext2D, fragments: readonly Fragment[], color: Color): void {
    context.fillStyle = css(color);
    this.#forEachRun(context, fragments, (fragment) => this.#drawRun(context, 'fill', fragment));
  }

  #drawLines(context: SKRSContext2D, lines: readonly DecorationRect[], color: Color, kinds: ReadonlyArray<DecorationRect['kind']>): void {
    context.fillStyle = css(color);
    for (const line of lines) if (line.kind !== 'underline' && kinds.includes(line.kind)) drawDecoration(context, line);
    if (kinds.includes('underline')) this.#drawUnderlines(context, lines, color);
  }

  /** Underlines leave a gap around descenders. */
  #drawUnderlines(target: SKRSContext2D, lines: readonly DecorationRect[], color: Color): void {
    const underlines = lines.filter(({ kind }) => kind === 'underline');
    if (underlines.length === 0) return;
    const sheet = this.#open();
    const { context } = sheet;
    context.fillStyle = css(color);
    for (const line of underlines) drawDecoration(context, line);
    const gap = underlines[0]?.gap ?? 0;
    context.globalCompositeOperation = 'destination-out';
    context.lineWidth = gap * 2;
    this.#forEachRun(context, this.#around, (fragment) => {
      if (gap > 0 && hasInkSkipping(fragment.text)) this.#drawRun(context, 'stroke', fragment);
    });
    compositeSurface(target, sheet);
  }

  /** Draws a run as letters, which Skia places on quarters of pixels, or as outlines, if it moves from drawing to drawing. */
  #drawRun(context: SKRSContext2D, by: 'fill' | 'stroke', fragment: Fragment): void {
    const { text, baseline } = fragment;
    if (this.#brush.isVarying !== true || isEmoji(fragment)) {
      context[by === 'fill' ? 'fillText' : 'strokeText'](text, glyphX(fragment), baseline);
      return;
    }
    const { brush, scale } = exactBrush(this.#brush);
    const prepare = (outlines: SKRSContext2D) => {
      prepareContext(outlines, brush);
      prepareRun(outlines, brush, fragment);
    };
    context[by](outlineText(prepare, text, { x: glyphX(fragment), y: baseline, scale }));
  }

  #forEachRun(context: SKRSContext2D, fragments: readonly Fragment[], draw: (fragment: Fragment) => void): void {
    for (const fragment of fragments) {
      prepareRun(context, this.#brush, fragment);
      draw(fragment);
    }
  }
}
