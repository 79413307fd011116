import type { FileCache } from '../../storage/cache/index.js';
import type { SegmentTimeline } from '../../timeline/index.js';
import type { RenderContext } from '../render-context.js';
import type { SegmentCacheEvent } from './reuse-seen.js';
import { segmentKey } from './segment-key.js';
import { createSourceHashes } from './source-contents.js';

interface SegmentRequest {
  part: SegmentCacheEvent['part'];
  path: string;
  mayReuse: boolean;
}

type SegmentCacheContext = Pick<RenderContext, 'engine' | 'packetCache' | 'onSegmentCache'>;

/** One render's dealings with what earlier ones have left. */
export class SegmentCache {
  readonly #parts: SegmentCacheContext;
  readonly #contents = createSourceHashes();
  /** By key, while they are being made and written. */
  readonly #pending = new Map<string, Promise<void>>();

  constructor(parts: SegmentCacheContext) {
    this.#parts = parts;
  }

  /** Puts the packets of a cut at a path: those of an earlier render where there are some, else those that `render` writes there. */
  async fetchOrRender(cut: SegmentTimeline, { part, path, mayReuse }: SegmentRequest, render: () => Promise<unknown>): Promise<void> {
    const packetCache = mayReuse ? this.#parts.packetCache : undefined;
    const key = packetCache && (await this.#keyOf(cut));
    if (packetCache === undefined || key === undefined) {
      await render();
      return;
    }
    // The same scene may stand in a movie twice, also side by side.
    while (this.#pending.has(key)) await this.#pending.get(key);
    const work = this.#loadOrRender(cut, { part, path, key, packetCache }, render);
    // Whether it can be kept is no matter of this render's; that it cannot be made is told by `work`.
    const kept = work.then((keep) => keep()).catch(() => {});
    this.#pending.set(
      key,
      kept.finally(() => this.#pending.delete(key)),
    );
    await work;
  }

  /** Resolves when the packets are at the path, with what is left to be done. */
  async #loadOrRender(
    cut: SegmentTimeline,
    { part, path, key, packetCache }: Omit<SegmentRequest, 'mayReuse'> & { key: string; packetCache: FileCache },
    render: () => Promise<unknown>,
  ): Promise<() => Promise<void>> {
    const { onSegmentCache: onReuse } = this.#parts;
    const taken = await packetCache.get(key, path);
    if (taken !== undefined) {
      onReuse?.({ part, result: 'hit', bytes: taken });
      return async () => {};
    }
    await render();
    return async () => {
      const bytes = (await this.#isUnchanged(cut)) ? await packetCache.put(key, path) : undefined;
      onReuse?.({ part, result: 'miss', bytes: bytes ?? 0 });
    };
  }

  /** Resolves when the files may go. */
  async flush(): Promise<void> {
    await Promise.all(this.#pending.values());
  }

  async #keyOf(cut: SegmentTimeline): Promise<string | undefined> {
    const identity = await this.#parts.engine.identity();
    if (identity === undefined) return undefined;
    // A file that cannot be read is the engine's to complain about.
    return segmentKey(cut, identity, this.#contents).catch(() => undefined);
  }

  /** Packets that were made while somebody wrote to their sources belong to no key. */
  async #isUnchanged({ timeline }: SegmentTimeline): Promise<boolean> {
    const unchanged = await Promise.all(timeline.sources.map(({ path }) => this.#contents.isUnchanged(path).catch(() => false)));
    return unchanged.every(Boolean);
  }
}
