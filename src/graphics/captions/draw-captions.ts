import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Color, Typography } from '../../script/index.js';
import type { Rect } from '../canvas/bitmap.js';
import { createCanvas } from '../canvas/skia.js';
import { type Bitmap, storeSprite } from '../canvas/sprite-file.js';
import type { FontCatalogue, ResolvedFont } from '../fonts/index.js';
import { findUndrawable } from '../fonts/index.js';
import type { Brush } from '../text/brush.js';
import { prepareContext } from '../text/brush.js';
import { paintText } from '../text/paint.js';
import { dropGraphemes, guessLanguage, listCharacters } from '../text/prepare.js';
import type { CaptionLayer, CaptionLook, CaptionSprite, CaptionWord, DrawnCaption } from './caption.js';
import type { CaptionMetrics, CaptionRun } from './caption-layout.js';
import { layoutCaption } from './caption-layout.js';

interface CaptionRequest {
  /** The element's path, for errors. */
  path: string;
  look: CaptionLook;
  captions: ReadonlyArray<readonly CaptionWord[]>;
  /** BCP 47; absent: guessed from the scripts in the text. */
  lang?: string;
  signal?: AbortSignal;
  /** Folder for sprite files; created if missing. */
  folder: string;
  fonts: FontCatalogue;
}

interface CaptionSprites {
  /** In the order of the captions. */
  captions: DrawnCaption[];
  warnings: string[];
}

/** Draws captions word by word, each word once per layer; equal words share sprites. */
export async function drawCaptions(request: CaptionRequest): Promise<CaptionSprites> {
  await mkdir(request.folder, { recursive: true });
  return new CaptionPainter(request).draw();
}

/** Makes the words smaller that are wider than a line, for styles with motion: a broken word would move in parts. */
export function fitWords(request: CaptionRequest): CaptionWord[][] {
  return new CaptionPainter(request).fitWords();
}

const lineHeightEm = 1.2;
/** Size of emphasized words. */
const largeEm = 1.32;
/** How wide a word may be that is made smaller, as a fraction of the line. */
const MAX_LINE_PART = 0.98;
const clear = { r: 0, g: 0, b: 0, a: 0 };
const layers: readonly CaptionLayer[] = ['shadow', 'outline', 'line', 'word'];

interface Painted extends Rect {
  path: string;
}

class CaptionPainter {
  readonly #request: CaptionRequest;
  readonly #lang: string;
  readonly #text: string;
  readonly #brushes = new Map<string, Brush>();
  readonly #measures = new Map<string, (text: string, rightToLeft: boolean) => number>();
  readonly #painted = new Map<string, Promise<Painted | undefined>>();
  readonly #warnings = new Set<string>();

  constructor(request: CaptionRequest) {
    this.#request = request;
    // Fonts are resolved for the text of all captions, so that a word looks the same in each of them.
    this.#text = request.captions.map((words) => words.map(({ text }) => text).join(' ')).join('\n');
    this.#lang = request.lang ?? guessLanguage(this.#text);
  }

  fitWords(): CaptionWord[][] {
    const { captions, look } = this.#request;
    return captions.map((words) =>
      words.map((word) => {
        const scale = (look.maxWidth * MAX_LINE_PART) / Math.max(1, this.#measure(word.text, word, false));
        return scale >= 1 ? word : { ...word, style: { ...word.style, scale } };
      }),
    );
  }

  async draw(): Promise<CaptionSprites> {
    const { captions: given, look, signal } = this.#request;
    const undrawable = this.#findUndrawable();
    const metrics = this.#metrics();
    const captions: DrawnCaption[] = [];
    for (const words of given) {
      signal?.throwIfAborted();
      const shown = undrawable.size === 0 ? words : words.map((word) => ({ ...word, text: dropGraphemes(word.text, undrawable, this.#lang) }));
      const { runs, ...block } = layoutCaption(shown, look, metrics, this.#lang);
      captions.push({ ...block, sprites: await this.#paint(runs, shown) });
    }
    return { captions, warnings: [...this.#warnings] };
  }

  #findUndrawable(): Set<string> {
    const missing = findUndrawable(this.#text, this.#brush({}).font, this.#lang);
    if (missing.length > 0) this.#warnings.add(`no installed font can draw ${listCharacters(missing)}; these characters are omitted`);
    return new Set(missing);
  }

  #metrics(): CaptionMetrics {
    const { fontSize } = this.#request.look;
    const brush = this.#brush({});
    const context = createCanvas(1, 1).getContext('2d');
    prepareContext(context, brush);
    // Lines are centred by the ink of the letters, because font metrics vary too much between fonts.
    const ink = context.measureText('Hlip');
    const inkHeight = ink.actualBoundingBoxAscent + ink.actualBoundingBoxDescent;
    const size = this.#request.look.hasLargeWords ? largeEm : 1;
    const lineHeight = Math.round((size * Math.max(fontSize * lineHeightEm, inkHeight * 1.05)) / 2) * 2;
    return {
      measure: (text, word, rightToLeft) => this.#measure(text, word, rightToLeft),
      space: context.measureText(' ').width,
      lineHeight,
      baseline: Math.round(((lineHeight - inkHeight) / 2 + ink.actualBoundingBoxAscent) / 2) * 2,
      ascent: ink.actualBoundingBoxAscent,
    };
  }

  #measure(text: string, word: CaptionWord, rightToLeft: boolean): number {
    const key = this.#brushKey(word);
    let measure = this.#measures.get(key);
    if (measure === undefined) {
      const context = createCanvas(1, 1).getContext('2d');
      prepareContext(context, this.#brushOf(word));
      const known = new Map<string, number>();
      measure = (run, reversed) => {
        const width = known.get(`${reversed ? '<' : '>'}${run}`);
        if (width !== undefined) return width;
        context.direction = reversed ? 'rtl' : 'ltr';
        const measured = context.measureText(run).width;
        known.set(`${reversed ? '<' : '>'}${run}`, measured);
        return measured;
      };
      this.#measures.set(key, measure);
    }
    return measure(text, rightToLeft);
  }

  async #paint(runs: readonly CaptionRun[], words: readonly CaptionWord[]): Promise<CaptionSprite[]> {
    const { outline, shadow } = this.#request.look;
    const shown = layers.filter((layer) =>
      layer === 'outline' ? outline.width > 0 && outline.color.a > 0 : layer !== 'shadow' || (shadow.offset !== 0 && shadow.color.a > 0),
    );
    const sprites: CaptionSprite[] = [];
    for (const layer of shown) {
      for (const run of runs) {
        const word = words[run.word];
        const painted = word && (await this.#paintOnce(run, layer, word));
        if (painted)
          sprites.push({ ...painted, x: painted.x + run.x - phaseOf(run), y: painted.y + run.baseline, layer, word: run.word, rightToLeft: run.rightToLeft });
      }
    }
    return sprites;
  }

  #paintOnce(run: CaptionRun, layer: CaptionLayer, word: CaptionWord): Promise<Painted | undefined> {
    const key = `${layer} ${this.#brushKey(word)} ${phaseOf(run)} ${run.rightToLeft ? '<' : '>'}${run.text}`;
    let painted = this.#painted.get(key);
    if (painted === undefined) {
      painted = this.#paintRun(run, layer, word);
      this.#painted.set(key, painted);
    }
    return painted;
  }

  async #paintRun(run: CaptionRun, layer: CaptionLayer, word: CaptionWord): Promise<Painted | undefined> {
    const { text, width, rightToLeft } = run;
    const { style } = word;
    const brush = this.#brushOf(word);
    const { folder, look } = this.#request;
    const color = layer === 'word' || style.large ? look.wordColor : lineColorOf(style, look);
    const fragment = { text, x: phaseOf(run), baseline: 0, width, rightToLeft, blank: false, word: 0, line: 0, leftmost: true, rightmost: true };
    const drawn = paintText(
      { fragments: [fragment], layer: layer === 'outline' ? 'stroke' : layer === 'shadow' ? 'shadow' : 'fill' },
      { ...brush, typography: { ...brush.typography, color } },
    );
    if (drawn === undefined) return undefined;
    const bitmap = layer === 'word' && look.gradient !== undefined ? withGradient(drawn.bitmap, look.wordColor, look.gradient) : drawn.bitmap;
    return { ...drawn.at, path: join(folder, await storeSprite(folder, bitmap)) };
  }

  /** The brush of a word: of a script that the family lacks, with a fallback font in the weight that the family may lack as well. */
  #brushOf(word: CaptionWord): Brush {
    const brush = this.#brush(word.style);
    const { fallback } = brush.font;
    return fallback !== undefined && this.#needsFallback(word) ? { ...brush, font: fallback.font } : brush;
  }

  #needsFallback({ text, style }: CaptionWord): boolean {
    const { fallback } = this.#brush(style).font;
    return fallback !== undefined && [...text].some((letter) => /[\p{L}\p{N}]/u.test(letter) && fallback.isFor(letter.codePointAt(0) ?? 0));
  }

  #brushKey(word: CaptionWord): string {
    return `${styleKey(word.style)}${this.#needsFallback(word) ? ' fallback' : ''}`;
  }

  #brush(style: CaptionWord['style']): Brush {
    const key = styleKey(style);
    let brush = this.#brushes.get(key);
    if (brush === undefined) {
      const typography = typographyOf(this.#request.look, style);
      const font = this.#resolve(typography, key === '');
      brush = { typography, font, lang: this.#lang, ascent: 0, path: this.#request.path };
      this.#brushes.set(key, brush);
    }
    return brush;
  }

  /** Only the base style warns: bold and italic words come from the caption file, not from the script. */
  #resolve({ fontFamilies, fontWeight, fontStyle }: Typography, warns: boolean): ResolvedFont {
    const { fonts, look } = this.#request;
    const { acceptsOtherWeight = false } = look;
    const font = fonts.resolve({ families: fontFamilies, weight: fontWeight, style: fontStyle, text: this.#text, lang: this.#lang, acceptsOtherWeight });
    if (warns) for (const warning of font.warnings) this.#warnings.add(warning);
    return font;
  }
}

/** Largest difference of a premultiplied sample from that of a colour, by rounding. */
const MAX_ROUNDING = 4;

/** Colours the parts of a bitmap in one colour from top to bottom; emoji keep their colours. */
function withGradient({ width, height, pixels }: Bitmap, from: Color, to: Color): Bitmap {
  const colored = new Uint8Array(pixels);
  for (let y = 0; y < height; y++) {
    const part = height === 1 ? 0 : y / (height - 1);
    const [r, g, b, a] = (['r', 'g', 'b', 'a'] as const).map((channel) => from[channel] + (to[channel] - from[channel]) * part) as [
      number,
      number,
      number,
      number,
    ];
    for (let at = y * width * 4; at < (y + 1) * width * 4; at += 4) {
      const isLetter = (['r', 'g', 'b'] as const).every(
        (channel, k) => Math.abs((pixels[at + k] ?? 0) - (from[channel] * (pixels[at + 3] ?? 0)) / 255) <= MAX_ROUNDING,
      );
      if (!isLetter) continue;
      // The bitmap is premultiplied, in the first colour.
      const alpha = ((pixels[at + 3] ?? 0) / Math.max(1, from.a)) * a;
      colored[at] = Math.round((r * alpha) / 255);
      colored[at + 1] = Math.round((g * alpha) / 255);
      colored[at + 2] = Math.round((b * alpha) / 255);
      colored[at + 3] = Math.round(alpha);
    }
  }
  return { width, height, pixels: colored, hasGradient: true };
}

/** Offset of a run from the even pixel to its left, where its sprite is placed. */
function phaseOf({ x }: CaptionRun): number {
  return x - Math.floor(x / 2) * 2;
}

function lineColorOf({ speaker }: CaptionWord['style'], { lineColor, speakerColors }: CaptionLook): Color {
  return (speaker === undefined ? undefined : speakerColors[speaker % speakerColors.length]) ?? lineColor;
}

function styleKey({ bold, italic, underline, large, speaker, scale }: CaptionWord['style']): string {
  return `${bold ? 'b' : ''}${italic ? 'i' : ''}${underline ? 'u' : ''}${large ? 'l' : ''}${speaker ?? ''}${scale === undefined ? '' : ` ${scale}`}`;
}

function typographyOf(look: CaptionLook, { bold, italic, underline, large, scale = 1 }: CaptionWord['style']): Typography {
  const { offset, color } = look.shadow;
  const none = { top: 0, right: 0, bottom: 0, left: 0 };
  return {
    fontFamilies: [...look.families],
    fontSize: look.fontSize * (large ? largeEm : 1) * scale,
    fontWeight: bold ? Math.max(700, look.fontWeight) : look.fontWeight,
    fontStyle: italic ? 'italic' : 'normal',
    color: look.lineColor,
    backgroundColor: clear,
    textAlign: 'left',
    lineHeight: lineHeightEm,
    letterSpacing: 0,
    textDecoration: { underline: underline ?? false, lineThrough: false, overline: false },
    textTransform: 'none',
    shadows: offset === 0 || color.a === 0 ? [] : [{ x: offset, y: offset, blur: Math.abs(offset) / 2, color }],
    ...(look.outline.width > 0 ? { stroke: { ...look.outline, width: look.outline.width * scale } } : {}),
    padding: none,
    borderRadius: 0,
    horizontalPosition: 'left',
    verticalPosition: 'top',
  };
}
