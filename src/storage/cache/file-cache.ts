import { mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { HEADER_BYTES, readCacheFile, writeCacheFile } from './cache-file.js';
import { isLeftover, partialName } from './partial-file.js';

export interface FileCacheSettings {
  /** Made when it is not there. */
  folder: string;
  /** 0 keeps nothing. */
  maxBytes: number;
  /** Room on the disk that the cache leaves to others. */
  reserveBytes?: number;
}

export interface FileCache {
  /** Puts the file of this key at `path` and returns its size; undefined when it is not here. Never rejects. */
  get(key: string, path: string): Promise<number | undefined>;
  /** Keeps a copy of the file at `path` and returns its size; undefined when it cannot be kept. Never rejects. */
  put(key: string, path: string): Promise<number | undefined>;
}

const GIBIBYTE = 1024 ** 3;

/** Keys are hexadecimal. */
export function createFileCache(settings: FileCacheSettings): FileCache {
  return settings.maxBytes === 0 ? { get: async () => undefined, put: async () => undefined } : new FolderCache(settings);
}

const SUFFIX = '.kept';
/** A full folder is emptied to this part, so that not every further file makes it look for the oldest. */
const AFTER_SHRINKING = 7 / 8;
/** What others add is seen after so much has been added here. */
const UNSEEN_PART = 1 / 32;

class FolderCache implements FileCache {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #reserveBytes: number;
  /** As it was last seen, with what was added since. */
  #size = 0;
  #added = 0;
  #looking: Promise<void> | undefined;

  constructor({ folder, maxBytes, reserveBytes = 2 * GIBIBYTE }: FileCacheSettings) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#reserveBytes = reserveBytes;
  }

  async get(key: string, path: string): Promise<number | undefined> {
    const file = this.#pathOf(key);
    try {
      const copied = await readCacheFile(key, file, path);
      if (copied !== 'damaged') return copied.bytes;
      await rm(file, { force: true });
    } catch {
      // Not here, or not to be had from this disk.
    }
    await rm(path, { force: true }).catch(() => {});
    return undefined;
  }

  async put(key: string, path: string): Promise<number | undefined> {
    const partial = join(this.#folder, partialName());
    try {
      const { size } = await stat(path);
      if (size + HEADER_BYTES > this.#maxBytes) return undefined;
      await this.#makeRoom(size + HEADER_BYTES);
      const kept = await writeCacheFile(key, path, partial);
      await rename(partial, this.#pathOf(key));
      this.#size += kept;
      this.#added += kept;
      return size;
    } catch {
      await rm(partial, { force: true }).catch(() => {});
      return undefined;
    }
  }

  async #firstLook(): Promise<void> {
    await this.#shrink(0).catch(() => {});
  }

  /** One look at a time. */
  async #makeRoom(bytes: number): Promise<void> {
    this.#looking ??= this.#firstLook();
    const look = this.#looking.then(async () => {
      const isFull = this.#size + bytes > this.#maxBytes || this.#added > this.#maxBytes * UNSEEN_PART;
      if (isFull || (await this.#freeBytes()) - bytes < this.#reserveBytes) await this.#shrink(bytes);
    });
    this.#looking = look.catch(() => {});
    await look;
  }

  /** Removes what a crash left, and what was not used for the longest time when there is no room for `bytes` more. */
  async #shrink(bytes: number): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const names = await readdir(this.#folder);
    const files = (await Promise.all(names.map((name) => this.#look(name)))).filter((file) => file !== undefined);
    for (const { name } of files.filter(({ name, usedAt }) => isLeftover(name, usedAt))) await this.#remove(name);
    const kept = files.filter(({ name }) => name.endsWith(SUFFIX)).sort((a, b) => a.usedAt - b.usedAt);
    let size = kept.reduce((sum, file) => sum + file.size, 0);
    const allowed = Math.min(this.#maxBytes, size + (await this.#freeBytes()) - this.#reserveBytes) - bytes;
    const wanted = size > allowed ? Math.min(allowed, this.#maxBytes * AFTER_SHRINKING) : allowed;
    for (const file of kept) {
      if (size <= wanted) break;
      await this.#remove(file.name);
      size -= file.size;
    }
    this.#size = size;
    this.#added = 0;
    if (allowed < 0) throw new Error('no room on this disk');
  }

  async #look(name: string): Promise<{ name: string; size: number; usedAt: number } | undefined> {
    const facts = await stat(join(this.#folder, name)).catch(() => undefined);
    return facts?.isFile() ? { name, size: facts.size, usedAt: facts.mtimeMs } : undefined;
  }

  async #remove(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true });
  }

  async #freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize;
  }

  #pathOf(key: string): string {
    return join(this.#folder, `${key}${SUFFIX}`);
  }
}
