import type { WorkerJob } from '../../jobs/index.js';
import { InvalidPlanError } from '../bundle-store.js';
import { MovieTask } from './movie-task.js';
import { queueSegments } from './queue-segments.js';
import { retryWithBackoff } from './retry.js';

/** Everything before the first frame of a movie; then its parts are given out. */
export class PlanTask extends MovieTask {
  protected async prepare(): Promise<WorkerJob> {
    return { ...this.attempt.prepareJob(), task: { kind: 'layout' } };
  }

  async complete(): Promise<void> {
    const { jobId, accountId } = this.job;
    const place = { jobId, accountId, run: this.run };
    try {
      await this.letGo(async () => {
        const { bundles } = this.context;
        const layout = await retryWithBackoff(
          () => bundles.uploadPlan(place, this.attempt.prepareJob().workDir),
          (error) => this.isLost || error instanceof InvalidPlanError,
        );
        await queueSegments(this.context, this.held, layout);
      });
    } catch (error) {
      if (this.isLost || this.hasEnded || error instanceof InvalidPlanError) throw error;
      this.context.log.warn({ err: error, job_id: jobId }, 'a layout could not be handed over and is given back');
      await this.release();
    }
  }

  protected async putBack(): Promise<void> {
    await this.attempt.release();
  }
}
