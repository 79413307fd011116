import { setTimeout as sleep } from 'node:timers/promises';

export interface PollLoopOptions {
  /** Takes up all work that can be taken up now. */
  poll: () => Promise<void>;
  /** How often to look without being told. */
  pollMs: number;
  onError: (error: unknown) => void;
}

/** Looks for work when told and every now and then: one look at a time, and one more when told during a look. */
export class PollLoop {
  readonly #parts: PollLoopOptions;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #stopped = false;

  constructor(parts: PollLoopOptions) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => this.notify(), this.#parts.pollMs);
    this.notify();
  }

  notify(): void {
    // Before the start what the work stands on may not be there yet.
    if (this.#stopped || this.#timer === undefined) return;
    this.#lookAgain = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
      // Told again after the last look.
      if (this.#lookAgain) this.notify();
    });
  }

  /** Resolves when the look in hand is over; there is none after it. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#looking;
  }

  /** Stops, gives the work in hand its time, then has `abort` end what is left and waits for that. */
  async stopWithin(graceMs: number, inHand: () => Iterable<{ ended: Promise<void> }>, abort: () => void): Promise<void> {
    await this.stop();
    const ended = Promise.all([...inHand()].map((work) => work.ended));
    const waited = new AbortController();
    await Promise.race([ended, sleep(graceMs, undefined, { signal: waited.signal }).catch(() => {})]);
    waited.abort();
    abort();
    await ended;
  }

  async #look(): Promise<void> {
    while (this.#lookAgain && !this.#stopped) {
      this.#lookAgain = false;
      try {
        await this.#parts.poll();
      } catch (error) {
        this.#parts.onError(error);
      }
    }
  }
}
