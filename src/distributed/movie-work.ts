import { Attempt, type ClaimedJob, type FromWorker, type JobFailure, LeaseLostError, type SlotWork, type WorkerJob } from '../jobs/index.js';
import type { FarmContext } from './context.js';
import type { MovieTicket } from './farm-queue.js';
import type { Held } from './held.js';
import { LockKeeper } from './lock-keeper.js';

export interface MovieClaim {
  held: Held<MovieTicket>;
  claimed: ClaimedJob;
  /** Of the lease. */
  owner: string;
  run: string;
  begun?: { progress: number; stage: string };
}

/** A step of a movie as a whole: its ticket and its lease are in this host's hands. */
export abstract class MovieWork implements SlotWork {
  protected readonly context: FarmContext;
  protected readonly held: Held<MovieTicket>;
  protected readonly run: string;
  protected readonly attempt: Attempt;
  readonly #lock: LockKeeper;
  #preparing = true;

  constructor({ held, claimed, owner, run, begun }: MovieClaim, context: FarmContext) {
    this.context = context;
    this.held = held;
    this.run = run;
    const { outputName, ...job } = claimed;
    this.attempt = new Attempt(job, owner, outputName, { ...context, giveUp: () => {}, ...(begun !== undefined && { begun }) });
    this.#lock = new LockKeeper(held, context.queue.renewMs);
  }

  abstract complete(message: Extract<FromWorker, { type: 'completed' }>): Promise<void>;
  protected abstract prepare(): Promise<WorkerJob | undefined>;
  protected abstract putBack(): Promise<void>;

  get job(): { jobId: string; accountId: string } {
    return this.attempt.job;
  }

  get owner(): string {
    return this.attempt.owner;
  }

  get ended(): boolean {
    return this.attempt.ended;
  }

  get heardAt(): number {
    return this.#preparing ? this.context.clock.monotonic() : this.attempt.heardAt;
  }

  set heardAt(at: number) {
    this.attempt.heardAt = at;
  }

  async describe(): Promise<WorkerJob | undefined> {
    const work = await this.whileLeased(() => this.prepare());
    this.#preparing = false;
    return work;
  }

  async noteProgress(message: Extract<FromWorker, { type: 'progress' | 'alive' }>): Promise<void> {
    this.#checkLock();
    await this.attempt.noteProgress(message);
  }

  async settle(credits: number): Promise<boolean> {
    this.#checkLock();
    const goesOn = await this.attempt.settle(credits);
    if (!goesOn) await this.endTicket();
    return goesOn;
  }

  async fail(failure: JobFailure): Promise<void> {
    await this.attempt.fail(failure);
    await this.endTicket();
  }

  async interrupt(reason?: string): Promise<void> {
    await this.#lose(() => this.attempt.interrupt(reason));
  }

  async desert(): Promise<void> {
    await this.#lose(() => this.attempt.desert());
  }

  async #lose(end: () => Promise<void>): Promise<void> {
    if (this.#lock.lost) return this.abandon();
    await end();
    // Begun anew, or given up.
    if ((await this.context.spread.find(this.job.jobId)) === undefined) return this.endTicket();
    this.#lock.stop();
    await this.held.rewrite({ ...this.held.content, step: 'layout' });
    await this.held.putBack();
  }

  async giveBack(): Promise<void> {
    this.#lock.stop();
    await this.putBack();
    await this.held.putBack();
    await this.context.queue.wake();
  }

  /** The ticket goes to another host when its lock has run out. */
  async abandon(): Promise<void> {
    this.#lock.stop();
    await this.attempt.abandon();
  }

  /** The movie has ended: nothing of it is needed any more. */
  protected async endTicket(): Promise<void> {
    this.#lock.stop();
    // What fails here is done when the ticket or the lease is next looked at.
    try {
      await this.context.bundles.remove(this.job.jobId);
      await this.held.complete();
    } catch (error) {
      this.context.log.warn({ err: error, job_id: this.job.jobId }, 'a ticket could not be ended and is looked at later');
    }
  }

  /** Another host may have it by now. */
  protected get isLost(): boolean {
    return this.#lock.lost;
  }

  /** Hands the ticket on to whatever `next` does with it. */
  protected async letGo(next: () => Promise<void>): Promise<void> {
    await this.whileLeased(next);
    this.#lock.stop();
    await this.attempt.abandon();
  }

  protected async whileLeased<T>(work: () => Promise<T>): Promise<T> {
    const { timing } = this.context;
    const { jobId } = this.job;
    const renewing = setInterval(() => void this.context.spread.keepUp([jobId]).catch(() => {}), timing.renewMs);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
    }
  }

  #checkLock(): void {
    if (this.#lock.lost) throw new LeaseLostError(this.job.jobId);
  }
}
