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
  /** Progress to start from if another task has completed an earlier step. */
  resumeFrom?: { progress: number; stage: string };
}

/** A step of a movie that concerns all of it, such as planning. This host has claimed the movie's task and leased its job. */
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
  /** Stages the inputs and returns the job for the render process; undefined if the step has ended. */
  protected abstract prepare(): Promise<WorkerJob | undefined>;
  /** Requeues the step, so that any host can claim it. */
  protected abstract requeueStep(): Promise<void>;

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
    const isContinued = await charge();
    if (!isContinued) await this.removeObjects();
    return isContinued;
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
    // The job is now queued or failed; its task was updated in the same transaction.
    if ((await this.context.jobs.find(this.job.jobId)) === undefined) return this.removeObjects();
    this.context.queue.wake(1);
  }

  async release(): Promise<void> {
    await this.requeueStep();
    this.task.stopRenewing();
    this.context.queue.wake(1);
  }

  stopRetrying(): void {
    this.attempt.stopRetrying();
  }

  /** Ends the task without updating any state; another host can claim it when its lease expires. */
  async discard(): Promise<void> {
    this.task.stopRenewing();
    await this.attempt.discard();
  }

  /** Removes the objects and then the task of a movie that has ended. */
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

  /** Whether another host may have claimed the movie. */
  protected get isLost(): boolean {
    return this.task.isLost;
  }

  /** Calls `queueNext`, which queues the tasks of the next step, then ends this task without changing the job. */
  protected async finishStep(queueNext: () => Promise<void>): Promise<void> {
    await this.whileLeased(queueNext);
    this.task.stopRenewing();
    await this.attempt.discard();
  }

  /** Renews the job's lease until `work` settles. */
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
