import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Attempt, type AttemptOptions, type AttemptTiming, publishState } from './attempt.js';
import { LeaseOwner } from './lease-owner.js';
import type { SlotTask } from './slot-task.js';
import type { Interruption } from './stores/job-lease-store.js';
import type { HostCapabilities, Observation } from './worker-protocol.js';
import { type Log, type SlotTiming, WorkerSlot } from './worker-slot.js';

export interface PoolTiming extends AttemptTiming, SlotTiming {
  /** Interval at which the queue is polled for jobs that another process accepted. */
  pollMs: number;
  /** Interval at which expired leases are recovered. */
  sweepMs: number;
  /** How much longer a lease lasts than `silentMs`, so that the lease of a slow render process does not expire before the process counts as hung. */
  leaseMarginMs: number;
}

export const poolTiming: Readonly<PoolTiming> = Object.freeze({
  publishMs: 200,
  persistMs: 1000,
  renewMs: 5000,
  silentMs: 60_000,
  startMs: 60_000,
  cancelMs: 15_000,
  restartMinMs: 100,
  restartMaxMs: 30_000,
  pollMs: 1000,
  sweepMs: 5000,
  leaseMarginMs: 15_000,
});

/** Lifetime of a lease without renewal (ms). */
export const leaseDurationMs = ({ silentMs, leaseMarginMs }: Pick<PoolTiming, 'silentMs' | 'leaseMarginMs'>): number => silentMs + leaseMarginMs;

export interface WorkerPoolOptions extends Omit<AttemptOptions, 'timing' | 'onDiscarded'> {
  /** Number of render processes for live jobs. One more starts with the first sandbox job. With 0, no render process is started for either. */
  workers: number;
  workerPath: string;
  workerEnvironment: Readonly<Record<string, string>>;
  log: Log;
  /** Whether jobs may start now; while it resolves to false, jobs stay queued. Default: always. */
  canStartJob?: () => Promise<boolean>;
  /** Called when a render process exits unexpectedly. */
  onChildExit?: (reason: string) => void;
  /** Called with each measurement of a render process. */
  onObservation?: (observation: Observation) => void;
  /** Source of live jobs. Default: the queue in the database. */
  source?: TaskSource | undefined;
  timing?: Partial<PoolTiming>;
}

/** Source of tasks that several hosts share. */
export interface TaskSource {
  /** Claims the next task for a render process of this host. Undefined if none can be claimed. */
  next(): Promise<SlotTask | undefined>;
  /** Called with the capabilities of each render process that starts. */
  registerCapabilities(capabilities: HostCapabilities): void;
  /** Whether the source recovers the leases of this owner; the pool then does not. */
  ownsLease(owner: string): boolean;
}

/** Matches names of attempt folders, which start with the job's id (a UUID). */
const attemptFolderPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-/;

/** Starts this host's render processes, assigns queued jobs to them, and requeues jobs whose lease has expired or whose owner is dead. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #timing: PoolTiming;
  readonly #owner = new LeaseOwner();
  readonly #slots: WorkerSlot[] = [];
  /** Owner of the claim that is being made or given to a slot. Its row is visible before the claim resolves. */
  #claimingOwner: string | undefined;
  #timers: NodeJS.Timeout[] = [];
  #dispatching: Promise<void> | undefined;
  #shouldDispatchAgain = false;
  #includesLocalQueue = false;
  #isSweeping = false;
  /** Expired leases are not recovered before this time (monotonic ms). */
  #recoverAfter = Number.NEGATIVE_INFINITY;
  #isClosing = false;
  /** Aborted when `stop` no longer waits for running jobs. */
  readonly #graceEnd = new AbortController();

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#timing = { ...poolTiming, ...options.timing };
  }

  /** Requeues jobs and removes temporary folders that an earlier run left, then starts the render processes. */
  async start(): Promise<void> {
    await mkdir(this.#options.workDir, { recursive: true, mode: 0o700 });
    // A job that a stalled host has locked must not keep this one from starting.
    await this.#sweep();
    await this.removeLeftovers();
    if (this.#options.workers > 0) {
      for (let index = 0; index < this.#options.workers; index += 1) this.#slots.push(this.#createSlot('live'));
      for (const slot of this.#slots) slot.start();
      this.#slots.push(this.#createSlot('test'));
    }
    this.#timers = [setInterval(() => this.notify(), this.#timing.pollMs), setInterval(() => void this.#sweep(), this.#timing.sweepMs)];
  }

  /** Polls for jobs. `shared`: polls only the task source, which sends many notifications, and not the local queue. */
  notify(scope: 'all' | 'shared' = 'all'): void {
    if (this.#isClosing) return;
    this.#shouldDispatchAgain = true;
    if (scope === 'all') this.#includesLocalQueue = true;
    this.#dispatching ??= this.#dispatch().finally(() => {
      this.#dispatching = undefined;
      // notify() was called after the last poll.
      if (this.#shouldDispatchAgain) this.notify('shared');
    });
  }

  /** Process ids of the running render processes. */
  get pids(): number[] {
    return this.#slots.flatMap((slot) => slot.pid ?? []);
  }

  /** Whether a render process has started, or none is configured. */
  get canRender(): boolean {
    return this.#options.workers === 0 || this.#slots.some((slot) => slot.isRunning);
  }

  /** Waits up to `graceMs` for running jobs, then requeues the unfinished ones. Resolves when all render processes have exited. */
  async stop(graceMs: number): Promise<void> {
    this.#isClosing = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#dispatching;
    const graceExpired = sleep(graceMs, undefined, { signal: this.#graceEnd.signal }).catch(() => {});
    await Promise.race([graceExpired, Promise.all(this.#slots.map((slot) => slot.drain()))]);
    this.#graceEnd.abort();
    await Promise.all(this.#slots.map((slot) => slot.stopNow()));
  }

  /** Ends the grace period of `stop`, also in advance: a later `stop` then does not wait for running jobs. */
  skipGracePeriod(): void {
    this.#graceEnd.abort();
  }

  async #dispatch(): Promise<void> {
    while (this.#shouldDispatchAgain && !this.#isClosing) {
      const includesLocalQueue = this.#includesLocalQueue;
      this.#shouldDispatchAgain = this.#includesLocalQueue = false;
      try {
        if (this.#slots.some((slot) => slot.isIdle || slot.isDown) && (await this.#options.canStartJob?.()) === false) continue;
        for (const slot of this.#slots) if (includesLocalQueue || this.#usesSource(slot)) await this.#serve(slot);
      } catch (error) {
        this.#options.log.error({ err: error }, 'failed to read the queue');
      }
    }
  }

  async #serve(slot: WorkerSlot): Promise<void> {
    if (slot.isDown && (await this.#options.leases.hasQueued(slot.mode))) slot.start();
    if (!slot.isIdle || this.#isClosing) return;
    const { source } = this.#options;
    try {
      const task = await (source !== undefined && this.#usesSource(slot) ? source.next() : this.#claim(slot));
      if (task === undefined) return;
      // The process may have died during the claim.
      if (slot.isIdle) slot.assign(task);
      else await task.release();
    } finally {
      this.#claimingOwner = undefined;
    }
  }

  /** Whether the slot gets its tasks from the task source; otherwise from the local queue. */
  #usesSource({ mode }: WorkerSlot): boolean {
    return mode === 'live' && this.#options.source !== undefined;
  }

  async #claim(slot: WorkerSlot): Promise<SlotTask | undefined> {
    const owner = this.#owner.createId();
    this.#claimingOwner = owner;
    const leased = await this.#options.leases.claim(slot.mode, owner, createOutputName).catch((error: unknown) => {
      // The claim may have been committed although the response was lost: the owner counts as dead, so that the job is requeued.
      this.#owner.markReleased(owner);
      throw error;
    });
    if (leased === undefined) return undefined;
    const { outputName, ...job } = leased;
    this.#options.log.info({ job_id: job.jobId, account_id: job.accountId, attempt: job.attempt, pid: slot.pid }, 'a job starts');
    return new Attempt(job, owner, outputName, { ...this.#options, timing: this.#timing, onDiscarded: () => this.#owner.markReleased(owner) });
  }

  #createSlot(mode: 'live' | 'test'): WorkerSlot {
    const { workerPath, workerEnvironment, log, source } = this.#options;
    return new WorkerSlot({
      mode,
      workerPath,
      environment: workerEnvironment,
      log,
      timing: this.#timing,
      onIdle: () => this.notify(),
      onUnexpectedExit: (reason) => this.#options.onChildExit?.(reason),
      onExit: (pid) => this.#removeFoldersOf(pid),
      onObservation: (observation) => this.#options.onObservation?.(observation),
      ...(mode === 'live' && source !== undefined && { onCapabilities: (capabilities) => source.registerCapabilities(capabilities) }),
    });
  }

  async #sweep(): Promise<void> {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    try {
      if (this.#options.clock.monotonic() >= this.#recoverAfter) await this.#recover();
    } catch (error) {
      // After an outage, living owners need time to renew their leases.
      this.#recoverAfter = this.#options.clock.monotonic() + 3 * this.#timing.renewMs;
      this.#options.log.error({ err: error }, 'failed to recover expired leases');
    } finally {
      this.#isSweeping = false;
    }
  }

  async #recover(): Promise<void> {
    const { leases, events, clock, log } = this.#options;
    const interruptions = await leases.recoverExpired(
      (owner) => this.#options.source?.ownsLease(owner) !== true && this.#owner.isGone(owner),
      (owner) => this.#holds(owner) || this.#options.source?.ownsLease(owner) === true,
    );
    for (const { job, orphanedOutput } of interruptions) {
      log.warn({ job_id: job.id, account_id: job.accountId, status: job.status }, 'a job was interrupted: its lease expired or its owner died');
      publishState(events, job, clock);
      await this.#removeOutput(orphanedOutput);
    }
    if (interruptions.length > 0) this.notify();
  }

  /** Whether a slot works under this lease or is about to: such a lease expires only when the clock is set forward. */
  #holds(owner: string): boolean {
    return owner === this.#claimingOwner || this.#slots.some((slot) => slot.leaseOwner === owner);
  }

  async #removeOutput(name: Interruption['orphanedOutput']): Promise<void> {
    if (name !== null) await this.#options.outputs.remove(name);
  }

  /** Removes temporary folders of ended attempts and returns their count. Render processes clean up folders that belong to no job. */
  async removeLeftovers(): Promise<number> {
    // Folders are listed before jobs: each belongs to a job that is being rendered, or is orphaned.
    const folders = (await readdir(this.#options.workDir)).filter((name) => attemptFolderPattern.test(name));
    const processing = new Set(await this.#options.leases.listProcessing());
    const orphaned = folders.filter((name) => !processing.has(name.slice(0, 36)));
    for (const name of orphaned) await rm(join(this.#options.workDir, name), { recursive: true, force: true });
    return orphaned.length;
  }

  /** Removes folders that a render process prepared for later jobs. Their names contain its process id; a killed process does not remove them. */
  async #removeFoldersOf(pid: number): Promise<void> {
    const names = await readdir(this.#options.workDir).catch(() => []);
    const folders = names.filter((name) => name.startsWith(`engine-${pid}-`));
    await Promise.all(folders.map((name) => rm(join(this.#options.workDir, name), { recursive: true, force: true })));
  }
}

/** Creates a file name for an output. Its 256 random bits protect the file: whoever knows the name may download it. */
export function createOutputName(jobId: string): string {
  return `${jobId}-${randomBytes(32).toString('hex')}.mp4`;
}
