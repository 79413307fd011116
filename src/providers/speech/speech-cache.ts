import { createHash, randomUUID } from 'node:crypto';
import { constants, copyFile, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpokenWord } from './speech.js';

/** Metadata stored beside the audio file. */
export interface SpeechMetadata {
  durationSeconds: number;
  words: SpokenWord[];
  isEstimated: boolean;
  warnings: string[];
}

/**
 * File cache of synthesized speech, keyed by the hash of everything that affects the audio. Complete files are renamed
 * into place, the audio before its metadata, so several processes may share the folder; concurrent entries of one key
 * are equal. Disk errors are treated as cache misses.
 */
export class SpeechCache {
  readonly #folder: string;
  readonly #maxBytes: number;

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  keyOf(content: unknown): string {
    return createHash('sha256').update(JSON.stringify(content)).digest('hex');
  }

  /** Copies the cached audio to `path`; undefined on a miss. */
  async get(key: string, path: string): Promise<SpeechMetadata | undefined> {
    if (this.#maxBytes === 0) return undefined;
    try {
      const metadata = JSON.parse(await readFile(this.#file(key, 'json'), 'utf8')) as SpeechMetadata;
      // A copy, not a link: a job's engine may write to files in its folder.
      await rm(path, { force: true });
      await copyFile(this.#file(key, 'wav'), path, constants.COPYFILE_FICLONE);
      const now = new Date();
      await Promise.all([utimes(this.#file(key, 'json'), now, now), utimes(this.#file(key, 'wav'), now, now)]).catch(() => {});
      return metadata;
    } catch {
      return undefined;
    }
  }

  async put(key: string, path: string, metadata: SpeechMetadata): Promise<void> {
    if (this.#maxBytes === 0) return;
    const partial = this.#file(randomUUID(), 'partial');
    try {
      await mkdir(this.#folder, { recursive: true });
      await copyFile(path, partial);
      // Metadata that survives a power cut needs a complete audio file.
      await syncFile(partial);
      await rename(partial, this.#file(key, 'wav'));
      await writeFile(partial, JSON.stringify(metadata));
      await rename(partial, this.#file(key, 'json'));
      await this.#shrink(key);
    } catch {
      await rm(partial, { force: true }).catch(() => {});
    }
  }

  /** Evicts the least recently used entries and partial files of crashed processes. */
  async #shrink(newest: string): Promise<void> {
    const names = await readdir(this.#folder);
    const stats = await Promise.all(names.map((name) => stat(join(this.#folder, name)).catch(() => undefined)));
    const files = names.flatMap((name, i) => (stats[i] === undefined ? [] : [{ name, size: stats[i].size, usedAt: stats[i].mtimeMs }]));
    const stale = files.filter(({ name, usedAt }) => name.endsWith('.partial') && Date.now() - usedAt > STALE_MS);
    let size = files.reduce((sum, file) => sum + file.size, 0);
    const oldest = files.filter(({ name }) => name.endsWith('.wav') && !name.startsWith(newest)).sort((a, b) => a.usedAt - b.usedAt);
    const removed = stale.map(({ name }) => name);
    for (const file of oldest) {
      if (size <= this.#maxBytes) break;
      const key = file.name.slice(0, -'.wav'.length);
      size -= file.size + (files.find(({ name }) => name === `${key}.json`)?.size ?? 0);
      // Metadata first: an entry without it is a miss.
      removed.push(`${key}.json`, file.name);
    }
    for (const name of removed) await rm(join(this.#folder, name), { force: true });
  }

  #file(name: string, kind: 'wav' | 'json' | 'partial'): string {
    return join(this.#folder, `${name}.${kind}`);
  }
}

const STALE_MS = 3_600_000;

async function syncFile(path: string): Promise<void> {
  await using file = await open(path, 'r');
  await file.datasync();
}
