import type { FileCache } from '../../storage/cache/index.js';
import type { RenderContext, SegmentCacheEvent } from '../render-context.js';
import { segmentKey } from './segment-key.js';
import type { SizedSegment } from './segments.js';
import { createSourceHashes } from './source-contents.js';

interface SegmentRequest {
  part: SegmentCacheEvent['part'];
  path: string;
  mayReuse: boolean;
}

type SegmentCacheContext = Pick<RenderContext, 'engine' | 'packetCache' | 'onSegmentCache'>;

/** Access of one render to the encoded segments of earlier renders. */
export class SegmentCache {
  readonly #parts: SegmentCacheContext;
  readonly #contents = createSourceHashes();
  /** Segments that are being rendered or stored, by key. */
  readonly #pending = new Map<string, Promise<void>>();

  constructor(parts: SegmentCacheContext) {
    this.#parts = parts;
  }

  /** Copies the packets of a segment from the cache to `path`, or else lets `render` write them there and stores them, unless it resolves to false. */
  async fetchOrRender(cut: SizedSegment, { part, path, mayReuse }: SegmentRequest, render: () => Promise<unknown>): Promise<void> {
    const packetCache = mayReuse ? this.#parts.packetCache : undefined;
    const key = packetCache && (await this.#keyOf(cut));
    if (packetCache === undefined || key === undefined) {
      await render();
      return;
    }
    // A movie may contain the same scene twice, and render both in parallel.
    while (this.#pending.has(key)) await this.#pending.get(key);
    const work = this.#loadOrRender(cut, { part, path, key, packetCache }, render);
    // A failed store does not fail the render; a failed render rejects `work`.
    const stored = work.then((store) => store()).catch(() => {});
    this.#pending.set(
      key,
      stored.finally(() => this.#pending.delete(key)),
    );
    await work;
  }

  /** The segments that the cache does not have, each once, and those that must not be reused. */
  async missing<T extends { cut: SizedSegment; mayReuse: boolean }>(segments: readonly T[]): Promise<T[]> {
    const { packetCache } = this.#parts;
    if (packetCache === undefined) return [...segments];
    const found = new Set<string>();
    const missing: T[] = [];
    for (const segment of segments) {
      const key = segment.mayReuse ? await this.#keyOf(segment.cut) : undefined;
      if (key !== undefined && (found.has(key) || (await packetCache.has(key)))) continue;
      if (key !== undefined) found.add(key);
      missing.push(segment);
    }
    return missing;
  }

  /** Resolves when the packets are at `path`, with a function that stores them in the cache. */
  async #loadOrRender(
    cut: SizedSegment,
    { part, path, key, packetCache }: Omit<SegmentRequest, 'mayReuse'> & { key: string; packetCache: FileCache },
    render: () => Promise<unknown>,
  ): Promise<() => Promise<void>> {
    const { onSegmentCache } = this.#parts;
    const cachedBytes = await packetCache.get(key, path);
    if (cachedBytes !== undefined) {
      onSegmentCache?.({ part, result: 'hit', bytes: cachedBytes });
      return async () => {};
    }
    if ((await render()) === false) return async () => {};
    return async () => {
      const bytes = (await this.#isUnchanged(cut)) ? await packetCache.put(key, path) : undefined;
      onSegmentCache?.({ part, result: 'miss', bytes: bytes ?? 0 });
    };
  }

  /** Resolves when all segments are stored and their files may be deleted. */
  async flush(): Promise<void> {
    await Promise.all(this.#pending.values());
  }

  async #keyOf(cut: SizedSegment): Promise<string | undefined> {
    const identity = await this.#parts.engine.identity();
    if (identity === undefined) return undefined;
    // The engine reports unreadable files with a better message.
    return segmentKey(cut, identity, this.#contents).catch(() => undefined);
  }

  /** Whether no source changed during the render; otherwise the packets do not match the key. */
  async #isUnchanged({ timeline }: SizedSegment): Promise<boolean> {
    const unchanged = await Promise.all(timeline.sources.map(({ path }) => this.#contents.isUnchanged(path).catch(() => false)));
    return unchanged.every(Boolean);
  }
}
