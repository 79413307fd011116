/** A task that several callers wait for: it runs once and is cancelled when the last caller leaves. */
export class SharedTask<Result> {
  readonly #cancel = new AbortController();
  readonly #result: Promise<Result>;
  #callerCount = 0;
  #isSettled = false;

  constructor(start: (signal: AbortSignal) => Promise<Result>) {
    this.#result = start(this.#cancel.signal).finally(() => {
      this.#isSettled = true;
    });
    this.#result.catch(() => {});
  }

  /** It was cancelled because the last caller left. */
  get isCancelled(): boolean {
    return this.#cancel.signal.aborted;
  }

  /** Rejects with the signal's reason when this caller leaves. */
  async wait(signal: AbortSignal): Promise<Result> {
    signal.throwIfAborted();
    this.#callerCount += 1;
    let leave = (): void => {};
    const left = new Promise<never>((_resolve, reject) => {
      leave = () => reject(signal.reason);
      signal.addEventListener('abort', leave, { once: true });
    });
    try {
      return await Promise.race([this.#result, left]);
    } finally {
      signal.removeEventListener('abort', leave);
      this.#callerCount -= 1;
      if (this.#callerCount === 0 && !this.#isSettled) this.#cancel.abort(new Error('no caller waits for this task'));
    }
  }
}
