import { effect, type Signal, signal } from '@preact/signals';
import type { OpenedPreview } from '../../contract/index.js';
import { type Connection, isAbort } from '../api/connection.js';
import { fetchFrameWhenIdle } from './idle-frames.js';
import type { LivePreview, PreviewInput } from './live-preview.js';

/** Scenes beyond this would be too narrow in the timeline. */
const maxScenes = 16;
/** Position of the still in its scene: past most transitions and entrances. */
const share = 0.65;
const width = 160;

/** A still of each scene for the timeline, rendered while the live preview is idle. */
export class SceneStills {
  /** Object URLs by scene path. */
  readonly urls: Signal<ReadonlyMap<string, string>> = signal(new Map());
  readonly #connection: Connection;
  readonly #preview: LivePreview;
  readonly #input: () => PreviewInput | undefined;
  #abort = new AbortController();

  constructor(connection: Connection, preview: LivePreview, input: () => PreviewInput | undefined) {
    this.#connection = connection;
    this.#preview = preview;
    this.#input = input;
    effect(() => {
      const plan = preview.plan.value;
      this.#abort.abort();
      this.#abort = new AbortController();
      if (plan !== undefined) void this.#drawAll(plan, this.#abort.signal);
    });
    effect(() => {
      if (preview.isPlanStale.value) this.#abort.abort();
    });
  }

  async #drawAll({ scenes }: OpenedPreview, signal: AbortSignal): Promise<void> {
    const input = this.#input();
    if (input === undefined) return;
    const shown = scenes.slice(0, maxScenes);
    this.#removeOthers(new Set(shown.map(({ path }) => path)));
    const isBusy = (): boolean => this.#preview.isDrawing.peek();
    for (const { path, start, duration } of shown) {
      const body = { ...input, time: start + duration * share, width };
      const image = await fetchFrameWhenIdle(this.#connection, body, isBusy, signal).catch((error: unknown) => {
        if (!isAbort(error)) this.#abort.abort();
        return undefined;
      });
      if (image === undefined || signal.aborted) return;
      this.#set(path, URL.createObjectURL(image));
    }
  }

  #set(path: string, url: string): void {
    const before = this.urls.peek().get(path);
    this.urls.value = new Map([...this.urls.peek(), [path, url]]);
    if (before !== undefined) URL.revokeObjectURL(before);
  }

  #removeOthers(paths: ReadonlySet<string>): void {
    const removed = [...this.urls.peek()].filter(([path]) => !paths.has(path));
    if (removed.length === 0) return;
    this.urls.value = new Map([...this.urls.peek()].filter(([path]) => paths.has(path)));
    for (const [, url] of removed) URL.revokeObjectURL(url);
  }
}
