import type { Job } from 'bullmq';

/** A claimed queue entry: no other host gets it while its lock is renewed. */
export class LockedEntry<T> {
  readonly #job: Job<T>;
  readonly #token: string;
  readonly #lockMs: number;

  constructor(job: Job<T>, token: string, lockMs: number) {
    this.#job = job;
    this.#token = token;
    this.#lockMs = lockMs;
  }

  get id(): string {
    return this.#job.id ?? '';
  }

  get data(): T {
    return this.#job.data;
  }

  /** When it was queued (Unix ms, clock of the queueing host). */
  get addedAt(): number {
    return this.#job.timestamp;
  }

  get priority(): number {
    return this.#job.priority;
  }

  /** Number of hosts lost while they had it. */
  get hostLosses(): number {
    return this.#job.stalledCounter;
  }

  /** Number of failed attempts. */
  get failures(): number {
    return this.#job.attemptsMade;
  }

  /** Renews the lock. Returns false if another host owns the entry. */
  async extend(): Promise<boolean> {
    return Number(await this.#job.extendLock(this.#token, this.#lockMs)) === 1;
  }

  /** Removes the entry. */
  async complete(): Promise<void> {
    await this.#job.moveToCompleted(null, this.#token, false);
  }

  /** Records a failed attempt and requeues the entry. */
  async retry(reason: string): Promise<void> {
    await this.#job.moveToFailed(new Error(reason), this.#token, false);
  }

  /** Requeues the entry without counting an attempt. */
  async requeue(): Promise<void> {
    await this.#job.moveToWait(this.#token);
  }

  /** Replaces the entry's data. */
  async update(content: T): Promise<void> {
    await this.#job.updateData(content);
  }

  /** Parks a movie until its segments are done. Returns false if they are already. */
  waitForSegments(): Promise<boolean> {
    return this.#job.moveToWaitingChildren(this.#token);
  }
}
