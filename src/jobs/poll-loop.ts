import { setTimeout as sleep } from 'node:timers/promises';

/** Options of a poll loop. */
export interface PollLoopOptions {
  /** Starts all work that can be started now. */
  poll: () => Promise<void>;
  /** Interval between two polls without a notification. */
  pollMs: number;
  /** Called when a poll rejects; polling continues. */
  onError: (error: unknown) => void;
}

/** Polls for work on notification and at an interval. Polls never overlap; a notification during a poll starts another one. */
export class PollLoop {
  readonly #options: PollLoopOptions;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  #shouldPollAgain = false;
  #isStopped = false;

  constructor(options: PollLoopOptions) {
    this.#options = options;
  }

  /** Polls once and starts the interval. */
  start(): void {
    this.#timer = setInterval(() => this.notify(), this.#options.pollMs);
    this.notify();
  }

  /** Polls now, or again when the current poll ends. Does nothing before `start` and after `stop`. */
  notify(): void {
    // Dependencies may not be ready before start().
    if (this.#isStopped || this.#timer === undefined) return;
    this.#shouldPollAgain = true;
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = undefined;
      // notify() was called after the last poll.
      if (this.#shouldPollAgain) this.notify();
    });
  }

  /** Stops polling. Resolves when the current poll has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#polling;
  }

  /** Stops polling, waits up to `graceMs` for running work, then calls `abort` and waits for the rest. */
  async stopWithin(graceMs: number, listRunning: () => Iterable<{ ended: Promise<void> }>, abort: () => void): Promise<void> {
    await this.stop();
    const ended = Promise.all([...listRunning()].map((work) => work.ended));
    const graceEnd = new AbortController();
    await Promise.race([ended, sleep(graceMs, undefined, { signal: graceEnd.signal }).catch(() => {})]);
    graceEnd.abort();
    abort();
    await ended;
  }

  async #poll(): Promise<void> {
    while (this.#shouldPollAgain && !this.#isStopped) {
      this.#shouldPollAgain = false;
      try {
        await this.#options.poll();
      } catch (error) {
        this.#options.onError(error);
      }
    }
  }
}
