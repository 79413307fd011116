import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { TextElement } from '../../movie/index.js';
import type { FontCatalogue } from '../fonts/index.js';
import { createFontCatalogue, findUndrawable } from '../fonts/index.js';
import { hasSize, spriteFileBytes, storeSprite, writeWhole } from '../sprite-file.js';
import type { Brush } from './paint.js';
import type { PieceFacts } from './pieces.js';
import { cutOf, paintPieces, rulesEm } from './pieces.js';
import type { Size } from './place-text.js';
import { placeText } from './place-text.js';
import { guessLanguage, splitParagraphs } from './prepare.js';

export interface TextPiece extends PieceFacts {
  path: string;
  /** From the top left corner of the element's box; even. */
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface TextSprites {
  /** Back to front. */
  pieces: TextPiece[];
  /** Of the text block with its padding. */
  width: number;
  height: number;
  /** With which the text was drawn. */
  fontSize: number;
  /** Without the element's path: equal texts of several elements share their drawing. */
  warnings: string[];
}

export interface DrawTextOptions {
  /** BCP 47; default: guessed from the scripts in the text. */
  lang?: string;
  signal?: AbortSignal;
}

export interface TextSpriteDrawer {
  drawText(element: TextElement, box: Size, options?: DrawTextOptions): Promise<TextSprites>;
}

/** Raised whenever the same input begins to give other pixels. */
const drawingVersion = 2;
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

  async drawText(element: TextElement, box: Size, options: DrawTextOptions = {}): Promise<TextSprites> {
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

  #plan(element: TextElement, box: Size, options: DrawTextOptions): Plan {
    const { typography } = element;
    const lang = options.lang ?? guessLanguage(element.text);
    const whole = splitParagraphs(element.text, typography.textTransform, lang);
    const text = whole.join('\n');
    const font = this.#fonts.resolve({ families: typography.fontFamilies, weight: typography.fontWeight, style: typography.fontStyle, text, lang });
    const missing = findUndrawable(text, font, lang);
    const paragraphs = missing.length === 0 ? whole : whole.map((paragraph) => dropGraphemes(paragraph, new Set(missing), lang));
    const brush: Brush = { typography, font, lang, ascent: 0, path: element.path };
    const facts = [drawingVersion, canvasVersion, paragraphs, typography, cutOf(element.style), box.width, box.height, lang, font.identity];
    const key = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 40);
    const warnings = [...font.warnings];
    if (missing.length > 0) warnings.push(`no installed font can draw ${listCharacters(missing)}; left out`);
    return { brush, paragraphs, warnings, key };
  }

  async #drawOnce(plan: Plan, element: TextElement, box: Size): Promise<TextSprites> {
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

  async #draw(plan: Plan, element: TextElement, box: Size): Promise<TextSprites> {
    const cut = cutOf(element.style);
    const { text, warnings } = placeText(plan, box, cut === 'letters between rules' ? rulesEm : 0);
    const pieces: TextPiece[] = [];
    for (const { at, bitmap, ...facts } of paintPieces(cut, text, (warning) => warnings.push(warning))) {
      const path = join(this.#folder, await storeSprite(this.#folder, bitmap));
      pieces.push({ path, ...at, ...facts });
    }
    const { width, height } = text.outer;
    if (height > box.height) warnings.push(`the text is ${height} pixels tall, its box only ${box.height}`);
    return { pieces, width, height, fontSize: text.brush.typography.fontSize, warnings };
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
