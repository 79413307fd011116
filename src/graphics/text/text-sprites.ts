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
import type { PieceDescription } from './pieces.js';
import { hasRules, paintPieces, penWidthOf, rulesEm, splitOfText } from './pieces.js';
import type { Size, TextPlan } from './place-text.js';
import { placeText } from './place-text.js';
import { guessLanguage, planText, splitParagraphs } from './prepare.js';
import { findLooks } from './spans.js';
import { tintsOf } from './tints.js';

/** A sprite file of a text. */
export interface TextPiece extends PieceDescription {
  path: string;
  /** Size of the file. */
  bytes: number;
  /** Rectangle in the element's box; on even pixels at density 1. */
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A drawn text. */
export interface TextSprites {
  /** Back to front. */
  pieces: TextPiece[];
  /** Size of the text block including padding. */
  width: number;
  height: number;
  /** Font size in pixels, also if it was fitted. */
  fontSize: number;
  /** Without a path, because equal texts of several elements share the drawing. */
  warnings: string[];
}

/** Options of drawText(). */
export interface DrawTextOptions {
  /** BCP 47 tag; default: guessed from the scripts in the text. */
  lang?: string;
  /** Sprite pixels per canvas pixel, for texts that are magnified; default 1. Large texts get less. */
  density?: number;
  /** Whether it is one of many states of a text that changes, which need places between pixels to change smoothly. */
  isVarying?: boolean;
  signal?: AbortSignal;
}

/** Draws texts into sprite files. */
export interface TextSpriteDrawer {
  /** Folder of the sprite files. */
  readonly folder: string;
  /** Fonts of the host and of the job. */
  readonly fonts: JobFontCatalogue;
  /** Draws a text in its element's box, or reuses an earlier drawing. */
  drawText(element: TextElement, box: Size, options?: DrawTextOptions): Promise<TextSprites>;
  /** Whether the cache has a drawing of this text. */
  isDrawn(element: TextElement, box: Size, options?: DrawTextOptions): Promise<boolean>;
}

/** Part of cache keys; increase when drawing changes the pixels for the same input. */
const drawingVersion = 8;
const canvasVersion = (createRequire(import.meta.url)('@napi-rs/canvas/package.json') as { version: string }).version;

interface TextSpriteOptions {
  folder: string;
  fonts?: FontCatalogue;
  /** Cache of drawings shared between renders. */
  cache?: FileCache;
}

/** Creates a drawer that writes to `folder`; equal texts are drawn once. */
export function createTextSprites({ folder, fonts, cache }: TextSpriteOptions): TextSpriteDrawer {
  return new Drawer(folder, (fonts ?? createFontCatalogue()).openJob(folder), cache);
}

interface Plan extends TextPlan {
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
    const lang = options.lang ?? typography.lang ?? guessLanguage(element.text);
    const split = (text: string) => splitParagraphs(text, typography.textTransform, lang, typography.keepSpaces);
    const looks = element.spans === undefined ? undefined : findLooks(element.text, element.spans, split);
    const { warnings, ...plan } = planText(
      {
        paragraphs: split(element.text),
        typography,
        lang,
        path: element.path,
        acceptsOtherWeight: options.isVarying === true,
        ...(looks === undefined ? {} : { looks }),
      },
      this.fonts,
    );
    const { brush, paragraphs } = plan;
    const density = roundDensity(options.density);
    const keyParts = [
      drawingVersion,
      canvasVersion,
      paragraphs,
      typography,
      splitOfText(element),
      penWidthOf(element) ?? [],
      tintsOf(element),
      box.width,
      box.height,
      lang,
      brush.font.identity,
      brush.font.fallback?.font.identity ?? [],
      density,
      ...(options.isVarying === true ? ['outlines'] : []),
      ...(looks === undefined ? [] : [looks.looks, plan.faces?.map((units) => units.join()), brush.faces?.map((font) => font?.identity ?? [])]),
    ];
    const key = createHash('sha256').update(JSON.stringify(keyParts)).digest('hex').slice(0, 40);
    return { ...plan, ...(options.isVarying === true && { brush: { ...brush, isVarying: true } }), warnings, density, key };
  }

  async #drawOnce(plan: Plan, element: TextElement, box: Size): Promise<TextSprites> {
    const known = await this.#findDrawn(plan.key);
    if (known) return known;
    const listPath = this.#listPath(plan.key);
    const drawn = await this.#draw(plan, element, box);
    // Relative paths, because the folder may be moved.
    const list = { ...drawn, pieces: drawn.pieces.map((piece) => ({ ...piece, path: piece.path.slice(this.folder.length + 1) })) };
    await writeFileAtomically(listPath, JSON.stringify(list));
    if (this.#cache) await this.#storeInCache(this.#cache, plan.key, listPath, drawn);
    return drawn;
  }

  /** Stores the list last, so that a stored list implies stored pieces. */
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
    const cut = splitOfText(element);
    const { text, warnings } = placeText(plan, box, hasRules(cut) ? rulesEm : 0);
    const pieces: TextPiece[] = [];
    const options = { density: plan.density, penWidth: penWidthOf(element), tints: tintsOf(element), warn: (warning: string) => warnings.push(warning) };
    for (const { at, bitmap, ...info } of paintPieces(cut, text, options)) {
      const path = join(this.folder, await storeSprite(this.folder, bitmap));
      pieces.push({ path, bytes: spriteFileBytes(bitmap.width, bitmap.height), ...at, ...info });
    }
    const { width, height } = text.outer;
    if (height > box.height) warnings.push(`the text is ${Math.ceil(height)} pixels tall, its box only ${box.height}`);
    return { pieces, width, height, fontSize: text.brush.typography.fontSize, warnings };
  }
}
