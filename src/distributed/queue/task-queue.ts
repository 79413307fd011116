import { randomUUID } from 'node:crypto';
import type { Log } from '../../jobs/index.js';
import { ClaimedTask } from './claimed-task.js';
import type { TaskStore } from './task-store.js';

/** Timing of claims. */
export interface TaskTiming {
  /** Lifetime of a claim without renewal: after a crash, other hosts wait this long. */
  leaseMs: number;
  /** Interval at which this host renews its claims and looks for those of lost hosts. */
  renewMs: number;
}

/** Default timing. */
export const taskTiming: Readonly<TaskTiming> = Object.freeze({ leaseMs: 6000, renewMs: 2000 });

/** Dependencies of a task queue. */
export interface TaskQueueOptions {
  store: TaskStore;
  timing?: Partial<TaskTiming>;
  log: Pick<Log, 'warn' | 'info'>;
  /** Tells other hosts that this many tasks are ready. */
  announce: (count: number) => void;
}

/** An empty queue is not read again for this long unless tasks are announced: each free render process would (ms). */
const emptyMs = 20;

/** How long a host claims nothing after it failed to exchange files; doubled with each failure in a row (ms). */
const minPauseMs = 500;
/** The longest pause (ms). */
export const maxPauseMs = 8000;

/** Hosts that look at the queue at once for an announcement, in addition to one for each task. */
const extraHosts = 2;

/**
 * Whether one of `hostCount` hosts looks at the queue at once when tasks are announced: so many at random that one of them is free. The others find
 * what is left with their next poll. In a large farm they would keep the database busy with claims that find nothing.
 */
export function isWanted(taskCount: number, hostCount: number): boolean {
  return Math.random() * hostCount < taskCount + extraHosts;
}

/** The claims of this host: claims tasks, renews all claims with one statement, and recovers those of lost hosts. */
export class TaskQueue {
  readonly store: TaskStore;
  readonly #timing: TaskTiming;
  readonly #log: TaskQueueOptions['log'];
  readonly #announce: (count: number) => void;
  readonly #claims = new Map<string, ClaimedTask>();
  #onReady: () => void = () => {};
  #emptyUntil = Number.NEGATIVE_INFINITY;
  /** Number of announcements so far. */
  #announcements = 0;
  #pauseMs = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;
  #isFailing = false;
  /** Monotonic ms: after an outage of the database hosts renew their claims before any of them counts as lost. */
  #recoverAfter = Number.NEGATIVE_INFINITY;

  constructor({ store, timing, log, announce }: TaskQueueOptions) {
    this.store = store;
    this.#timing = { ...taskTiming, ...timing };
    this.#log = log;
    this.#announce = announce;
  }

  /** Starts renewals. `onReady` is called when tasks may be available. */
  start(onReady: () => void): void {
    this.#onReady = onReady;
    this.#timer = setInterval(() => void this.#renewAll(), this.#timing.renewMs);
  }

  /** Claims the task that is next for a host of this group. */
  async claim(group: string): Promise<ClaimedTask | undefined> {
    if (performance.now() < Math.max(this.#emptyUntil, this.#pausedUntil)) return undefined;
    const claim = randomUUID();
    const announcements = this.#announcements;
    const row = await this.store.claim(group, claim, this.#timing.leaseMs);
    if (row === undefined) {
      // What was announced while the statement ran may have come after its snapshot.
      if (announcements === this.#announcements) this.#emptyUntil = performance.now() + emptyMs;
      return undefined;
    }
    const task = new ClaimedTask(row, claim, (ended) => {
      this.#claims.delete(ended);
      this.#resetEmpty();
    });
    this.#claims.set(claim, task);
    return task;
  }

  /** This host could not exchange the files of a task. Others may be able to, and it does not claim the same task again and again. */
  pause(): void {
    this.#pauseMs = Math.min(maxPauseMs, Math.max(minPauseMs, this.#pauseMs * 2));
    this.#pausedUntil = performance.now() + this.#pauseMs;
  }

  /** This host exchanged the files of a task. */
  endPause(): void {
    this.#pauseMs = 0;
    this.#pausedUntil = Number.NEGATIVE_INFINITY;
  }

  /** Tasks are ready: wakes the render processes of this host, and of others if they are needed. */
  wake(count: number): void {
    this.notify();
    this.#announce(count);
  }

  /** Another host has announced tasks. */
  notify(): void {
    this.#resetEmpty();
    this.#onReady();
  }

  /** Resolves when the database is not used any more. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
  }

  #resetEmpty(): void {
    this.#announcements += 1;
    this.#emptyUntil = Number.NEGATIVE_INFINITY;
  }

  #renewAll(): Promise<void> {
    this.#renewing ??= this.#renewAndRecover().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renewAndRecover(): Promise<void> {
    try {
      await this.#renew();
      await this.#recover();
      if (this.#isFailing) this.#log.info({}, 'claims of tasks are renewed again');
      this.#isFailing = false;
    } catch (error) {
      // The renders continue: while the database is unreachable no other host can claim their tasks.
      this.#recoverAfter = performance.now() + this.#timing.leaseMs;
      if (!this.#isFailing) this.#log.warn({ err: error }, 'failed to renew claims of tasks; retrying');
      this.#isFailing = true;
    }
  }

  async #renew(): Promise<void> {
    const claims = [...this.#claims.keys()];
    if (claims.length === 0) return;
    const valid = new Set(await this.store.renew(claims, this.#timing.leaseMs));
    for (const claim of claims) if (!valid.has(claim)) this.#claims.get(claim)?.markLost();
  }

  async #recover(): Promise<void> {
    if (performance.now() < this.#recoverAfter) return;
    const count = await this.store.recoverExpired();
    if (count > 0) this.wake(count);
  }
}
