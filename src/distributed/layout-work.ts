import type { WorkerJob } from '../jobs/index.js';
import { LayoutError } from './bundle.js';
import { MovieWork } from './movie-work.js';
import { spreadParts } from './spread-parts.js';
import { stubbornly } from './stubbornly.js';

/** Everything before the first frame of a movie; then its parts are given out. */
export class LayoutWork extends MovieWork {
  protected async prepare(): Promise<WorkerJob> {
    return { ...this.attempt.describe(), task: { kind: 'layout' } };
  }

  async complete(): Promise<void> {
    const { jobId, accountId } = this.job;
    const place = { jobId, accountId, run: this.run };
    try {
      await this.letGo(async () => {
        const { bundles } = this.context;
        const layout = await stubbornly(
          () => bundles.keep(place, this.attempt.describe().workDir),
          (error) => this.isLost || error instanceof LayoutError,
        );
        await spreadParts(this.context, this.held, layout);
      });
    } catch (error) {
      if (this.isLost || this.ended || error instanceof LayoutError) throw error;
      this.context.log.warn({ err: error, job_id: jobId }, 'a layout could not be handed over and is given back');
      await this.giveBack();
    }
  }

  protected async putBack(): Promise<void> {
    await this.attempt.giveBack();
  }
}
