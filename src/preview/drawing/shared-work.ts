/** Work that several wait for: done once, and stopped when nobody waits any more. */
export class SharedWork<Result> {
  readonly #stop = new AbortController();
  readonly #result: Promise<Result>;
  #waiting = 0;
  #isOver = false;

  constructor(start: (signal: AbortSignal) => Promise<Result>) {
    this.#result = start(this.#stop.signal).finally(() => {
      this.#isOver = true;
    });
    this.#result.catch(() => {});
  }

  /** It was stopped because nobody waited. */
  get isAbandoned(): boolean {
    return this.#stop.signal.aborted;
  }

  async wait(signal: AbortSignal): Promise<Result> {
    signal.throwIfAborted();
    this.#waiting += 1;
    let leave = (): void => {};
    const left = new Promise<never>((_resolve, reject) => {
      leave = () => reject(signal.reason);
      signal.addEventListener('abort', leave, { once: true });
    });
    try {
      return await Promise.race([this.#result, left]);
    } finally {
      signal.removeEventListener('abort', leave);
      this.#waiting -= 1;
      if (this.#waiting === 0 && !this.#isOver) this.#stop.abort(new Error('nobody waits for it any more'));
    }
  }
}
