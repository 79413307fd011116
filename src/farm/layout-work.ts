import type { WorkerJob } from '../jobs/index.js';
import { MovieWork } from './movie-work.js';
import { spreadParts } from './spread-parts.js';

/** Everything before the first frame of a movie; then its parts are given out. */
export class LayoutWork extends MovieWork {
  protected async prepare(): Promise<WorkerJob> {
    return { ...this.attempt.describe(), task: { kind: 'layout' } };
  }

  async complete(): Promise<void> {
    const { jobId, accountId } = this.job;
    await this.letGo(async () => {
      const layout = await this.context.bundles.keep({ jobId, accountId, run: this.run }, this.attempt.describe().workDir);
      await spreadParts(this.context, this.held, layout);
    });
  }

  protected async putBack(): Promise<void> {
    await this.attempt.giveBack();
  }
}
