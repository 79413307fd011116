import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { HEADER_BYTES, readCacheFile, writeCacheFile } from './cache-file.js';
import { isLeftover, partialName } from './partial-file.js';

/** Location and limits of a cache. */
export interface FileCacheSettings {
  /** Created on first use. */
  folder: string;
  /** 0 disables the cache. */
  maxBytes: number;
  /** Free disk space that the cache leaves to others; default 2 GiB. */
  reserveBytes?: number;
}

/** Files by a key that identifies their content. */
export interface FileCache {
  /** Copies the file of this key to `path` and returns its size in bytes; undefined on a miss. Never rejects. */
  get(key: string, path: string): Promise<number | undefined>;
  /** Whether there is a file of this key, which may be removed at any time. Never rejects. */
  has(key: string): Promise<boolean>;
  /** Stores a copy of the file at `path` and returns its size in bytes; undefined when it cannot be stored. Never rejects. */
  put(key: string, path: string): Promise<number | undefined>;
}

const GIBIBYTE = 1024 ** 3;

/** Creates a cache in a folder that several processes may share. Keys must be hexadecimal. */
export function createFileCache(settings: FileCacheSettings): FileCache {
  return settings.maxBytes === 0 ? { get: async () => undefined, has: async () => false, put: async () => undefined } : new FolderCache(settings);
}

const SUFFIX = '.kept';
/** A full cache is shrunk to this fraction of its size, so that not every further file causes an eviction. */
const SHRINK_RATIO = 7 / 8;
/** The folder is scanned again after this fraction of its size was added, to notice files of other processes. */
const RESCAN_RATIO = 1 / 32;

class FolderCache implements FileCache {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #reserveBytes: number;
  /** Bytes at the last scan plus those added since. */
  #size = 0;
  #added = 0;
  #scan: Promise<void> | undefined;

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
      // Not cached, or not readable.
    }
    await rm(path, { force: true }).catch(() => {});
    return undefined;
  }

  async has(key: string): Promise<boolean> {
    return (await this.#statFile(`${key}${SUFFIX}`)) !== undefined;
  }

  async put(key: string, path: string): Promise<number | undefined> {
    const partial = join(this.#folder, partialName());
    try {
      const { size } = await stat(path);
      if (size + HEADER_BYTES > this.#maxBytes) return undefined;
      await this.#makeRoom(size + HEADER_BYTES);
      const storedBytes = await writeCacheFile(key, path, partial);
      await rename(partial, this.#pathOf(key));
      this.#size += storedBytes;
      this.#added += storedBytes;
      return size;
    } catch {
      await rm(partial, { force: true }).catch(() => {});
      return undefined;
    }
  }

  /** Serializes scans of the folder. */
  async #makeRoom(bytes: number): Promise<void> {
    this.#scan ??= this.#shrink(0).catch(() => {});
    const scan = this.#scan.then(async () => {
      const isFull = this.#size + bytes > this.#maxBytes || this.#added > this.#maxBytes * RESCAN_RATIO;
      if (isFull || (await this.#freeBytes()) - bytes < this.#reserveBytes) await this.#shrink(bytes);
    });
    this.#scan = scan.catch(() => {});
    await scan;
  }

  /** Removes leftovers of crashes, then the least recently used files until `bytes` more fit. */
  async #shrink(bytes: number): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const names = await readdir(this.#folder);
    const files = (await Promise.all(names.map((name) => this.#statFile(name)))).filter((file) => file !== undefined);
    for (const { name } of files.filter(({ name, usedAt }) => isLeftover(name, usedAt))) await this.#remove(name);
    const cached = files.filter(({ name }) => name.endsWith(SUFFIX)).sort((a, b) => a.usedAt - b.usedAt);
    let size = cached.reduce((sum, file) => sum + file.size, 0);
    const allowed = Math.min(this.#maxBytes, size + (await this.#freeBytes()) - this.#reserveBytes) - bytes;
    const targetBytes = size > allowed ? Math.min(allowed, this.#maxBytes * SHRINK_RATIO) : allowed;
    for (const file of cached) {
      if (size <= targetBytes) break;
      await this.#remove(file.name);
      size -= file.size;
    }
    this.#size = size;
    this.#added = 0;
    if (allowed < 0) throw new Error('not enough free disk space for the cache');
  }

  async #statFile(name: string): Promise<{ name: string; size: number; usedAt: number } | undefined> {
    const stats = await stat(join(this.#folder, name)).catch(() => undefined);
    return stats?.isFile() ? { name, size: stats.size, usedAt: stats.mtimeMs } : undefined;
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

/** A view of a cache that shares no entries with other scopes, e.g. one per account. */
export function createScopedCache(cache: FileCache, scope: string): FileCache {
  const scopedKey = (key: string): string =>
    createHash('sha256')
      .update(JSON.stringify([scope, key]))
      .digest('hex');
  return { get: (key, path) => cache.get(scopedKey(key), path), has: (key) => cache.has(scopedKey(key)), put: (key, path) => cache.put(scopedKey(key), path) };
}
