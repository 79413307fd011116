import type { Cut } from '../../timeline/index.js';
import type { RenderParts } from '../render-parts.js';
import { cutKey } from './cut-key.js';
import type { ReuseSeen } from './reuse-seen.js';
import { createSourceContents } from './source-contents.js';

interface Wanted {
  part: ReuseSeen['part'];
  path: string;
  mayReuse: boolean;
}

type ReuseParts = Pick<RenderParts, 'engine' | 'packetCache' | 'onReuse'>;

/** One render's dealings with what earlier ones have left. */
export class Reuse {
  readonly #parts: ReuseParts;
  readonly #contents = createSourceContents();
  /** By key, while they are being written. */
  readonly #keeping = new Map<string, Promise<void>>();

  constructor(parts: ReuseParts) {
    this.#parts = parts;
  }

  /** Puts the packets of a cut at a path: those of an earlier render where there are some, else those that `render` writes there. */
  async packets(cut: Cut, { part, path, mayReuse }: Wanted, render: () => Promise<unknown>): Promise<void> {
    const { onReuse } = this.#parts;
    const packetCache = mayReuse ? this.#parts.packetCache : undefined;
    const key = packetCache && (await this.#keyOf(cut));
    if (packetCache === undefined || key === undefined) {
      await render();
      return;
    }
    // The same scene may stand in a movie twice.
    await this.#keeping.get(key);
    const taken = await packetCache.take(key, path);
    if (taken !== undefined) {
      onReuse?.({ part, result: 'hit', bytes: taken });
      return;
    }
    await render();
    this.#keeping.set(
      key,
      this.#isUnchanged(cut).then(async (isUnchanged) => {
        const kept = isUnchanged ? await packetCache.keep(key, path) : undefined;
        onReuse?.({ part, result: 'miss', bytes: kept ?? 0 });
      }),
    );
  }

  /** Resolves when the files may go. */
  async settled(): Promise<void> {
    await Promise.all(this.#keeping.values());
  }

  async #keyOf(cut: Cut): Promise<string | undefined> {
    const identity = await this.#parts.engine.identity();
    if (identity === undefined) return undefined;
    // A file that cannot be read is the engine's to complain about.
    return cutKey(cut, identity, this.#contents).catch(() => undefined);
  }

  /** Packets that were made while somebody wrote to their sources belong to no key. */
  async #isUnchanged({ timeline }: Cut): Promise<boolean> {
    const unchanged = await Promise.all(timeline.sources.map(({ path }) => this.#contents.isUnchanged(path).catch(() => false)));
    return unchanged.every(Boolean);
  }
}
