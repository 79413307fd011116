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
import type { ClaimedTask } from '../queue/claimed-task.js';

/** A claimed movie. */
export interface MovieClaim {
  task: ClaimedTask;
  claimed: ClaimedJob;
  /** Lease owner id. */
  owner: string;
  run: string;
  /** Progress to start from if an earlier step was done by another task. */
  resumeFrom?: { progress: number; stage: string };
}

/** A step of a whole movie; this host has claimed its task and its job. */
export abstract class MovieTask implements SlotTask {
  protected readonly context: FarmContext;
  protected readonly task: ClaimedTask;
  protected readonly run: string;
  protected readonly attempt: Attempt;

  constructor({ task, claimed, owner, run, resumeFrom }: MovieClaim, context: FarmContext) {
    this.context = context;
    this.task = task;
    this.run = run;
    const { outputName, ...job } = claimed;
    this.attempt = new Attempt(job, owner, outputName, { ...context, onDiscarded: () => {}, ...(resumeFrom !== undefined && { resumeFrom }) });
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

  async prepareJob(): Promise<WorkerJob | undefined> {
    try {
      return await this.whileLeased(() => this.prepare());
    } catch (error) {
      this.context.queue.pause();
      throw error;
    }
  }

  async updateProgress(message: Extract<FromWorker, { type: 'progress' | 'alive' }>): Promise<void> {
    this.#checkClaim();
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
    this.#checkClaim();
    const goesOn = await charge();
    if (!goesOn) await this.removeObjects();
    return goesOn;
  }

  async fail(failure: JobFailure, _encoder?: EncoderFailure): Promise<void> {
    await this.attempt.fail(failure);
    await this.removeObjects();
  }

  async interrupt(reason?: string): Promise<void> {
    await this.#endInterrupted(() => this.attempt.interrupt(reason));
  }

  async requeue(): Promise<void> {
    await this.#endInterrupted(() => this.attempt.requeue());
  }

  async #endInterrupted(end: () => Promise<void>): Promise<void> {
    if (this.task.isLost) return this.discard();
    await end();
    this.task.stopRenewing();
    // The attempt either queued or failed the job, and its task with it.
    if ((await this.context.jobs.find(this.job.jobId)) === undefined) return this.removeObjects();
    this.context.queue.wake(1);
  }

  async release(): Promise<void> {
    await this.putBack();
    this.task.stopRenewing();
    this.context.queue.wake(1);
  }

  stopRetrying(): void {
    this.attempt.stopRetrying();
  }

  /** Another host gets the task when its lease expires. */
  async discard(): Promise<void> {
    this.task.stopRenewing();
    await this.attempt.discard();
  }

  /** The movie has ended: removes its objects, then its task. */
  protected async removeObjects(): Promise<void> {
    const { bundles, queue, log } = this.context;
    const { jobId } = this.job;
    this.task.stopRenewing();
    try {
      await bundles.remove(jobId);
      await queue.store.removeEnded(jobId);
    } catch (error) {
      log.warn({ err: error, job_id: jobId }, 'failed to delete the objects of a movie; maintenance deletes them later');
    }
  }

  /** Whether another host may have the movie. */
  protected get isLost(): boolean {
    return this.task.isLost;
  }

  /** Lets `next` queue what follows, then ends this task without changing the job. */
  protected async handOn(next: () => Promise<void>): Promise<void> {
    await this.whileLeased(next);
    this.task.stopRenewing();
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

  #checkClaim(): void {
    if (this.task.isLost) throw new LeaseLostError(this.job.jobId);
  }
}
