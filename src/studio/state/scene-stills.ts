import { effect, type Signal, signal } from '@preact/signals';
import type { OpenedPreview } from '../../contract/index.js';
import { ApiError, type Connection, isAbort } from '../api/connection.js';
import type { LivePreview, Wanted } from './live-preview.js';

/** More would be too narrow to see. */
const mostScenes = 16;
/** Behind most transitions and most entrances. */
const share = 0.65;
const lookMs = 80;

/** A small picture of each scene for the timeline, drawn when nothing else is. */
export class SceneStills {
  /** Addresses by the paths of scenes. */
  readonly urls: Signal<ReadonlyMap<string, string>> = signal(new Map());
  readonly #connection: Connection;
  readonly #preview: LivePreview;
  readonly #wanted: () => Wanted | undefined;
  #abort = new AbortController();

  constructor(connection: Connection, preview: LivePreview, wanted: () => Wanted | undefined) {
    this.#connection = connection;
    this.#preview = preview;
    this.#wanted = wanted;
    effect(() => {
      const plan = preview.plan.value;
      this.#abort.abort();
      this.#abort = new AbortController();
      if (plan !== undefined) void this.#drawAll(plan, this.#abort.signal);
    });
    // A script that changes again is drawn once it rests.
    effect(() => {
      if (preview.isPlanStale.value) this.#abort.abort();
    });
  }

  async #drawAll({ scenes }: OpenedPreview, abort: AbortSignal): Promise<void> {
    const body = this.#wanted();
    if (body === undefined) return;
    this.#forget(new Set(scenes.slice(0, mostScenes).map(({ path }) => path)));
    for (const { path, start, duration } of scenes.slice(0, mostScenes)) {
      const picture = await this.#draw({ ...body, time: start + duration * share, width: 160 }, abort).catch((error: unknown) => {
        if (!isAbort(error)) this.#abort.abort();
        return undefined;
      });
      if (picture === undefined || abort.aborted) return;
      this.#set(path, URL.createObjectURL(picture));
    }
  }

  async #draw(body: object, abort: AbortSignal): Promise<Blob | undefined> {
    while (!abort.aborted) {
      if (this.#preview.isDrawing.peek()) {
        await sleep(lookMs);
        continue;
      }
      try {
        return await (await this.#connection.open('api/preview/frame', { method: 'POST', body, signal: abort })).blob();
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 429) throw error;
        await sleep(Math.max(error.retryAfterSeconds, 1) * 1000);
      }
    }
    return undefined;
  }

  #set(path: string, url: string): void {
    const before = this.urls.peek().get(path);
    this.urls.value = new Map([...this.urls.peek(), [path, url]]);
    if (before !== undefined) URL.revokeObjectURL(before);
  }

  #forget(kept: ReadonlySet<string>): void {
    const gone = [...this.urls.peek()].filter(([path]) => !kept.has(path));
    if (gone.length === 0) return;
    this.urls.value = new Map([...this.urls.peek()].filter(([path]) => kept.has(path)));
    for (const [, url] of gone) URL.revokeObjectURL(url);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
