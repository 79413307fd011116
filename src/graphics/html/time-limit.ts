import { PageFailure } from './chromium/page-failure.js';

/** Maximum delay of setTimeout(); longer delays fire immediately. */
const maxTimerMs = 2 ** 31 - 1;

/** A timeout that is restarted with each step; when it expires, the page has failed. */
export class TimeLimit {
  readonly expired: Promise<never>;
  #fail: (error: Error) => void = () => {};
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.expired = new Promise<never>((_resolve, reject) => {
      this.#fail = reject;
    });
    this.expired.catch(() => {});
  }

  /** Starts the timeout again; `message`: the failure when it expires. */
  restart(ms: number, message: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fail(new PageFailure(message)), Math.min(ms, maxTimerMs));
  }

  /** Restarts the timeout and waits for `work` or for the timeout. */
  within<T>(work: Promise<T>, ms: number, message: string): Promise<T> {
    this.restart(ms, message);
    return Promise.race([work, this.expired]);
  }

  /** Cancels the timeout. */
  end(): void {
    clearTimeout(this.#timer);
  }
}
