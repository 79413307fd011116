import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, extname, join } from 'node:path';
import type { TextElement } from '../../script/index.js';
import type { FileCache } from '../../storage/cache/index.js';
import { hasSize, spriteFileBytes, storeSprite, writeFileAtomically } from '../canvas/sprite-file.js';
import { roundDensity } from '../canvas/surface.js';
import type { FontCatalogue, JobFontCatalogue } from '../fonts/index.js';
import { createFontCatalogue } from '../fonts/index.js';
import type { Brush } from './paint.js';
import type { PieceDescription } from './pieces.js';
import { paintPieces, rulesEm, splitOfStyle } from './pieces.js';
import type { Size } from './place-text.js';
import { placeText } from './place-text.js';
import { guessLanguage, planText, splitParagraphs } from './prepare.js';

export interface TextPiece extends PieceDescription {
  path: string;
  /** Of the file. */
  bytes: number;
  /** From the top left corner of the element's box; even, but for texts with a density of their own. */
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
  /** Pixels of the drawing to one of the canvas, for a text that is magnified; default 1. Large texts get less. */
  density?: number;
  signal?: AbortSignal;
}

export interface TextSpriteDrawer {
  /** Where sprite files are written. */
  readonly folder: string;
  /** With room for those that the movie brings along. */
  readonly fonts: JobFontCatalogue;
  drawText(element: TextElement, box: Size, options?: DrawTextOptions): Promise<TextSprites>;
  /** Whether a drawing of this text by an earlier render is at hand. */
  isDrawn(element: TextElement, box: Size, options?: DrawTextOptions): Promise<boolean>;
}

/** Raised whenever the same input begins to give other pixels. */
const drawingVersion = 4;
const canvasVersion = (createRequire(import.meta.url)('@napi-rs/canvas/package.json') as { version: string }).version;

export interface TextSpriteOptions {
  folder: string;
  fonts?: FontCatalogue;
  /** Drawings of earlier renders, for later ones. */
  cache?: FileCache;
}

/** Draws texts into sprite files in a folder; equal texts are drawn once. */
export function createTextSprites({ folder, fonts, cache }: TextSpriteOptions): TextSpriteDrawer {
  return new Drawer(folder, (fonts ?? createFontCatalogue()).openJob(folder), cache);
}

interface Plan {
  brush: Brush;
  paragraphs: string[];
  warnings: string[];
  density: number;
  key: string;
}

const cacheKeyOf = (path: string): string => basename(path, extname(path));

class Drawer implements TextSpriteDrawer {
  readonly fonts: JobFontCatalogue;
  readonly folder: string;
  readonly #cache: FileCache | undefined;
  readonly #running = new Map<string, Promise<TextSprites>>();

  constructor(folder: string, fonts: JobFontCatalogue, cache: FileCache | undefined) {
    this.folder = folder;
    this.#cache = cache;
    this.fonts = fonts;
  }

  async isDrawn(element: TextElement, box: Size, options: DrawTextOptions = {}): Promise<boolean> {
    return this.#cache !== undefined && (await this.#findDrawn(this.#plan(element, box, options).key)) !== undefined;
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
    const whole = splitParagraphs(element.text, typography.textTransform, lang, typography.keepSpaces);
    const { brush, paragraphs, warnings } = planText({ paragraphs: whole, typography, lang, path: element.path }, this.fonts);
    const density = roundDensity(options.density);
    const keyParts = [
      drawingVersion,
      canvasVersion,
      paragraphs,
      typography,
      splitOfStyle(element.style),
      box.width,
      box.height,
      lang,
      brush.font.identity,
      density,
    ];
    const key = createHash('sha256').update(JSON.stringify(keyParts)).digest('hex').slice(0, 40);
    return { brush, paragraphs, warnings, density, key };
  }

  async #drawOnce(plan: Plan, element: TextElement, box: Size): Promise<TextSprites> {
    const known = await this.#findDrawn(plan.key);
    if (known) return known;
    const listPath = this.#listPath(plan.key);
    const drawn = await this.#draw(plan, element, box);
    // The list names files of its own folder, which may be moved.
    const list = { ...drawn, pieces: drawn.pieces.map((piece) => ({ ...piece, path: piece.path.slice(this.folder.length + 1) })) };
    await writeFileAtomically(listPath, JSON.stringify(list));
    if (this.#cache) await this.#storeInCache(this.#cache, plan.key, listPath, drawn);
    return drawn;
  }

  /** The list goes last: who finds it finds the pieces. */
  async #storeInCache(cache: FileCache, key: string, listPath: string, { pieces }: TextSprites): Promise<void> {
    await Promise.all(pieces.map(({ path }) => cache.put(cacheKeyOf(path), path)));
    await cache.put(key, listPath);
  }

  async #loadFromCache(key: string, listPath: string): Promise<TextSprites | undefined> {
    const cache = this.#cache;
    if (cache === undefined || (await cache.get(key, listPath)) === undefined) return undefined;
    const { pieces } = JSON.parse(await readFile(listPath, 'utf8')) as TextSprites;
    await Promise.all(pieces.map(({ path }) => cache.get(cacheKeyOf(path), join(this.folder, path))));
    return this.#readList(listPath);
  }

  #listPath(key: string): string {
    return join(this.folder, `${key}.json`);
  }

  async #findDrawn(key: string): Promise<TextSprites | undefined> {
    await mkdir(this.folder, { recursive: true });
    const listPath = this.#listPath(key);
    return (await this.#readList(listPath)) ?? (await this.#loadFromCache(key, listPath));
  }

  async #readList(path: string): Promise<TextSprites | undefined> {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const list = JSON.parse(text) as TextSprites;
    for (const piece of list.pieces) {
      piece.path = join(this.folder, piece.path);
      if (!(await hasSize(piece.path, piece.bytes))) return undefined;
    }
    return list;
  }

  async #draw(plan: Plan, element: TextElement, box: Size): Promise<TextSprites> {
    const cut = splitOfStyle(element.style);
    const { text, warnings } = placeText(plan, box, cut === 'letters between rules' ? rulesEm : 0);
    const pieces: TextPiece[] = [];
    for (const { at, bitmap, ...info } of paintPieces(cut, text, plan.density, (warning) => warnings.push(warning))) {
      const path = join(this.folder, await storeSprite(this.folder, bitmap));
      pieces.push({ path, bytes: spriteFileBytes(bitmap.width, bitmap.height), ...at, ...info });
    }
    const { width, height } = text.outer;
    if (height > box.height) warnings.push(`the text is ${height} pixels tall, its box only ${box.height}`);
    return { pieces, width, height, fontSize: text.brush.typography.fontSize, warnings };
  }
}
