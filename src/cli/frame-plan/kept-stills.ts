import { createHash } from 'node:crypto';
import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileCache } from '../../storage/cache/index.js';
import type { Timeline } from '../../timeline/index.js';
import { settledState } from './file-state.js';
import { drawnBy, shownStills } from './shown-stills.js';

export interface KeptStills {
  /** Where the engine finds those that are there, and puts those that it makes. */
  readonly folder: string;
  /** Puts there what earlier runs have made of the pictures that this frame may show. Never rejects. */
  take(timeline: Timeline, frame: number): Promise<void>;
  /** Keeps what the engine has made since then. Never rejects. */
  keep(): Promise<void>;
}

export interface KeptStillSettings {
  drawings: FileCache;
  /** `buildKey()` */
  build: Promise<string>;
  workDir: string;
}

/** A picture that fills an opaque canvas of 4K takes three quarters of it. */
const mostBytes = 16 * 1024 ** 2;

/** Pictures as the engine has prepared them for being drawn, kept where drawn texts are. One stands for a file as it is now and for the sizes at which it is drawn. */
export function openKeptStills(settings: KeptStillSettings): KeptStills {
  return new Stills(settings);
}

class Stills implements KeptStills {
  readonly folder: string;
  readonly #settings: KeptStillSettings;
  readonly #openedAt = Date.now();
  /** Of what this frame may show, by the source's index. */
  readonly #keys = new Map<number, string>();

  constructor(settings: KeptStillSettings) {
    this.#settings = settings;
    this.folder = join(settings.workDir, 'stills');
  }

  async take(timeline: Timeline, frame: number): Promise<void> {
    try {
      await mkdir(this.folder);
      await Promise.all(shownStills(timeline, frame).map((source) => this.#takeOne(timeline, source)));
    } catch {
      // They are made anew.
    }
  }

  async keep(): Promise<void> {
    await Promise.all([...this.#keys].map(([source, key]) => this.#keepOne(source, key).catch(() => {})));
  }

  async #takeOne(timeline: Timeline, source: number): Promise<void> {
    const path = timeline.sources[source]?.path ?? '';
    const state = await settledState(path, this.#openedAt);
    if (state === undefined) return;
    const picture = JSON.stringify([await this.#settings.build, path, state, drawnBy(timeline, source)]);
    const key = createHash('sha256').update(picture).digest('hex');
    this.#keys.set(source, key);
    await this.#settings.drawings.get(key, join(this.folder, `${source}.still`));
  }

  async #keepOne(source: number, key: string): Promise<void> {
    const made = join(this.folder, `${source}.made`);
    // The engine's files are what it has written, and nothing that it leads to.
    const facts = await lstat(made);
    if (facts.isFile() && facts.size <= mostBytes) await this.#settings.drawings.put(key, made);
  }
}
