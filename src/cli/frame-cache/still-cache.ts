import { createHash } from 'node:crypto';
import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileCache } from '../../storage/cache/index.js';
import type { Timeline } from '../../timeline/index.js';
import { settledState } from './file-state.js';
import { stillGeometry, visibleStills } from './visible-stills.js';

export interface StillCacheSettings {
  drawings: FileCache;
  /** Result of `buildKey()`. */
  build: Promise<string>;
  workDir: string;
}

/** Size limit of one entry. An image that fills an opaque 4K canvas takes about 12 MiB. */
const maxStillBytes = 16 * 1024 ** 2;

/** Images as the engine decoded and scaled them. An entry is keyed by the state of the image file and by the sizes at which it is drawn. */
export class StillCache {
  /** The engine reads cached stills (`N.still`) from this folder and writes new ones (`N.made`) to it. */
  readonly folder: string;
  readonly #settings: StillCacheSettings;
  readonly #openedAt = Date.now();
  /** Cache keys of the stills that the frame may show, by source index. */
  readonly #keys = new Map<number, string>();

  constructor(settings: StillCacheSettings) {
    this.#settings = settings;
    this.folder = join(settings.workDir, 'stills');
  }

  /** Copies the cached stills that the frame may show into `folder`. Never rejects. */
  async load(timeline: Timeline, frame: number): Promise<void> {
    try {
      await mkdir(this.folder);
      await Promise.all(visibleStills(timeline, frame).map((source) => this.#loadStill(timeline, source)));
    } catch {
      // The engine decodes the images again.
    }
  }

  /** Stores the stills that the engine wrote since `load`. Never rejects. */
  async store(): Promise<void> {
    await Promise.all([...this.#keys].map(([source, key]) => this.#storeStill(source, key).catch(() => {})));
  }

  async #loadStill(timeline: Timeline, source: number): Promise<void> {
    const path = timeline.sources[source]?.path ?? '';
    const state = await settledState(path, this.#openedAt);
    if (state === undefined) return;
    const identity = JSON.stringify([await this.#settings.build, path, state, stillGeometry(timeline, source)]);
    const key = createHash('sha256').update(identity).digest('hex');
    this.#keys.set(source, key);
    await this.#settings.drawings.get(key, join(this.folder, `${source}.still`));
  }

  async #storeStill(source: number, key: string): Promise<void> {
    const made = join(this.folder, `${source}.made`);
    // The sandboxed engine may have created a link here: only regular files are stored.
    const stats = await lstat(made);
    if (stats.isFile() && stats.size <= maxStillBytes) await this.#settings.drawings.put(key, made);
  }
}
