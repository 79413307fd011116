import { PageFailure } from './chromium/page-failure.js';

/** Timers take no more, and end at once instead. */
const maxTimerMs = 2 ** 31 - 1;

/** A limit that is set anew with each step; a page that passes it has failed. */
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

  restart(ms: number, message: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fail(new PageFailure(message)), Math.min(ms, maxTimerMs));
  }

  within<T>(work: Promise<T>, ms: number, message: string): Promise<T> {
    this.restart(ms, message);
    return Promise.race([work, this.expired]);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
