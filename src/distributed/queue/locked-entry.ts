import type { Job } from 'bullmq';

/** A ticket in hand: nobody else gets it while its lock is renewed. */
export class LockedEntry<T> {
  readonly #ticket: Job<T>;
  readonly #token: string;
  readonly #lockMs: number;

  constructor(ticket: Job<T>, token: string, lockMs: number) {
    this.#ticket = ticket;
    this.#token = token;
    this.#lockMs = lockMs;
  }

  get id(): string {
    return this.#ticket.id ?? '';
  }

  get data(): T {
    return this.#ticket.data;
  }

  /** When it was given out, on the clock of the host that did. */
  get addedAt(): number {
    return this.#ticket.timestamp;
  }

  get priority(): number {
    return this.#ticket.priority;
  }

  /** How often its host was lost. */
  get hostLosses(): number {
    return this.#ticket.stalledCounter;
  }

  /** How often it went wrong. */
  get failures(): number {
    return this.#ticket.attemptsMade;
  }

  /** False: it is another host's by now. */
  async extend(): Promise<boolean> {
    return Number(await this.#ticket.extendLock(this.#token, this.#lockMs)) === 1;
  }

  async complete(): Promise<void> {
    await this.#ticket.moveToCompleted(null, this.#token, false);
  }

  /** Counts as a failure, and is tried once more. */
  async retry(reason: string): Promise<void> {
    await this.#ticket.moveToFailed(new Error(reason), this.#token, false);
  }

  /** As if it had not been taken. */
  async requeue(): Promise<void> {
    await this.#ticket.moveToWait(this.#token);
  }

  async update(content: T): Promise<void> {
    await this.#ticket.updateData(content);
  }

  /** Lets go of a movie until its parts are done; false: they are. */
  waitForSegments(): Promise<boolean> {
    return this.#ticket.moveToWaitingChildren(this.#token);
  }
}
