import { DownloadLimitError } from './failures.js';

const minBytesPerSecond = 1024;

/** Aborts a download that exceeds its time limit or falls below the minimum rate. */
export class DownloadWatch {
  readonly #abort = new AbortController();
  readonly #timeout: NodeJS.Timeout;
  readonly #stallCheck: NodeJS.Timeout;
  #intervalBytes = 0;
  /** Aborted by the limits or by the caller's signal. */
  readonly signal: AbortSignal;
  /** Set when a limit has aborted the download. */
  failure: DownloadLimitError | undefined;

  constructor({ timeoutMs, stallMs, signal }: { timeoutMs: number; stallMs: number; signal?: AbortSignal }) {
    this.signal = signal === undefined ? this.#abort.signal : AbortSignal.any([this.#abort.signal, signal]);
    this.#timeout = setTimeout(() => this.#fail(`did not arrive within ${formatSeconds(timeoutMs)}`), timeoutMs);
    this.#stallCheck = setInterval(() => {
      if (this.#intervalBytes < (minBytesPerSecond * stallMs) / 1000) this.#fail(`sent almost nothing for ${formatSeconds(stallMs)}`);
      this.#intervalBytes = 0;
    }, stallMs);
  }

  addBytes(count: number): void {
    this.#intervalBytes += count;
  }

  stop(): void {
    clearTimeout(this.#timeout);
    clearInterval(this.#stallCheck);
  }

  #fail(reason: string): void {
    this.failure ??= new DownloadLimitError(reason);
    this.#abort.abort(this.failure);
  }
}

function formatSeconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(1))} s`;
}
