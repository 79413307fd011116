import { setTimeout as sleep } from 'node:timers/promises';

/** What a poll loop runs. */
export interface PollLoopOptions {
  /** Starts all work that can be started now. */
  poll: () => Promise<void>;
  /** Interval between two polls without a notification. */
  pollMs: number;
  onError: (error: unknown) => void;
}

/** Polls for work on notification and at an interval. Polls never overlap; a notification during a poll starts another one. */
export class PollLoop {
  readonly #parts: PollLoopOptions;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  #pollAgain = false;
  #stopped = false;

  constructor(parts: PollLoopOptions) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => this.notify(), this.#parts.pollMs);
    this.notify();
  }

  notify(): void {
    // Dependencies may not be ready before start().
    if (this.#stopped || this.#timer === undefined) return;
    this.#pollAgain = true;
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = undefined;
      // Notified after the last poll.
      if (this.#pollAgain) this.notify();
    });
  }

  /** Resolves when the look in hand is over; there is none after it. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#polling;
  }

  /** Stops polling, waits up to `graceMs` for running work, then calls `abort` and waits for the rest. */
  async stopWithin(graceMs: number, inHand: () => Iterable<{ ended: Promise<void> }>, abort: () => void): Promise<void> {
    await this.stop();
    const ended = Promise.all([...inHand()].map((work) => work.ended));
    const waited = new AbortController();
    await Promise.race([ended, sleep(graceMs, undefined, { signal: waited.signal }).catch(() => {})]);
    waited.abort();
    abort();
    await ended;
  }

  async #poll(): Promise<void> {
    while (this.#pollAgain && !this.#stopped) {
      this.#pollAgain = false;
      try {
        await this.#parts.poll();
      } catch (error) {
        this.#parts.onError(error);
      }
    }
  }
}
