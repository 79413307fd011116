import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EncoderFailure, type FromWorker, type JobFailure, LeaseLostError, type SlotTask, type WorkerJob } from '../../jobs/index.js';
import type { SharedSegment } from '../bundle-store.js';
import { type FarmContext, maxHostLosses, segmentProgress } from '../context.js';
import type { ClaimedTask } from '../queue/claimed-task.js';
import { failRun } from './fail-run.js';
import { retryWithBackoff } from './retry.js';
import { switchEncoder } from './switch-encoder.js';

/** Delay before the second attempt at a segment whose render process died (ms). */
const retryDelayMs = 500;

/** Renders one segment of a movie. Any host of the segment's group can claim it. */
export class SegmentTask implements SlotTask {
  readonly #task: ClaimedTask;
  readonly #segment: SharedSegment;
  readonly #run: string;
  readonly #context: FarmContext;
  readonly #workDir: string;
  readonly #stagedDir: string;
  #staging: Promise<void> = Promise.resolve();
  #hasEnded = false;
  /** Rendered share of the segment, 0..1. */
  #progress = 0;
  /** `#progress` at the last report. */
  #reportedProgress = 0;
  /** Times in monotonic ms. */
  #reportedAt: number;
  readonly #claimedAt: number;
  #stagedAt = 0;
  #renderedAt = 0;

  constructor(task: ClaimedTask, context: FarmContext) {
    this.#task = task;
    this.#context = context;
    const { jobId, run, plan } = task.row;
    this.#segment = JSON.parse(plan ?? '') as SharedSegment;
    this.#run = run ?? '';
    this.#workDir = join(context.workDir, `${jobId}-${randomUUID()}`);
    this.#stagedDir = join(context.workDir, `${jobId}-${randomUUID()}`);
    this.#claimedAt = context.clock.monotonic();
    this.#reportedAt = this.#claimedAt;
  }

  get job(): { jobId: string; accountId: string } {
    return this.#task.row;
  }

  get leaseOwner(): string {
    return this.#task.key.claim;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  async prepareJob(): Promise<WorkerJob | undefined> {
    const { queue } = this.#context;
    try {
      return await this.#prepare();
    } catch (error) {
      queue.pause();
      throw error;
    }
  }

  async #prepare(): Promise<WorkerJob | undefined> {
    const { jobId, accountId, failures, hostLosses } = this.#task.row;
    const { bundles } = this.#context;
    const [segment, run] = [this.#segment, this.#run];
    // Inputs are staged while the object store is checked for packets. A run that has ended has no tasks.
    const staging = bundles.stageSegment(jobId, segment, this.#stagedDir);
    this.#staging = staging.catch(() => {});
    const hasPackets = await bundles.hasPackets(segment);
    if (hostLosses >= maxHostLosses) {
      const message = `The hosts that rendered a part of this movie were lost ${maxHostLosses} times. Nothing was charged.`;
      await failRun(this.#context, { jobId, run }, { code: 'RENDER_FAILED', message });
      await this.discard();
      return undefined;
    }
    // A lost host had already uploaded the packets.
    if (hasPackets) return this.#finish();
    this.#context.log.info({ job_id: jobId, part: segment.index }, 'a part of a movie starts');
    await staging;
    this.#stagedAt = this.#context.clock.monotonic();
    const task = { kind: 'part', stagedDir: this.#stagedDir } as const;
    const outputPath = join(this.#workDir, 'movie.mp4');
    return { jobId, accountId, attempt: failures + 1, script: null, sandbox: false, workDir: this.#workDir, outputPath, task };
  }

  async updateProgress(message: Extract<FromWorker, { type: 'progress' | 'alive' }>): Promise<void> {
    if (this.#task.isLost) throw new LeaseLostError(this.job.jobId);
    if (message.type === 'progress') this.#progress = Math.max(this.#progress, Math.min(1, message.progress));
    const now = this.#context.clock.monotonic();
    // Reports are rare, because the database serializes the writes of all hosts and each finished segment is reported anyway.
    if (now - this.#reportedAt < this.#context.timing.renewMs) return;
    this.#reportedAt = now;
    // The render continues while the database is unreachable: the claim decides who owns it.
    await this.#report().catch((error: unknown) => {
      if (error instanceof LeaseLostError) throw error;
    });
  }

  /** Always true: all purchases are made while the movie is planned. */
  async reserve(): Promise<boolean> {
    return true;
  }

  async recordPurchase(): Promise<void> {}

  /** Always true: the price is settled while the movie is planned. */
  async settle(): Promise<boolean> {
    return true;
  }

  async complete({ sizeBytes, warnings }: Extract<FromWorker, { type: 'completed' }>): Promise<void> {
    this.#renderedAt = this.#context.clock.monotonic();
    try {
      await this.#upload(sizeBytes, warnings);
    } catch (error) {
      if (this.#task.isLost || this.#hasEnded) throw error;
      this.#context.log.warn({ err: error, job_id: this.job.jobId }, 'failed to upload a segment; requeueing');
      this.#context.queue.pause();
      await this.release();
    }
  }

  async fail(failure: JobFailure, encoder?: EncoderFailure): Promise<void> {
    const { jobId } = this.job;
    const isRestarted = encoder !== undefined && (await switchEncoder(this.#context, { jobId, run: this.#run }, encoder));
    if (!isRestarted) await failRun(this.#context, { jobId, run: this.#run }, failure);
    await this.discard();
  }

  async interrupt(reason = 'the render process stopped unexpectedly'): Promise<void> {
    if (this.#task.isLost) return this.discard();
    if (this.#task.row.failures === 0) return this.#requeue({ isFailure: true, delayMs: retryDelayMs });
    const message = `${reason.charAt(0).toUpperCase()}${reason.slice(1)} in each of 2 attempts. Nothing was charged.`;
    await failRun(this.#context, { jobId: this.job.jobId, run: this.#run }, { code: 'RENDER_FAILED', message });
    await this.discard();
  }

  async requeue(): Promise<void> {
    await this.release();
  }

  async release(): Promise<void> {
    if (this.#task.isLost) return this.discard();
    await this.#requeue();
  }

  /** Requeues the task, so that any host can claim it. `isFailure`: the attempt counts. */
  async #requeue(options?: { isFailure: boolean; delayMs: number }): Promise<void> {
    const { queue } = this.#context;
    await queue.store.requeue(this.#task.key, options);
    await this.discard();
    if (options === undefined) queue.wake(1);
    else setTimeout(() => queue.wake(1), options.delayMs).unref();
  }

  /** Does nothing: retries end when the claim is lost. */
  stopRetrying(): void {}

  async discard(): Promise<void> {
    this.#task.stopRenewing();
    await this.#cleanUp();
  }

  async #upload(sizeBytes: number, warnings: readonly string[]): Promise<void> {
    const [segment, { jobId }] = [this.#segment, this.job];
    await this.#retryWhileOwned(() => this.#context.bundles.uploadPackets(segment, join(this.#workDir, 'packets.nut'), warnings));
    this.#context.queue.endPause();
    this.#context.onObservation?.({ kind: 'segment-cache', part: segment.kind, result: 'miss', bytes: sizeBytes });
    await this.#finish();
    const uploadMs = this.#context.clock.monotonic() - this.#renderedAt;
    const seconds = { staged: (this.#stagedAt - this.#claimedAt) / 1000, rendered: (this.#renderedAt - this.#stagedAt) / 1000, handed_over: uploadMs / 1000 };
    const durationsMs = Object.fromEntries(Object.entries(seconds).map(([name, duration]) => [`${name}_ms`, Math.round(duration * 1000)]));
    this.#context.onObservation?.({ kind: 'movie-part', seconds });
    this.#context.log.info({ job_id: jobId, part: segment.index, ...durationsMs }, 'a part of a movie is done');
  }

  /** Ends the task. The packets stay stored even if another host has claimed it or the run has ended. */
  async #finish(): Promise<undefined> {
    const { queue, clock, leaseMs, log } = this.#context;
    const leaseExpiresAt = new Date(clock.now() + leaseMs).toISOString();
    const end = { ...this.#task.key, run: this.#run, progress: this.#computeProgressIncrease(1), stage: this.#segment.stage, leaseExpiresAt };
    const ended = await this.#retryWhileOwned(() => queue.store.completeSegment(end));
    // The run has ended as well, unless another host has claimed the segment: nothing else would remove its task.
    if (ended === undefined) await queue.store.remove(this.#task.key).catch(() => {});
    await this.discard();
    if (ended === undefined) log.warn({ job_id: this.job.jobId, part: this.#segment.index }, 'a segment was ended by another host');
    else this.#publish(ended.progress);
    return undefined;
  }

  /** Adds the progress since the last report to the movie's progress. Throws LeaseLostError. */
  async #report(): Promise<void> {
    const { jobId } = this.job;
    const progress = await this.#context.jobs.addProgress(jobId, this.#run, this.#computeProgressIncrease(this.#progress), this.#segment.stage);
    if (progress === undefined) throw new LeaseLostError(jobId);
    this.#reportedProgress = this.#progress;
    this.#publish(progress);
  }

  /** Increase of the movie's progress since the last report if `done` (0..1) of the segment is rendered. */
  #computeProgressIncrease(done: number): number {
    return (done - this.#reportedProgress) * this.#segment.share * (segmentProgress.end - segmentProgress.from);
  }

  #publish(progress: number): void {
    const { events, clock } = this.#context;
    events.publish({ type: 'progress', jobId: this.job.jobId, progress, stage: this.#segment.stage, timestamp: new Date(clock.now()).toISOString() });
  }

  /** Retries while this host owns the task. */
  #retryWhileOwned<T>(work: () => Promise<T>): Promise<T> {
    return retryWithBackoff(work, (error) => this.#task.isLost || error instanceof LeaseLostError);
  }

  async #cleanUp(): Promise<void> {
    this.#hasEnded = true;
    await this.#staging;
    for (const folder of [this.#workDir, this.#stagedDir]) await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}
