import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EncoderFailure, type FromWorker, type JobFailure, LeaseLostError, type SlotTask, type WorkerJob } from '../../jobs/index.js';
import { type FarmContext, maxHostLosses, segmentProgress } from '../context.js';
import type { LockedEntry } from '../queue/locked-entry.js';
import type { SegmentEntry } from '../queue/render-queue.js';
import { failRun } from './fail-run.js';
import { LockKeeper } from './lock-keeper.js';
import { retryWithBackoff } from './retry.js';
import { switchEncoder } from './switch-encoder.js';

/** Renders one segment of a movie, on any host of its group. */
export class SegmentTask implements SlotTask {
  readonly #entry: LockedEntry<SegmentEntry>;
  readonly #context: FarmContext;
  readonly #lock: LockKeeper;
  readonly #workDir: string;
  readonly #stagedDir: string;
  #staging: Promise<void> = Promise.resolve();
  #ended = false;
  #done = 0;
  #reported = 0;
  #reportedAt: number;
  readonly #takenAt: number;
  #stagedAt = 0;
  #renderedAt = 0;

  constructor(entry: LockedEntry<SegmentEntry>, context: FarmContext) {
    this.#entry = entry;
    this.#context = context;
    this.#lock = new LockKeeper(entry, context.queue.renewMs);
    const { jobId } = entry.data;
    this.#workDir = join(context.workDir, `${jobId}-${randomUUID()}`);
    this.#stagedDir = join(context.workDir, `${jobId}-${randomUUID()}`);
    this.#takenAt = context.clock.monotonic();
    this.#reportedAt = this.#takenAt;
  }

  get job(): { jobId: string; accountId: string } {
    return this.#entry.data;
  }

  get leaseOwner(): string {
    return this.#entry.id;
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  async prepareJob(): Promise<WorkerJob | undefined> {
    const { jobId, accountId, run, part } = this.#entry.data;
    const { jobs: spread, bundles } = this.#context;
    // Stage optimistically while checking that the segment is still needed.
    const staging = bundles.stageSegment(jobId, part, this.#stagedDir);
    this.#staging = staging.catch(() => {});
    const [owner, isThere] = await Promise.all([spread.findLeaseOwner(jobId, run), bundles.hasPackets(part)]);
    if (owner === undefined) return this.#end();
    if (this.#entry.hostLosses >= maxHostLosses) {
      const message = `The hosts that rendered a part of this movie were lost ${maxHostLosses} times. Nothing was charged.`;
      await failRun(this.#context, { jobId, run }, { code: 'RENDER_FAILED', message });
      return this.#end();
    }
    // A lost host had already uploaded the packets.
    if (isThere) return this.#finish();
    this.#context.log.info({ job_id: jobId, part: part.index }, 'a part of a movie starts');
    await staging;
    this.#stagedAt = this.#context.clock.monotonic();
    const task = { kind: 'part', stagedDir: this.#stagedDir } as const;
    const outputPath = join(this.#workDir, 'movie.mp4');
    return { jobId, accountId, attempt: this.#entry.failures + 1, script: null, sandbox: false, workDir: this.#workDir, outputPath, task };
  }

  async updateProgress(message: Extract<FromWorker, { type: 'progress' | 'alive' }>): Promise<void> {
    if (this.#lock.lost) throw new LeaseLostError(this.job.jobId);
    if (message.type === 'progress') this.#done = Math.max(this.#done, Math.min(1, message.progress));
    const now = this.#context.clock.monotonic();
    // Rarely, because writes of all hosts are serialized at the database, and each finished segment reports anyway.
    if (now - this.#reportedAt < this.#context.timing.renewMs) return;
    this.#reportedAt = now;
    // The render continues while the database is unreachable: the queue entry decides who owns it.
    await this.#report().catch((error: unknown) => {
      if (error instanceof LeaseLostError) throw error;
    });
  }

  /** Everything is bought when the movie is planned. */
  async reserve(): Promise<boolean> {
    return true;
  }

  async recordPurchase(): Promise<void> {}

  /** A segment has no price of its own. */
  async settle(): Promise<boolean> {
    return true;
  }

  async complete({ sizeBytes }: Extract<FromWorker, { type: 'completed' }>): Promise<void> {
    this.#renderedAt = this.#context.clock.monotonic();
    try {
      await this.#upload(sizeBytes);
    } catch (error) {
      if (this.#lock.lost || this.#ended) throw error;
      this.#context.log.warn({ err: error, job_id: this.job.jobId }, 'failed to upload a segment; requeueing');
      await this.release();
    }
  }

  async fail(failure: JobFailure, encoder?: EncoderFailure): Promise<void> {
    const { jobId, run } = this.#entry.data;
    const goesOn = encoder !== undefined && (await switchEncoder(this.#context, { jobId, run }, encoder));
    if (!goesOn) await failRun(this.#context, { jobId, run }, failure);
    await this.#end();
  }

  async interrupt(reason = 'the render process stopped unexpectedly'): Promise<void> {
    if (this.#lock.lost) return this.discard();
    const { jobId, run } = this.#entry.data;
    if (this.#entry.failures === 0) {
      this.#lock.stop();
      await this.#entry.retry(reason);
      return this.#cleanUp();
    }
    const message = `${reason.charAt(0).toUpperCase()}${reason.slice(1)} in each of 2 attempts. Nothing was charged.`;
    await failRun(this.#context, { jobId, run }, { code: 'RENDER_FAILED', message });
    await this.#end();
  }

  async requeue(): Promise<void> {
    await this.release();
  }

  async release(): Promise<void> {
    if (this.#lock.lost) return this.discard();
    this.#lock.stop();
    await this.#entry.requeue();
    await this.#cleanUp();
    await this.#context.queue.wake();
  }

  /** Its retries end with the lock on its queue entry. */
  stopRetrying(): void {}

  async discard(): Promise<void> {
    this.#lock.stop();
    await this.#cleanUp();
  }

  async #upload(sizeBytes: number): Promise<void> {
    const { part, jobId } = this.#entry.data;
    const telling = this.#reportEnd();
    telling.catch(() => {});
    await this.#retryWhileOwned(() => this.#context.bundles.uploadPackets(part, join(this.#workDir, 'packets.nut')));
    this.#context.onObservation?.({ kind: 'segment-cache', part: part.kind, result: 'miss', bytes: sizeBytes });
    await telling;
    await this.#end();
    const handed = this.#context.clock.monotonic() - this.#renderedAt;
    const seconds = { staged: (this.#stagedAt - this.#takenAt) / 1000, rendered: (this.#renderedAt - this.#stagedAt) / 1000, handed_over: handed / 1000 };
    const rounded = Object.fromEntries(Object.entries(seconds).map(([name, took]) => [`${name}_ms`, Math.round(took * 1000)]));
    this.#context.onObservation?.({ kind: 'movie-part', seconds });
    this.#context.log.info({ job_id: jobId, part: part.index, ...rounded }, 'a part of a movie is done');
  }

  async #finish(): Promise<undefined> {
    await this.#reportEnd();
    return this.#end();
  }

  async #reportEnd(): Promise<void> {
    this.#done = 1;
    await this.#retryWhileOwned(() => this.#report()).catch((error: unknown) => {
      // The run has ended: the entry is removed all the same.
      if (!(error instanceof LeaseLostError)) throw error;
    });
  }

  async #end(): Promise<undefined> {
    await this.#retryWhileOwned(() => this.#entry.complete());
    this.#lock.stop();
    await this.#cleanUp();
    return undefined;
  }

  /** Adds the progress since the last report to the movie's. */
  async #report(): Promise<void> {
    const { jobId, run, part } = this.#entry.data;
    const { jobs: spread, events, clock } = this.#context;
    const by = (this.#done - this.#reported) * part.share * (segmentProgress.end - segmentProgress.from);
    const progress = await spread.addProgress(jobId, run, by, part.stage);
    if (progress === undefined) throw new LeaseLostError(jobId);
    this.#reported = this.#done;
    events.publish({ type: 'progress', jobId, progress, stage: part.stage, timestamp: new Date(clock.now()).toISOString() });
  }

  /** Retries while this host owns the entry. */
  #retryWhileOwned(work: () => Promise<void>): Promise<void> {
    return retryWithBackoff(work, (error) => this.#lock.lost || error instanceof LeaseLostError);
  }

  async #cleanUp(): Promise<void> {
    this.#ended = true;
    await this.#staging;
    for (const folder of [this.#workDir, this.#stagedDir]) await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}
