import { createHash, randomUUID } from 'node:crypto';
import { constants, copyFile, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpokenWord } from './speech.js';

/** What is kept beside the sound. */
export interface SpeechMetadata {
  durationSeconds: number;
  words: SpokenWord[];
  isEstimated: boolean;
  warnings: string[];
}

/**
 * Spoken texts by the hash of everything that decides how they sound. A file gets its name when it is whole, the sound
 * before its facts, so that several processes may read and write the same folder; what two of them speak at once is
 * equal. A failing disk costs speed, never a render.
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

  /** Puts the sound at `path`; undefined when it is not here. */
  async take(key: string, path: string): Promise<SpeechMetadata | undefined> {
    if (this.#maxBytes === 0) return undefined;
    try {
      const facts = JSON.parse(await readFile(this.#file(key, 'json'), 'utf8')) as SpeechMetadata;
      // A copy, never a link: a job's engine may write to what lies in its folder.
      await rm(path, { force: true });
      await copyFile(this.#file(key, 'wav'), path, constants.COPYFILE_FICLONE);
      const now = new Date();
      await Promise.all([utimes(this.#file(key, 'json'), now, now), utimes(this.#file(key, 'wav'), now, now)]).catch(() => {});
      return facts;
    } catch {
      return undefined;
    }
  }

  async keep(key: string, path: string, facts: SpeechMetadata): Promise<void> {
    if (this.#maxBytes === 0) return;
    const partial = this.#file(randomUUID(), 'partial');
    try {
      await mkdir(this.#folder, { recursive: true });
      await copyFile(path, partial);
      // Facts that outlast a power cut must find their sound whole.
      await syncFile(partial);
      await rename(partial, this.#file(key, 'wav'));
      await writeFile(partial, JSON.stringify(facts));
      await rename(partial, this.#file(key, 'json'));
      await this.#shrink(key);
    } catch {
      await rm(partial, { force: true }).catch(() => {});
    }
  }

  /** Removes what was not used for the longest time, and what a crash left. */
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
      // The facts first: without them the sound is not found.
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
