import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import type { TextElement, Typography } from '../../movie/index.js';
import type { FontCatalogue } from '../fonts/index.js';
import { createFontCatalogue, findUndrawable } from '../fonts/index.js';
import { hasSize, spriteFileBytes, storeSprite, writeWhole } from '../sprite-file.js';
import type { Rect } from './bitmap.js';
import type { Fragment, TextLayout } from './layout.js';
import { layOutText } from './layout.js';
import type { Brush, Painting } from './paint.js';
import { paintText, prepareContext } from './paint.js';
import { guessLanguage, splitParagraphs } from './prepare.js';

export interface TextPiece {
  path: string;
  /** From the top left corner of the element's box; even. */
  x: number;
  y: number;
  width: number;
  height: number;
  role: 'background' | 'block' | 'word' | 'line';
  /** Among the pieces of its role, in reading order. */
  index: number;
}

export interface TextSprites {
  /** Back to front. */
  pieces: TextPiece[];
  /** Of the text block with its padding. */
  width: number;
  height: number;
  /** Without the element's path: equal texts of several elements share their drawing. */
  warnings: string[];
}

export interface DrawTextOptions {
  /** BCP 47; default: guessed from the scripts in the text. */
  lang?: string;
  signal?: AbortSignal;
}

export interface TextSpriteDrawer {
  drawText(element: TextElement, box: { width: number; height: number }, options?: DrawTextOptions): Promise<TextSprites>;
}

/** Raised whenever the same input begins to give other pixels. */
const drawingVersion = 1;
const canvasVersion = (createRequire(import.meta.url)('@napi-rs/canvas/package.json') as { version: string }).version;

/** Draws texts into sprite files in a folder; equal texts are drawn once. */
export function createTextSprites(options: { folder: string; fonts?: FontCatalogue }): TextSpriteDrawer {
  return new Drawer(options.folder, options.fonts ?? createFontCatalogue());
}

interface Plan {
  brush: Brush;
  paragraphs: string[];
  warnings: string[];
  key: string;
}

class Drawer implements TextSpriteDrawer {
  readonly #folder: string;
  readonly #fonts: FontCatalogue;
  readonly #running = new Map<string, Promise<TextSprites>>();

  constructor(folder: string, fonts: FontCatalogue) {
    this.#folder = folder;
    this.#fonts = fonts;
  }

  async drawText(element: TextElement, box: { width: number; height: number }, options: DrawTextOptions = {}): Promise<TextSprites> {
    options.signal?.throwIfAborted();
    const plan = this.#plan(element, box, options);
    let running = this.#running.get(plan.key);
    if (!running) {
      running = this.#drawOnce(plan, element, box).finally(() => this.#running.delete(plan.key));
      this.#running.set(plan.key, running);
    }
    const drawn = await running;
    return { ...drawn, pieces: drawn.pieces.map((piece) => ({ ...piece })), warnings: plan.warnings.concat(drawn.warnings) };
  }

  #plan(element: TextElement, box: { width: number; height: number }, options: DrawTextOptions): Plan {
    const { typography } = element;
    const lang = options.lang ?? guessLanguage(element.text);
    const whole = splitParagraphs(element.text, typography.textTransform, lang);
    const text = whole.join('\n');
    const font = this.#fonts.resolve({ families: typography.fontFamilies, weight: typography.fontWeight, style: typography.fontStyle, text, lang });
    const missing = findUndrawable(text, font, lang);
    const paragraphs = missing.length === 0 ? whole : whole.map((paragraph) => dropGraphemes(paragraph, new Set(missing), lang));
    const brush: Brush = { typography, font, lang, ascent: 0, path: element.path };
    const facts = [drawingVersion, canvasVersion, paragraphs, typography, element.style === '003', box.width, box.height, lang, font.identity];
    const key = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 40);
    const warnings = [...font.warnings];
    if (missing.length > 0) warnings.push(`no installed font can draw ${listCharacters(missing)}; left out`);
    return { brush, paragraphs, warnings, key };
  }

  async #drawOnce(plan: Plan, element: TextElement, box: { width: number; height: number }): Promise<TextSprites> {
    const listPath = join(this.#folder, `${plan.key}.json`);
    const known = await this.#readList(listPath);
    if (known) return known;
    await mkdir(this.#folder, { recursive: true });
    const drawn = await this.#draw(plan, element, box);
    // The list names files of its own folder, which may be moved.
    const list = { ...drawn, pieces: drawn.pieces.map((piece) => ({ ...piece, path: piece.path.slice(this.#folder.length + 1) })) };
    await writeWhole(listPath, JSON.stringify(list));
    return drawn;
  }

  async #readList(path: string): Promise<TextSprites | undefined> {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const list = JSON.parse(text) as TextSprites;
    for (const piece of list.pieces) {
      piece.path = join(this.#folder, piece.path);
      if (!(await hasSize(piece.path, spriteFileBytes(piece.width, piece.height)))) return undefined;
    }
    return list;
  }

  async #draw(plan: Plan, element: TextElement, box: { width: number; height: number }): Promise<TextSprites> {
    const { layout, brush } = layOut(plan, box);
    const block = placeBlock(element.typography, layout, box);
    const fragments = layout.fragments.map((fragment) => ({ ...fragment, x: fragment.x + block.content.x, baseline: fragment.baseline + block.content.y }));
    const pieces: TextPiece[] = [];
    for (const { role, painting } of splitPieces(element, fragments, block.outer)) {
      const painted = paintText(painting, brush);
      if (!painted) continue;
      const path = join(this.#folder, await storeSprite(this.#folder, painted.bitmap));
      pieces.push({ path, ...painted.at, role, index: pieces.filter((piece) => piece.role === role).length });
    }
    const tall = block.outer.height > box.height ? [`the text is ${block.outer.height} pixels tall, its box only ${box.height}`] : [];
    return { pieces, width: block.outer.width, height: block.outer.height, warnings: tall };
  }
}

function dropGraphemes(text: string, dropped: ReadonlySet<string>, lang: string): string {
  return [...new Intl.Segmenter(lang, { granularity: 'grapheme' }).segment(text)]
    .map(({ segment }) => segment)
    .filter((segment) => !dropped.has(segment))
    .join('')
    .replace(/ {2,}/g, ' ')
    .trim();
}

function listCharacters(characters: readonly string[]): string {
  const named = characters.slice(0, 8).map((character) => {
    const codes = [...character].map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
    return `${character} (${codes.join(' ')})`;
  });
  return characters.length > named.length ? `${named.join(', ')} and ${characters.length - named.length} more` : named.join(', ');
}

function layOut(plan: Plan, box: { width: number }): { layout: TextLayout; brush: Brush } {
  const { typography, lang } = plan.brush;
  const context = createCanvas(1, 1).getContext('2d');
  prepareContext(context, plan.brush);
  const line = context.measureText('x');
  const widths = new Map<string, number>();
  const layout = layOutText({
    paragraphs: plan.paragraphs,
    typography,
    ascent: line.fontBoundingBoxAscent,
    descent: line.fontBoundingBoxDescent,
    maxWidth: box.width - typography.padding.left - typography.padding.right,
    lang,
    measure: (text, rightToLeft) => {
      const key = `${rightToLeft ? '<' : '>'}${text}`;
      const known = widths.get(key);
      if (known !== undefined) return known;
      context.direction = rightToLeft ? 'rtl' : 'ltr';
      const { width } = context.measureText(text);
      widths.set(key, width);
      return width;
    },
  });
  return { layout, brush: { ...plan.brush, ascent: line.fontBoundingBoxAscent } };
}

const shares = { left: 0, top: 0, center: 0.5, right: 1, bottom: 1 } as const;

function placeBlock(typography: Typography, layout: TextLayout, box: { width: number; height: number }): { outer: Rect; content: { x: number; y: number } } {
  const { padding, horizontalPosition, verticalPosition } = typography;
  const even = (length: number) => Math.ceil(length / 2 - 1e-6) * 2;
  const width = even(layout.width + padding.left + padding.right);
  const height = even(layout.height + padding.top + padding.bottom);
  const x = Math.floor(((box.width - width) * shares[horizontalPosition]) / 2) * 2;
  const y = Math.floor(((box.height - height) * shares[verticalPosition]) / 2) * 2;
  // What rounding up added is shared by both sides.
  const spare = (width - layout.width - padding.left - padding.right) / 2;
  return { outer: { x, y, width, height }, content: { x: x + padding.left + spare, y: y + Math.round(padding.top) } };
}

function splitPieces(element: TextElement, fragments: readonly Fragment[], outer: Rect): Array<{ role: TextPiece['role']; painting: Painting }> {
  const background = element.typography.backgroundColor.a > 0 ? { background: outer } : {};
  if (element.style !== '003') return [{ role: 'block', painting: { fragments, ...background } }];
  const words: Fragment[][] = [];
  for (const fragment of fragments) {
    words[fragment.word] ??= [];
    words[fragment.word]?.push(fragment);
  }
  return [
    { role: 'background' as const, painting: { fragments: [], ...background } },
    ...words.filter(Boolean).map((own) => ({ role: 'word' as const, painting: { fragments: own, around: fragments } })),
  ];
}
