import {
  Attempt,
  type ClaimedJob,
  type EncoderFailure,
  type FromWorker,
  type JobFailure,
  LeaseLostError,
  type Purchase,
  type SlotTask,
  type WorkerJob,
} from '../../jobs/index.js';
import type { FarmContext } from '../context.js';
import type { LockedEntry } from '../queue/locked-entry.js';
import type { MovieEntry } from '../queue/render-queue.js';
import { LockKeeper } from './lock-keeper.js';

/** A claimed movie. */
export interface MovieClaim {
  entry: LockedEntry<MovieEntry>;
  claimed: ClaimedJob;
  /** Lease owner id. */
  owner: string;
  run: string;
  begun?: { progress: number; stage: string };
}

/** A step of a whole movie; this host holds its queue entry and its lease. */
export abstract class MovieTask implements SlotTask {
  protected readonly context: FarmContext;
  protected readonly entry: LockedEntry<MovieEntry>;
  protected readonly run: string;
  protected readonly attempt: Attempt;
  readonly #lock: LockKeeper;

  constructor({ entry, claimed, owner, run, begun }: MovieClaim, context: FarmContext) {
    this.context = context;
    this.entry = entry;
    this.run = run;
    const { outputName, ...job } = claimed;
    this.attempt = new Attempt(job, owner, outputName, { ...context, onDiscarded: () => {}, ...(begun !== undefined && { resumeFrom: begun }) });
    this.#lock = new LockKeeper(entry, context.queue.renewMs);
  }

  abstract complete(message: Extract<FromWorker, { type: 'completed' }>): Promise<void>;
  protected abstract prepare(): Promise<WorkerJob | undefined>;
  protected abstract putBack(): Promise<void>;

  get job(): { jobId: string; accountId: string } {
    return this.attempt.job;
  }

  get leaseOwner(): string {
    return this.attempt.leaseOwner;
  }

  get hasEnded(): boolean {
    return this.attempt.hasEnded;
  }

  prepareJob(): Promise<WorkerJob | undefined> {
    return this.whileLeased(() => this.prepare());
  }

  async updateProgress(message: Extract<FromWorker, { type: 'progress' | 'alive' }>): Promise<void> {
    this.#checkLock();
    await this.attempt.updateProgress(message);
  }

  reserve(credits: number, purchases: readonly Purchase[]): Promise<boolean> {
    return this.#charge(() => this.attempt.reserve(credits, purchases));
  }

  async recordPurchase(purchase: Purchase): Promise<void> {
    await this.attempt.recordPurchase(purchase);
  }

  settle(credits: number): Promise<boolean> {
    return this.#charge(() => this.attempt.settle(credits));
  }

  async #charge(charge: () => Promise<boolean>): Promise<boolean> {
    this.#checkLock();
    const goesOn = await charge();
    if (!goesOn) await this.removeEntry();
    return goesOn;
  }

  async fail(failure: JobFailure, _encoder?: EncoderFailure): Promise<void> {
    await this.attempt.fail(failure);
    await this.removeEntry();
  }

  async interrupt(reason?: string): Promise<void> {
    await this.#endInterrupted(() => this.attempt.interrupt(reason));
  }

  async requeue(): Promise<void> {
    await this.#endInterrupted(() => this.attempt.requeue());
  }

  async #endInterrupted(end: () => Promise<void>): Promise<void> {
    if (this.#lock.lost) return this.discard();
    await end();
    // The attempt either requeued or failed the job.
    if ((await this.context.jobs.find(this.job.jobId)) === undefined) return this.removeEntry();
    this.#lock.stop();
    await this.entry.update({ ...this.entry.data, step: 'layout' });
    await this.entry.requeue();
  }

  async release(): Promise<void> {
    this.#lock.stop();
    await this.putBack();
    await this.entry.requeue();
    await this.context.queue.wake();
  }

  stopRetrying(): void {
    this.attempt.stopRetrying();
  }

  /** Another host gets the entry when its lock expires. */
  async discard(): Promise<void> {
    this.#lock.stop();
    await this.attempt.discard();
  }

  /** The movie has ended: removes its objects and its entry. */
  protected async removeEntry(): Promise<void> {
    this.#lock.stop();
    // On failure the reconciler removes them later.
    try {
      await this.context.bundles.remove(this.job.jobId);
      await this.entry.complete();
    } catch (error) {
      this.context.log.warn({ err: error, job_id: this.job.jobId }, 'failed to remove a queue entry; the reconciler removes it later');
    }
  }

  /** Whether another host may own the movie. */
  protected get isLost(): boolean {
    return this.#lock.lost;
  }

  /** Lets `next` pass the entry on, then ends this task without changing the job. */
  protected async handOn(next: () => Promise<void>): Promise<void> {
    await this.whileLeased(next);
    this.#lock.stop();
    await this.attempt.discard();
  }

  protected async whileLeased<T>(work: () => Promise<T>): Promise<T> {
    const { timing } = this.context;
    const { jobId } = this.job;
    const renewing = setInterval(() => void this.context.jobs.renewLeases([jobId]).catch(() => {}), timing.renewMs);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
    }
  }

  #checkLock(): void {
    if (this.#lock.lost) throw new LeaseLostError(this.job.jobId);
  }
}
