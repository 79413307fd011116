import type { Job } from 'bullmq';

/** BullMQ's codes for an entry or a lock that does not exist, as after Redis lost its data, and for the lock of another host. */
const goneCodes: readonly unknown[] = [-1, -2, -6];

/** Resolves to undefined if this host does not own the entry any more. It has nothing left to do then: the reconciler queues lost entries anew. */
function whileOwned<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: Error & { code?: unknown }) => {
    if (goneCodes.includes(error.code)) return undefined;
    throw error;
  });
}

/** A claimed queue entry: no other host gets it while its lock is renewed. Changes of an entry that is gone do nothing. */
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
    await whileOwned(this.#job.moveToCompleted(null, this.#token, false));
  }

  /** Records a failed attempt and requeues the entry. */
  async retry(reason: string): Promise<void> {
    await whileOwned(this.#job.moveToFailed(new Error(reason), this.#token, false));
  }

  /** Requeues the entry without counting an attempt. */
  async requeue(): Promise<void> {
    await whileOwned(this.#job.moveToWait(this.#token));
  }

  /** Replaces the entry's data. */
  async update(content: T): Promise<void> {
    await whileOwned(this.#job.updateData(content));
  }

  /** Parks a movie until its segments are done. Returns false if they are already; true for an entry that is gone, which is not to be requeued. */
  async waitForSegments(): Promise<boolean> {
    return (await whileOwned(this.#job.moveToWaitingChildren(this.#token))) ?? true;
  }
}
