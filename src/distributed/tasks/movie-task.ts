import { Attempt, type ClaimedJob, type FromWorker, type JobFailure, LeaseLostError, type SlotTask, type WorkerJob } from '../../jobs/index.js';
import type { FarmContext } from '../context.js';
import type { LockedEntry } from '../queue/locked-entry.js';
import type { MovieEntry } from '../queue/render-queue.js';
import { LockKeeper } from './lock-keeper.js';

export interface MovieClaim {
  held: LockedEntry<MovieEntry>;
  claimed: ClaimedJob;
  /** Of the lease. */
  owner: string;
  run: string;
  begun?: { progress: number; stage: string };
}

/** A step of a movie as a whole: its ticket and its lease are in this host's hands. */
export abstract class MovieTask implements SlotTask {
  protected readonly context: FarmContext;
  protected readonly held: LockedEntry<MovieEntry>;
  protected readonly run: string;
  protected readonly attempt: Attempt;
  readonly #lock: LockKeeper;
  #preparing = true;

  constructor({ held, claimed, owner, run, begun }: MovieClaim, context: FarmContext) {
    this.context = context;
    this.held = held;
    this.run = run;
    const { outputName, ...job } = claimed;
    this.attempt = new Attempt(job, owner, outputName, { ...context, onDiscarded: () => {}, ...(begun !== undefined && { resumeFrom: begun }) });
    this.#lock = new LockKeeper(held, context.queue.renewMs);
  }

  abstract complete(message: Extract<FromWorker, { type: 'completed' }>): Promise<void>;
  protected abstract prepare(): Promise<WorkerJob | undefined>;
  protected abstract putBack(): Promise<void>;

  get job(): { jobId: string; accountId: string } {
    return this.attempt.job;
  }

  get leaseOwner(): string {
    return this.attempt.leaseOwner;
  }

  get hasEnded(): boolean {
    return this.attempt.hasEnded;
  }

  get lastMessageAt(): number {
    return this.#preparing ? this.context.clock.monotonic() : this.attempt.lastMessageAt;
  }

  set lastMessageAt(at: number) {
    this.attempt.lastMessageAt = at;
  }

  async prepareJob(): Promise<WorkerJob | undefined> {
    const work = await this.whileLeased(() => this.prepare());
    this.#preparing = false;
    return work;
  }

  async updateProgress(message: Extract<FromWorker, { type: 'progress' | 'alive' }>): Promise<void> {
    this.#checkLock();
    await this.attempt.updateProgress(message);
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

  async requeue(): Promise<void> {
    await this.#lose(() => this.attempt.requeue());
  }

  async #lose(end: () => Promise<void>): Promise<void> {
    if (this.#lock.lost) return this.discard();
    await end();
    // Begun anew, or given up.
    if ((await this.context.jobs.find(this.job.jobId)) === undefined) return this.endTicket();
    this.#lock.stop();
    await this.held.update({ ...this.held.data, step: 'layout' });
    await this.held.requeue();
  }

  async release(): Promise<void> {
    this.#lock.stop();
    await this.putBack();
    await this.held.requeue();
    await this.context.queue.wake();
  }

  /** The ticket goes to another host when its lock has run out. */
  async discard(): Promise<void> {
    this.#lock.stop();
    await this.attempt.discard();
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
    await this.attempt.discard();
  }

  protected async whileLeased<T>(work: () => Promise<T>): Promise<T> {
    const { timing } = this.context;
    const { jobId } = this.job;
    const renewing = setInterval(() => void this.context.jobs.renewLeases([jobId]).catch(() => {}), timing.renewMs);
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
