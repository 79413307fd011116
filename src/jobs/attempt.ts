import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../accounts/index.js';
import { DatabaseUnavailableError } from '../errors/index.js';
import { listOutputs, type NamedOutput, outputFileNames, primaryOutput } from '../script/index.js';
import type { FinishedOutput, Job, JobFailure } from './job.js';
import type { JobEvents } from './job-events.js';
import type { Purchase } from './purchase.js';
import { retryWhileUnavailable } from './retry-while-unavailable.js';
import type { SlotTask } from './slot-task.js';
import { type JobLeaseStore, type LeasedJob, LeaseLostError } from './stores/job-lease-store.js';
import type { FromWorker, WorkerJob } from './worker-protocol.js';

/** Storage operations that attempts use. */
export interface OutputStore {
  /** Local path under which a render writes the output. */
  pathFor(name: string): string;
  /** Moves the finished file from that path into storage. Returns its size in bytes; undefined if there is none. */
  commit(name: string): Promise<number | undefined>;
  remove(name: string): Promise<void>;
}

/** Dependencies and timing of an attempt. */
export interface AttemptOptions {
  leases: JobLeaseStore;
  events: JobEvents;
  outputs: OutputStore;
  workDir: string;
  clock: Clock;
  timing: AttemptTiming;
  /** Called when the attempt ends without updating the database: its lease is no longer renewed. */
  onDiscarded: () => void;
  /** Progress to start from if another attempt object, possibly on another host, has rendered an earlier step of the job. */
  resumeFrom?: { progress: number; stage: string };
}

/** Intervals of an attempt. */
export interface AttemptTiming {
  /** Minimum interval between two progress events of one stage. */
  publishMs: number;
  /** Minimum interval between two progress writes. */
  persistMs: number;
  /** Maximum interval between two lease renewals. */
  renewMs: number;
}

/**
 * One attempt at one job: owns its lease, its progress and its temporary folder. It ends exactly once. While the database is
 * unavailable the render continues, and the outcome is written when the database is back.
 */
export class Attempt implements SlotTask {
  readonly job: LeasedJob;
  readonly leaseOwner: string;
  /** Name that the primary output has as an MP4 file; names of other files follow from it. */
  readonly #outputName: string;
  /** Name of the finished primary output. */
  #finishedName: string;
  readonly #workDir: string;
  readonly #options: AttemptOptions;
  #progress = 0;
  #stage = 'preparing';
  #publishedAt = Number.NEGATIVE_INFINITY;
  #persistedAt: number;
  #persisted = { progress: 0, stage: 'preparing' };
  #hasEnded = false;
  /** Whether the database may list the output as that of a completed job. */
  #isCompletionSent = false;
  readonly #stopping = new AbortController();

  constructor(job: LeasedJob, owner: string, outputName: string, options: AttemptOptions) {
    this.job = job;
    this.leaseOwner = owner;
    this.#outputName = this.#finishedName = outputName;
    this.#options = options;
    this.#workDir = join(options.workDir, `${job.jobId}-${randomUUID()}`);
    this.#persistedAt = options.clock.monotonic();
    if (options.resumeFrom !== undefined) {
      this.#progress = options.resumeFrom.progress;
      this.#stage = options.resumeFrom.stage;
      this.#persisted = { ...options.resumeFrom };
    }
    this.#publish();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  prepareJob(): WorkerJob {
    return {
      jobId: this.job.jobId,
      accountId: this.job.accountId,
      attempt: this.job.attempt,
      script: this.job.script,
      sandbox: this.job.mode === 'test',
      workDir: this.#workDir,
      outputPath: this.#options.outputs.pathFor(this.#outputName),
    };
  }

  /** Records progress, which never decreases within an attempt. Throws LeaseLostError. */
  async updateProgress(message: Extract<FromWorker, { type: 'progress' | 'alive' }>): Promise<void> {
    const { clock, timing } = this.#options;
    const now = clock.monotonic();
    const stage = message.type === 'progress' ? message.stage : this.#stage;
    const stageChanged = stage !== this.#stage;
    if (message.type === 'progress' && message.progress > this.#progress) this.#progress = Math.min(message.progress, 1);
    this.#stage = stage;
    // A heartbeat without progress still publishes once a second, so that clients see that the job is alive.
    if (stageChanged || now - this.#publishedAt >= (message.type === 'alive' ? 1000 : timing.publishMs)) this.#publish();
    const hasChanged = this.#progress !== this.#persisted.progress || stage !== this.#persisted.stage;
    if (now - this.#persistedAt < (hasChanged ? timing.persistMs : timing.renewMs)) return;
    this.#persistedAt = now;
    this.#persisted = { progress: this.#progress, stage };
    // A database outage does not end the render: the lease is renewed with the next message.
    const isRenewed = await this.#options.leases.renew(this.job.jobId, this.leaseOwner, this.#progress, stage).catch((error: unknown) => {
      if (error instanceof DatabaseUnavailableError) return undefined;
      throw error;
    });
    if (isRenewed === false) throw new LeaseLostError(this.job.jobId);
  }

  reserve(credits: number, purchases: readonly Purchase[]): Promise<boolean> {
    for (const { microcredits } of purchases) checkCredits(microcredits);
    return this.#charge(credits, () => this.#options.leases.reserve(this.job.jobId, this.leaseOwner, credits, purchases));
  }

  async recordPurchase(purchase: Purchase): Promise<void> {
    checkCredits(purchase.microcredits);
    await retryWhileUnavailable(() => this.#options.leases.recordPurchase(this.job.jobId, purchase), this.#stopping.signal);
  }

  settle(credits: number): Promise<boolean> {
    return this.#charge(credits, () => this.#options.leases.settle(this.job.jobId, this.leaseOwner, credits));
  }

  /** Returns whether the job may continue; if not, it has failed. */
  async #charge(credits: number, charge: () => Promise<Job | undefined>): Promise<boolean> {
    checkCredits(credits);
    const failed = await retryWhileUnavailable(charge, this.#stopping.signal);
    if (failed === undefined) return true;
    await this.#end(failed, true);
    return false;
  }

  /** Stores the outputs and completes the job; fails it if one is missing. */
  async complete(message: Extract<FromWorker, { type: 'completed' }>): Promise<void> {
    const { leases } = this.#options;
    const stored = await this.#whileLeased(this.#store(message));
    if (stored === undefined) {
      await this.fail({ code: 'INTERNAL_ERROR', message: 'The render reported an output file that does not exist. Nothing was charged.' });
      return;
    }
    const { durationSeconds, warnings, encoder } = message;
    this.#isCompletionSent = true;
    const result = { durationSeconds, warnings, outputName: this.#finishedName, ...stored };
    const job = await this.#write(() => leases.complete(this.job.jobId, this.leaseOwner, result));
    await this.#end(job, false, encoder);
  }

  /** Moves all files into storage; undefined if one does not exist. */
  async #store({ outputs = [] }: Extract<FromWorker, { type: 'completed' }>): Promise<{ sizeBytes: number; outputs: FinishedOutput[] } | undefined> {
    // The script may compute its outputs, so they are those that the render process reports.
    const named = outputs as ReadonlyArray<(typeof outputs)[number] & NamedOutput>;
    const names = outputFileNames(this.#outputName, named);
    if (named.length > 0) this.#finishedName = names.get(primaryOutput(named).name) ?? this.#outputName;
    const sizes = new Map<string, number>();
    for (const file of named.length === 0 ? [this.#outputName] : names.values()) {
      const sizeBytes = await this.#options.outputs.commit(file);
      if (sizeBytes === undefined || sizeBytes === 0) return undefined;
      sizes.set(file, sizeBytes);
    }
    const finished = named.map((output) => {
      const file = names.get(output.name) ?? this.#outputName;
      return { ...output, file, sizeBytes: sizes.get(file) ?? 0 };
    });
    return { sizeBytes: [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0), outputs: finished };
  }

  /** Names of the files that the attempt may have written; computed names are not known. */
  get #files(): Set<string> {
    return new Set([this.#outputName, this.#finishedName, ...uniqueFileNames(this.#outputName, listOutputs(this.job.script))]);
  }

  /** Fails the job and refunds all but its purchases. */
  async fail(failure: JobFailure): Promise<void> {
    await this.#endWithoutOutput(() => this.#options.leases.fail(this.job.jobId, this.leaseOwner, failure));
  }

  /** Ends the attempt because its render process or engine died. */
  async interrupt(reason?: string): Promise<void> {
    await this.#endWithoutOutput(async () => (await this.#options.leases.interrupt(this.job.jobId, this.leaseOwner, reason)).job);
  }

  /** Requeues the job because its render process died before it started; the attempt does not count. */
  async requeue(): Promise<void> {
    await this.#endWithoutOutput(async () => (await this.#options.leases.requeue(this.job.jobId, this.leaseOwner)).job);
  }

  /** Requeues the job for a reason outside the job, such as a shutdown of the service; the attempt does not count. */
  async release(): Promise<void> {
    await this.#endWithoutOutput(() => this.#options.leases.release(this.job.jobId, this.leaseOwner));
  }

  /** Makes writes that wait for the database reject, because the service stops. */
  stopRetrying(): void {
    this.#stopping.abort();
  }

  /** Ends the attempt without updating the database, because the database is unavailable or the lease is lost. */
  async discard(): Promise<void> {
    this.#hasEnded = true;
    this.#options.onDiscarded();
    await this.#cleanUp(true);
  }

  /** Ends the attempt and removes its files. The files are removed first: if they fill the disk, the outcome cannot be written. */
  async #endWithoutOutput(write: () => Promise<Job>): Promise<void> {
    await this.#cleanUp(true);
    await this.#end(await this.#write(write), true);
  }

  /** Writes the outcome. If a commit succeeds but its response is lost, the retry finds no lease; the job is then returned as stored. */
  #write(change: () => Promise<Job>): Promise<Job> {
    return retryWhileUnavailable(async (isRetry) => {
      try {
        return await change();
      } catch (error) {
        if (!isRetry || !(error instanceof LeaseLostError)) throw error;
        const job = await this.#options.leases.read(this.job.jobId);
        if (job.status === 'processing') throw error;
        return job;
      }
    }, this.#stopping.signal);
  }

  async #end(job: Job, removeOutput: boolean, encoder?: string): Promise<void> {
    this.#hasEnded = true;
    publishState(this.#options.events, job, this.#options.clock, encoder);
    await this.#cleanUp(removeOutput);
  }

  async #cleanUp(removeOutput: boolean): Promise<void> {
    // Best effort: retention removes what is left here.
    if (removeOutput && !(await this.#mayOwnOutput())) {
      // Storage refuses names with expressions, which are those of no file.
      for (const file of this.#files) await this.#options.outputs.remove(file).catch(() => {});
    }
    await rm(this.#workDir, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }

  /** Whether the job may be completed with this attempt's output, which then must stay. */
  async #mayOwnOutput(): Promise<boolean> {
    if (!this.#isCompletionSent) return false;
    try {
      return (await this.#options.leases.read(this.job.jobId)).outputName === this.#finishedName;
    } catch {
      return true;
    }
  }

  /** Renews the lease during an upload, which may take longer than the lease lasts. */
  async #whileLeased<T>(work: Promise<T>): Promise<T> {
    const { leases, timing } = this.#options;
    const renew = (): void => void leases.renew(this.job.jobId, this.leaseOwner, this.#progress, this.#stage).catch(() => {});
    const renewing = setInterval(renew, timing.renewMs);
    try {
      return await work;
    } finally {
      clearInterval(renewing);
    }
  }

  #publish(): void {
    this.#publishedAt = this.#options.clock.monotonic();
    const timestamp = new Date(this.#options.clock.now()).toISOString();
    this.#options.events.publish({ type: 'progress', jobId: this.job.jobId, progress: this.#progress, stage: this.#stage, timestamp });
  }
}

/** File names of outputs; empty where a script has two of the same name, which renders nothing. */
function uniqueFileNames(primary: string, outputs: readonly NamedOutput[]): string[] {
  const isUnique = new Set(outputs.map(({ name }) => name)).size === outputs.length;
  return isUnique ? [...outputFileNames(primary, outputs).values()] : [];
}

function checkCredits(credits: number): void {
  if (!Number.isSafeInteger(credits) || credits < 0) throw new RangeError(`Credits must be a whole number of at least 0, not ${credits}.`);
}

/** Publishes the current state of a job as an event. */
export function publishState(events: JobEvents, job: Job, clock: Clock, encoder?: string): void {
  if (job.status === 'completed') events.publish({ type: 'complete', jobId: job.id, job, ...(encoder !== undefined && { encoder }) });
  else if (job.status === 'failed') events.publish({ type: 'error', jobId: job.id, job });
  else
    events.publish({ type: 'progress', jobId: job.id, progress: job.progress, stage: job.stage ?? job.status, timestamp: new Date(clock.now()).toISOString() });
}
