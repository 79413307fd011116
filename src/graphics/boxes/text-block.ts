import type { Typography } from '../../script/index.js';
import type { Rect } from '../canvas/bitmap.js';
import type { MarkedText, SceneNode, Style } from '../components/index.js';
import type { FontCatalogue, ResolvedFont } from '../fonts/index.js';
import type { Brush } from '../text/brush.js';
import { greatestFitting, minFontSize, withFontSize } from '../text/lines/fit.js';
import type { Fragment, TextLayout } from '../text/lines/layout.js';
import { fitsRoom, layoutPlan, type TextPlan } from '../text/place-text.js';
import { applyCase, guessLanguage, planText } from '../text/prepare.js';
import { remainingUnits } from '../text/spans.js';

/** Positioned lines of a text. */
export interface PlacedLines {
  fragments: Fragment[];
  brush: Brush;
  /** Box of the lines. */
  block: Rect;
}

interface BlockLayout {
  layout: TextLayout;
  brush: Brush;
}

/** A text before layout: measures itself for a given space, then places its lines. */
export class TextBlock {
  readonly warnings: string[];
  readonly #plan: TextPlan;
  readonly #fit: SceneNode['fit'];
  readonly #viewport: { width: number; height: number };
  readonly #sizes = new Map<string, number>();
  #limit = Number.POSITIVE_INFINITY;

  constructor(text: MarkedText, node: SceneNode, fonts: FontCatalogue, viewport: { width: number; height: number }, path: string) {
    const { typography } = node.style;
    const whole = text.paragraphs.map((paragraph) => paragraph.text).join('\n');
    const lang = typography.lang ?? guessLanguage(whole);
    const cased = text.paragraphs.map((paragraph) => applyCase(paragraph.text, typography.textTransform, lang));
    const { warnings, ...plan } = planText({ paragraphs: cased, typography, lang, path, acceptsOtherWeight: !node.hasExplicitWeight }, fonts);
    const faces = facesOf(text, cased, plan.paragraphs);
    this.#plan = faces === undefined ? plan : { ...plan, faces, brush: { ...plan.brush, faces: fontsOf(faces, plan.brush, whole, fonts) } };
    this.warnings = warnings;
    this.#fit = node.fit ?? (typography.fit === undefined ? undefined : {});
    this.#viewport = viewport;
  }

  /** Name that it shares with the texts of the same size; undefined if it is as large as fits alone. */
  get together(): string | undefined {
    return this.#fit?.together;
  }

  /** The font size in a space of this size. */
  sizeIn(width: number, height: number): number {
    return this.#layout(width, height).brush.typography.fontSize;
  }

  /** Limits the font size from now on. */
  limitSize(size: number): void {
    this.#limit = size;
    this.#sizes.clear();
  }

  measure(width: number | undefined, height: number | undefined): { width: number; height: number } {
    const { layout } = this.#layout(width, height);
    return { width: Math.ceil(layout.width), height: Math.ceil(layout.height) };
  }

  place(content: Rect, style: Style): PlacedLines {
    const { layout, brush } = this.#layout(content.width, content.height);
    const free = content.height - layout.height;
    const y = content.y + Math.round(style.vertical === 'center' ? free / 2 : style.vertical === 'bottom' ? free : 0);
    const spare = content.width - layout.width;
    const share = { left: 0, justify: 0, center: 0.5, right: 1 }[brush.typography.textAlign];
    const x = content.x + spare * share;
    const fragments = layout.fragments.map((fragment) => ({ ...fragment, x: fragment.x + x, baseline: fragment.baseline + y }));
    return { fragments, brush, block: { x, y, width: layout.width, height: layout.height } };
  }

  #layout(width: number | undefined, height: number | undefined): BlockLayout {
    const room = width ?? 1e6;
    // Flexbox rounds to whole pixels; one pixel more avoids breaking a word over a rounding error.
    const within = room + 1;
    const typography = this.#limitedTo(within);
    if (this.#fit === undefined) return layoutPlan(this.#plan, typography, within);
    const key = `${Math.round(room)} ${height === undefined ? '' : Math.round(height)}`;
    let size = this.#sizes.get(key);
    if (size === undefined) {
      size = this.#largestSize(room, height);
      this.#sizes.set(key, size);
    }
    return layoutPlan(this.#plan, withFontSize(typography, size), within);
  }

  /** An unwrapped line needs a maximum width to end in an ellipsis. */
  #limitedTo(width: number): Typography {
    const { typography } = this.#plan.brush;
    return typography.noWrap === true && typography.ellipsis === true ? { ...typography, maxWidth: width } : typography;
  }

  /** The largest font size at which the text fits its number of lines. */
  #largestSize(width: number, height: number | undefined): number {
    const lines = this.#fit?.lines ?? 1;
    const wanted = this.#lengthOf(this.#fit?.max) ?? Math.min(this.#viewport.width, this.#viewport.height) * 0.12;
    const high = Math.min(wanted, this.#limit);
    const low = Math.min(high, this.#lengthOf(this.#fit?.min) ?? minFontSize);
    const isFitting = (size: number) => {
      const room = { height: height === undefined ? Number.POSITIVE_INFINITY : height + 1, lines: lines * this.#plan.paragraphs.length };
      return fitsRoom(this.#plan, withFontSize(this.#plan.brush.typography, size), width, room);
    };
    return greatestFitting(Math.round(low), Math.round(high), isFitting);
  }

  #lengthOf(text: string | undefined): number | undefined {
    const match = text === undefined ? null : /^([\d.]+)(vw|vh|vmin|px)?$/.exec(text);
    if (!match) return undefined;
    const { width, height } = this.#viewport;
    const unit = { vw: width / 100, vh: height / 100, vmin: Math.min(width, height) / 100, px: 1 }[match[2] ?? 'px'] ?? 1;
    return Number(match[1]) * unit;
  }
}

/** Faces per UTF-16 unit; undefined if one face is enough or a change of letter case shifted the units. */
function facesOf(text: MarkedText, cased: readonly string[], paragraphs: readonly string[]): Uint8Array[] | undefined {
  const faces = text.paragraphs.map((paragraph) => paragraph.faces);
  const fits = cased.every((paragraph, i) => paragraph.length === faces[i]?.length);
  if (!fits || !faces.some((units) => units.some((face) => face > 0))) return undefined;
  return paragraphs.map((paragraph, i) => remainingUnits(cased[i] as string, paragraph, faces[i] as Uint8Array));
}

function fontsOf(faces: readonly Uint8Array[], brush: Brush, text: string, fonts: FontCatalogue): Array<ResolvedFont | undefined> {
  const used = new Set(faces.flatMap((units) => [...units]));
  const { fontFamilies, fontWeight, fontStyle } = brush.typography;
  return [0, 1, 2, 3].map((face) => {
    if (face === 0 || !used.has(face)) return undefined;
    const weight = face % 2 === 1 ? Math.max(700, fontWeight) : fontWeight;
    return fonts.resolve({ families: fontFamilies, weight, style: face >= 2 ? 'italic' : fontStyle, text, lang: brush.lang });
  });
}
