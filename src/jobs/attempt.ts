import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../accounts/index.js';
import type { Job, JobFailure } from './job.js';
import type { JobEvents } from './job-events.js';
import type { SlotTask } from './slot-task.js';
import { type JobLeaseStore, type LeasedJob, LeaseLostError } from './stores/job-lease-store.js';
import type { FromWorker, WorkerJob } from './worker-protocol.js';

/** Where finished files go. */
export interface OutputStore {
  pathFor(name: string): string;
  /** What lies at that path is finished; its bytes, undefined when nothing lies there. */
  commit(name: string): Promise<number | undefined>;
  remove(name: string): Promise<void>;
}

export interface AttemptOptions {
  leases: JobLeaseStore;
  events: JobEvents;
  outputs: OutputStore;
  workDir: string;
  clock: Clock;
  timing: AttemptTiming;
  /** The lease is not kept up any more. */
  onDiscarded: () => void;
  /** Where an attempt goes on that begins in the middle of its job. */
  resumeFrom?: { progress: number; stage: string };
}

export interface AttemptTiming {
  /** Least time between two progress events of one stage. */
  publishMs: number;
  /** Least time between two writes of progress. */
  persistMs: number;
  /** Most time between two renewals of the lease. */
  renewMs: number;
}

/** One try of one job: keeps its lease, its progress and its temporary folder, and ends exactly once. */
export class Attempt implements SlotTask {
  readonly job: LeasedJob;
  readonly leaseOwner: string;
  readonly #outputName: string;
  readonly #workDir: string;
  readonly #parts: AttemptOptions;
  #progress = 0;
  #stage = 'preparing';
  #publishedAt = Number.NEGATIVE_INFINITY;
  #persistedAt: number;
  #persisted = { progress: 0, stage: 'preparing' };
  #ended = false;
  lastMessageAt: number;

  constructor(job: LeasedJob, owner: string, outputName: string, parts: AttemptOptions) {
    this.job = job;
    this.leaseOwner = owner;
    this.#outputName = outputName;
    this.#parts = parts;
    this.#workDir = join(parts.workDir, `${job.jobId}-${randomUUID()}`);
    this.lastMessageAt = parts.clock.monotonic();
    this.#persistedAt = this.lastMessageAt;
    if (parts.resumeFrom !== undefined) {
      this.#progress = parts.resumeFrom.progress;
      this.#stage = parts.resumeFrom.stage;
      this.#persisted = { ...parts.resumeFrom };
    }
    this.#publish();
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  prepareJob(): WorkerJob {
    return {
      jobId: this.job.jobId,
      accountId: this.job.accountId,
      attempt: this.job.attempt,
      script: this.job.script,
      sandbox: this.job.mode === 'test',
      workDir: this.#workDir,
      outputPath: this.#parts.outputs.pathFor(this.#outputName),
    };
  }

  /** Progress never falls within an attempt, and only `complete` says 1. */
  async updateProgress(message: Extract<FromWorker, { type: 'progress' | 'alive' }>): Promise<void> {
    const { clock, timing } = this.#parts;
    const now = clock.monotonic();
    const stage = message.type === 'progress' ? message.stage : this.#stage;
    const stageChanged = stage !== this.#stage;
    if (message.type === 'progress' && message.progress > this.#progress) this.#progress = Math.min(message.progress, 1);
    this.#stage = stage;
    // A job without news still says where it is once a second, so that watchers see it live.
    if (stageChanged || now - this.#publishedAt >= (message.type === 'alive' ? 1000 : timing.publishMs)) this.#publish();
    const moved = this.#progress !== this.#persisted.progress || stage !== this.#persisted.stage;
    if (now - this.#persistedAt < (moved ? timing.persistMs : timing.renewMs)) return;
    this.#persistedAt = now;
    this.#persisted = { progress: this.#progress, stage };
    const kept = await this.#parts.leases.renew(this.job.jobId, this.leaseOwner, this.#progress, stage);
    if (!kept) throw new LeaseLostError(this.job.jobId);
  }

  /** True: go on rendering. False: the job has failed, stop. */
  async settle(credits: number): Promise<boolean> {
    if (!Number.isSafeInteger(credits) || credits < 0) throw new RangeError(`A render process planned ${credits} credits.`);
    const failed = await this.#parts.leases.settle(this.job.jobId, this.leaseOwner, credits);
    if (failed === undefined) return true;
    await this.#end(failed, true);
    return false;
  }

  async complete(message: Extract<FromWorker, { type: 'completed' }>): Promise<void> {
    const { leases, outputs } = this.#parts;
    const sizeBytes = await this.#whileLeased(outputs.commit(this.#outputName));
    if (sizeBytes === undefined || sizeBytes === 0) {
      await this.fail({ code: 'INTERNAL_ERROR', message: 'The render reported a file that is not there. Nothing was charged.' });
      return;
    }
    const { durationSeconds, warnings, encoder } = message;
    await this.#end(await leases.complete(this.job.jobId, this.leaseOwner, { durationSeconds, warnings, sizeBytes }), false, encoder);
  }

  async fail(failure: JobFailure): Promise<void> {
    await this.#endWithoutOutput(() => this.#parts.leases.fail(this.job.jobId, this.leaseOwner, failure));
  }

  /** The render process died, or its engine did for the reason given. */
  async interrupt(reason?: string): Promise<void> {
    await this.#endWithoutOutput(async () => (await this.#parts.leases.interrupt(this.job.jobId, this.leaseOwner, reason)).job);
  }

  /** The render process died before it began. */
  async requeue(): Promise<void> {
    await this.#endWithoutOutput(async () => (await this.#parts.leases.requeue(this.job.jobId, this.leaseOwner)).job);
  }

  /** We stop the render ourselves; someone takes it up later. */
  async release(): Promise<void> {
    await this.#endWithoutOutput(() => this.#parts.leases.release(this.job.jobId, this.leaseOwner));
  }

  /** Without a word to the database, which cannot be written or says that the lease is someone else's. */
  async discard(): Promise<void> {
    this.#ended = true;
    this.#parts.onDiscarded();
    await this.#cleanUp(true);
  }

  /** Its files go first: on a disk that they have filled the end could not be written down. */
  async #endWithoutOutput(write: () => Promise<Job>): Promise<void> {
    await this.#cleanUp(true);
    await this.#end(await write(), true);
  }

  async #end(job: Job, dropOutput: boolean, encoder?: string): Promise<void> {
    this.#ended = true;
    publishState(this.#parts.events, job, this.#parts.clock, encoder);
    await this.#cleanUp(dropOutput);
  }

  async #cleanUp(dropOutput: boolean): Promise<void> {
    // What cannot be removed now is found by a later look at these folders: the job has ended all the same.
    if (dropOutput) await this.#parts.outputs.remove(this.#outputName).catch(() => {});
    await rm(this.#workDir, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }

  /** Sending a film to where it is kept may take longer than a lease lasts. */
  async #whileLeased<T>(work: Promise<T>): Promise<T> {
    const { leases, timing } = this.#parts;
    const renew = (): void => void leases.renew(this.job.jobId, this.leaseOwner, this.#progress, this.#stage).catch(() => {});
    const renewing = setInterval(renew, timing.renewMs);
    try {
      return await work;
    } finally {
      clearInterval(renewing);
    }
  }

  #publish(): void {
    this.#publishedAt = this.#parts.clock.monotonic();
    const timestamp = new Date(this.#parts.clock.now()).toISOString();
    this.#parts.events.publish({ type: 'progress', jobId: this.job.jobId, progress: this.#progress, stage: this.#stage, timestamp });
  }
}

/** Tells what a job has become. */
export function publishState(events: JobEvents, job: Job, clock: Clock, encoder?: string): void {
  if (job.status === 'completed') events.publish({ type: 'complete', jobId: job.id, job, ...(encoder !== undefined && { encoder }) });
  else if (job.status === 'failed') events.publish({ type: 'error', jobId: job.id, job });
  else
    events.publish({ type: 'progress', jobId: job.id, progress: job.progress, stage: job.stage ?? job.status, timestamp: new Date(clock.now()).toISOString() });
}
