import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FromWorker, WorkerJob } from '../jobs/index.js';
import type { SharedLayout } from './bundle.js';
import type { FarmContext } from './context.js';
import { type MovieClaim, MovieWork } from './movie-work.js';
import { spreadParts } from './spread-parts.js';

/** The last step of a movie: its parts become one file. Parts that are not there are given out (again). */
export class StitchWork extends MovieWork {
  readonly #layout: SharedLayout;
  readonly #stagedDir: string;

  constructor(claim: MovieClaim, layout: SharedLayout, context: FarmContext) {
    super(claim, context);
    this.#layout = layout;
    this.#stagedDir = join(context.workDir, `${layout.jobId}-${randomUUID()}`);
  }

  protected async prepare(): Promise<WorkerJob | undefined> {
    if ((await this.context.bundles.missing(this.#layout)).length === 0 && (await this.context.bundles.stageStitch(this.#layout, this.#stagedDir))) {
      return { ...this.attempt.describe(), script: null, task: { kind: 'stitch', stagedDir: this.#stagedDir } };
    }
    await this.letGo(() => spreadParts(this.context, this.held, this.#layout));
    await this.#cleanUp();
    return undefined;
  }

  async complete(message: Extract<FromWorker, { type: 'completed' }>): Promise<void> {
    const { warnings, encoder } = this.#layout;
    await this.attempt.complete({ ...message, warnings, encoder });
    await this.#cleanUp();
    await this.endTicket();
  }

  protected async putBack(): Promise<void> {
    await this.attempt.abandon();
    await this.#cleanUp();
  }

  async #cleanUp(): Promise<void> {
    await rm(this.#stagedDir, { recursive: true, force: true }).catch(() => {});
  }
}
