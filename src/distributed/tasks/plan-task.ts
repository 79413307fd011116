import { type FromWorker, LeaseLostError, type WorkerJob } from '../../jobs/index.js';
import { InvalidPlanError } from '../bundle-store.js';
import { MovieTask } from './movie-task.js';
import { queueSegments } from './queue-segments.js';
import { retryWithBackoff } from './retry.js';

/** Plans a movie up to its first frame, then queues its segments. A movie none of whose outputs has segments is rendered on this host instead. */
export class PlanTask extends MovieTask {
  protected async prepare(): Promise<WorkerJob> {
    return { ...this.attempt.prepareJob(), task: { kind: 'layout' } };
  }

  async complete(message: Extract<FromWorker, { type: 'completed' }>): Promise<void> {
    if (message.outputs === undefined) return this.#queueSegments();
    await this.attempt.complete(message);
    await this.removeObjects();
  }

  async #queueSegments(): Promise<void> {
    const { jobId, accountId } = this.job;
    const key = { jobId, accountId, run: this.run };
    try {
      await this.finishStep(async () => {
        const { bundles } = this.context;
        const plan = await retryWithBackoff(
          () => bundles.uploadPlan(key, this.attempt.prepareJob().workDir),
          (error) => this.isLost || error instanceof InvalidPlanError,
        );
        this.context.queue.endPause();
        await queueSegments(this.context, this.task, plan);
      });
    } catch (error) {
      if (this.isLost || this.hasEnded || error instanceof InvalidPlanError || error instanceof LeaseLostError) throw error;
      this.context.log.warn({ err: error, job_id: jobId }, 'failed to upload a plan; releasing the job');
      this.context.queue.pause();
      await this.release();
    }
  }

  protected async requeueStep(): Promise<void> {
    await this.attempt.release();
  }
}
