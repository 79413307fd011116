import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EncoderFailure, FromWorker, JobFailure, WorkerJob } from '../../jobs/index.js';
import type { SharedPlan } from '../bundle-store.js';
import type { FarmContext } from '../context.js';
import { type MovieClaim, MovieTask } from './movie-task.js';
import { queueSegments } from './queue-segments.js';
import { switchEncoder } from './switch-encoder.js';

/** Stitches the segments of a movie into its files, and makes those of its outputs that have no segments. If segments are missing, it queues them again instead. */
export class StitchTask extends MovieTask {
  readonly #plan: SharedPlan;
  readonly #stagedDir: string;
  #segmentWarnings: readonly string[] = [];

  constructor(claim: MovieClaim, plan: SharedPlan, context: FarmContext) {
    super(claim, context);
    this.#plan = plan;
    this.#stagedDir = join(context.workDir, `${plan.jobId}-${randomUUID()}`);
  }

  protected async prepare(): Promise<WorkerJob | undefined> {
    const { bundles } = this.context;
    if ((await bundles.listMissing(this.#plan)).length === 0 && (await bundles.stageStitch(this.#plan, this.#stagedDir))) {
      this.#segmentWarnings = await bundles.getWarnings(this.#plan);
      return { ...this.attempt.prepareJob(), script: null, task: { kind: 'stitch', stagedDir: this.#stagedDir } };
    }
    await this.finishStep(() => queueSegments(this.context, this.task, this.#plan));
    await this.#cleanUp();
    return undefined;
  }

  async complete(message: Extract<FromWorker, { type: 'completed' }>): Promise<void> {
    const { warnings, encoder } = this.#plan;
    await this.attempt.complete({ ...message, warnings: [...new Set([...warnings, ...this.#segmentWarnings, ...message.warnings])], encoder });
    await this.#cleanUp();
    await this.removeObjects();
  }

  /** Fails the movie. If a hardware encoder's segments cannot be stitched, it renders them again in software instead; the movie is then claimed again. */
  override async fail(failure: JobFailure, encoder?: EncoderFailure): Promise<void> {
    const { jobId } = this.job;
    if (encoder !== undefined && (await switchEncoder(this.context, { jobId, run: this.run }, encoder))) return this.release();
    await super.fail(failure);
    await this.#cleanUp();
  }

  protected async requeueStep(): Promise<void> {
    await this.attempt.discard();
    await this.#cleanUp();
    await this.context.queue.store.requeue(this.task.key);
  }

  async #cleanUp(): Promise<void> {
    await rm(this.#stagedDir, { recursive: true, force: true }).catch(() => {});
  }
}
