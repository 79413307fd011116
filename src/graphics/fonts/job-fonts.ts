import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FontKey } from '@napi-rs/canvas';
import { fontRegistry } from '../canvas/skia.js';
import { cleanFont, type FontCleaning } from './clean-font.js';
import type { FontMetadata } from './font-metadata.js';
import { readFontMetadata, UnusableFont } from './font-metadata.js';

/** A font file that a script names. */
export interface LoadedFont {
  alias: string;
  path: string;
  sha256: string;
  metadata: FontMetadata;
}

/** Fonts of one job: registered under names that nobody else can guess, and gone with the job. */
export class JobFonts {
  readonly #fonts = new Map<string, LoadedFont | undefined>();
  readonly #keys: FontKey[] = [];
  readonly #folder: string;
  readonly #cleaning: FontCleaning;

  /** `folder`: for files that are gone when a font is added; made when it is not there. */
  constructor(folder: string, cleaning: FontCleaning) {
    this.#folder = folder;
    this.#cleaning = cleaning;
  }

  /** Undefined: never asked for; null: asked for, but not usable, which has been said. */
  find(name: string): LoadedFont | null | undefined {
    return this.#fonts.has(name) ? (this.#fonts.get(name) ?? null) : undefined;
  }

  /** Says that a font can not be had, so that nobody warns of it again. */
  markUnavailable(name: string): void {
    this.#fonts.set(name, undefined);
  }

  /** Throws UnusableFont. */
  async add(name: string, file: { path: string; sha256: string }): Promise<void> {
    this.markUnavailable(name);
    const bytes = await readFile(file.path);
    const metadata = readFontMetadata(bytes);
    // Of the content, and of this job alone: another one's script can not draw with it.
    const alias = `fw-file-${file.sha256.slice(0, 24)}-${randomBytes(6).toString('hex')}`;
    const key = fontRegistry().register(await cleanFont(bytes, file.path, this.#folder, this.#cleaning), alias);
    if (key === null) throw new UnusableFont('is a font file that can not be read');
    this.#keys.push(key);
    this.#fonts.set(name, { alias, ...file, metadata: metadata });
  }

  close(): void {
    if (this.#keys.length > 0) fontRegistry().removeBatch(this.#keys.splice(0));
    this.#fonts.clear();
  }
}
