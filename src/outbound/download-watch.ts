import { StoppedDownload } from './failures.js';

const MIN_BYTES_PER_SECOND = 1024;

/** Ends a download that takes too long, gets too slow or is no longer wanted. */
export class DownloadWatch {
  readonly #abort = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #outer: AbortSignal | undefined;
  #bytesInSpan = 0;
  /** Why the watch ended the download. */
  failure: StoppedDownload | undefined;

  constructor(limits: { timeoutMs: number; stallMs: number; signal?: AbortSignal }) {
    const { timeoutMs, stallMs, signal } = limits;
    this.#timers.push(setTimeout(() => this.#end(`did not arrive within ${inSeconds(timeoutMs)}`), timeoutMs));
    const least = (MIN_BYTES_PER_SECOND * stallMs) / 1000;
    this.#timers.push(
      setInterval(() => {
        if (this.#bytesInSpan < least) this.#end(`sent almost nothing for ${inSeconds(stallMs)}`);
        this.#bytesInSpan = 0;
      }, stallMs),
    );
    this.#outer = signal;
    if (signal?.aborted) this.#abort.abort(signal.reason);
    else signal?.addEventListener('abort', this.#onOuterAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  received(bytes: number): void {
    this.#bytesInSpan += bytes;
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#outer?.removeEventListener('abort', this.#onOuterAbort);
  }

  readonly #onOuterAbort = (): void => this.#abort.abort(this.#outer?.reason);

  #end(reason: string): void {
    this.failure ??= new StoppedDownload(reason);
    this.#abort.abort(this.failure);
  }
}

function inSeconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(1))} s`;
}
