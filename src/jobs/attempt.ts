import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../accounts/index.js';
import type { Job, JobFailure } from './job.js';
import type { JobEvents } from './job-events.js';
import { type JobLeaseStore, type LeasedJob, LeaseLostError } from './job-lease-store.js';
import type { SlotWork } from './slot-work.js';
import type { FromWorker, WorkerJob } from './worker-protocol.js';

/** Where finished files go. */
export interface OutputPlace {
  pathFor(name: string): string;
  /** What lies at that path is finished; its bytes, undefined when nothing lies there. */
  keep(name: string): Promise<number | undefined>;
  remove(name: string): Promise<void>;
}

export interface AttemptParts {
  leases: JobLeaseStore;
  events: JobEvents;
  outputs: OutputPlace;
  workDir: string;
  clock: Clock;
  timing: AttemptTiming;
  /** The lease is not kept up any more. */
  giveUp: () => void;
  /** Where an attempt goes on that begins in the middle of its job. */
  begun?: { progress: number; stage: string };
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
export class Attempt implements SlotWork {
  readonly job: LeasedJob;
  readonly owner: string;
  readonly #outputName: string;
  readonly #workDir: string;
  readonly #parts: AttemptParts;
  #progress = 0;
  #stage = 'preparing';
  #publishedAt = Number.NEGATIVE_INFINITY;
  #persistedAt: number;
  #persisted = { progress: 0, stage: 'preparing' };
  #ended = false;
  heardAt: number;

  constructor(job: LeasedJob, owner: string, outputName: string, parts: AttemptParts) {
    this.job = job;
    this.owner = owner;
    this.#outputName = outputName;
    this.#parts = parts;
    this.#workDir = join(parts.workDir, `${job.jobId}-${randomUUID()}`);
    this.heardAt = parts.clock.monotonic();
    this.#persistedAt = this.heardAt;
    if (parts.begun !== undefined) {
      this.#progress = parts.begun.progress;
      this.#stage = parts.begun.stage;
      this.#persisted = { ...parts.begun };
    }
    this.#publish();
  }

  get ended(): boolean {
    return this.#ended;
  }

  describe(): WorkerJob {
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
  async noteProgress(message: Extract<FromWorker, { type: 'progress' | 'alive' }>): Promise<void> {
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
    const kept = await this.#parts.leases.renew(this.job.jobId, this.owner, this.#progress, stage);
    if (!kept) throw new LeaseLostError(this.job.jobId);
  }

  /** True: go on rendering. False: the job has failed, stop. */
  async settle(credits: number): Promise<boolean> {
    if (!Number.isSafeInteger(credits) || credits < 0) throw new RangeError(`A render process planned ${credits} credits.`);
    const failed = await this.#parts.leases.settle(this.job.jobId, this.owner, credits);
    if (failed === undefined) return true;
    await this.#end(failed, true);
    return false;
  }

  async complete(message: Extract<FromWorker, { type: 'completed' }>): Promise<void> {
    const { leases, outputs } = this.#parts;
    const sizeBytes = await this.#whileLeased(outputs.keep(this.#outputName));
    if (sizeBytes === undefined || sizeBytes === 0) {
      await this.fail({ code: 'INTERNAL_ERROR', message: 'The render reported a file that is not there. Nothing was charged.' });
      return;
    }
    const { durationSeconds, warnings, encoder } = message;
    await this.#end(await leases.complete(this.job.jobId, this.owner, { durationSeconds, warnings, sizeBytes }), false, encoder);
  }

  async fail(failure: JobFailure): Promise<void> {
    await this.#endWithoutOutput(() => this.#parts.leases.fail(this.job.jobId, this.owner, failure));
  }

  /** The render process died, or its engine did for the reason given. */
  async interrupt(reason?: string): Promise<void> {
    await this.#endWithoutOutput(async () => (await this.#parts.leases.interrupt(this.job.jobId, this.owner, reason)).job);
  }

  /** The render process died before it began. */
  async desert(): Promise<void> {
    await this.#endWithoutOutput(async () => (await this.#parts.leases.desert(this.job.jobId, this.owner)).job);
  }

  /** We stop the render ourselves; someone takes it up later. */
  async giveBack(): Promise<void> {
    await this.#endWithoutOutput(() => this.#parts.leases.giveBack(this.job.jobId, this.owner));
  }

  /** Without a word to the database, which cannot be written or says that the lease is someone else's. */
  async abandon(): Promise<void> {
    this.#ended = true;
    this.#parts.giveUp();
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
    const renew = (): void => void leases.renew(this.job.jobId, this.owner, this.#progress, this.#stage).catch(() => {});
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
