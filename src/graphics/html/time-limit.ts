import { PageFailure } from './chromium/page-failure.js';

/** Timers take no more, and end at once instead. */
const longestMs = 2 ** 31 - 1;

/** A limit that is set anew with each step; a page that passes it has failed. */
export class TimeLimit {
  readonly passed: Promise<never>;
  #fail: (error: Error) => void = () => {};
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.passed = new Promise<never>((_resolve, reject) => {
      this.#fail = reject;
    });
    this.passed.catch(() => {});
  }

  restart(ms: number, message: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fail(new PageFailure(message)), Math.min(ms, longestMs));
  }

  within<T>(work: Promise<T>, ms: number, message: string): Promise<T> {
    this.restart(ms, message);
    return Promise.race([work, this.passed]);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
