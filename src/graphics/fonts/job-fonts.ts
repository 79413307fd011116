import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FontKey } from '@napi-rs/canvas';
import { fontRegistry } from '../canvas/skia.js';
import { cleanFont, type FontCleaning } from './clean-font.js';
import type { FontMetadata } from './font-metadata.js';
import { readFontMetadata, UnusableFont } from './font-metadata.js';

/** A font file named by a script. */
export interface LoadedFont {
  /** Family name in Skia. */
  alias: string;
  path: string;
  sha256: string;
  metadata: FontMetadata;
}

/** Fonts of one job, registered under unguessable names and removed with close(). */
export class JobFonts {
  readonly #fonts = new Map<string, LoadedFont | undefined>();
  readonly #keys: FontKey[] = [];
  readonly #folder: string;
  readonly #cleaning: FontCleaning;

  /** `folder`: for temporary files; created if missing. */
  constructor(folder: string, cleaning: FontCleaning) {
    this.#folder = folder;
    this.#cleaning = cleaning;
  }

  /** Undefined: unknown; null: known to be unavailable, and already reported. */
  find(name: string): LoadedFont | null | undefined {
    return this.#fonts.has(name) ? (this.#fonts.get(name) ?? null) : undefined;
  }

  /** Marks a font as unavailable, so that it is not reported again. */
  markUnavailable(name: string): void {
    this.#fonts.set(name, undefined);
  }

  /** Registers a font file under `name`. Throws UnusableFont. */
  async add(name: string, file: { path: string; sha256: string }): Promise<void> {
    this.markUnavailable(name);
    const bytes = await readFile(file.path);
    const metadata = readFontMetadata(bytes);
    // The random part keeps scripts of other jobs from using the font.
    const alias = `fw-file-${file.sha256.slice(0, 24)}-${randomBytes(6).toString('hex')}`;
    const key = fontRegistry().register(await cleanFont(bytes, file.path, this.#folder, this.#cleaning), alias);
    if (key === null) throw new UnusableFont('is a font file that cannot be read');
    this.#keys.push(key);
    this.#fonts.set(name, { alias, ...file, metadata });
  }

  /** Unregisters all fonts. */
  close(): void {
    if (this.#keys.length > 0) fontRegistry().removeBatch(this.#keys.splice(0));
    this.#fonts.clear();
  }
}
