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
  /** Polling interval of the queue, for jobs that another process accepted. */
  pollMs: number;
  /** How often leases that ran out are looked for. */
  sweepMs: number;
  /** Added to `silentMs`: a lease lasts longer than a render process may be silent, so that it never expires under one that is merely slow. */
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
  /** Render processes for live jobs. Sandbox jobs get one more when the first of them comes; with 0 there is none at all. */
  workers: number;
  workerPath: string;
  workerEnvironment: Readonly<Record<string, string>>;
  log: Log;
  /** Whether a job may be begun now; one that is not waits in the queue. */
  canStartJob?: () => Promise<boolean>;
  /** Called when a render process exits unexpectedly. */
  onChildExit?: (reason: string) => void;
  /** Called with each measurement of a render process. */
  onObservation?: (observation: Observation) => void;
  /** Where live jobs come from. Absent: the queue in the database. */
  source?: TaskSource | undefined;
  timing?: Partial<PoolTiming>;
}

/** Work that several hosts share among them. */
export interface TaskSource {
  /** What a render process here may take up now. */
  next(): Promise<SlotTask | undefined>;
  /** Called with the capabilities of each render process that starts. */
  registerCapabilities(ability: HostCapabilities): void;
  /** Leases that are looked after there. */
  ownsLease(owner: string): boolean;
}

/** The job's id and that of the attempt. */
const attemptFolder = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-/;

/** Hands queued jobs to render processes, and jobs that lost theirs back to the queue. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #timing: PoolTiming;
  readonly #owner = new LeaseOwner();
  readonly #slots: WorkerSlot[] = [];
  #timers: NodeJS.Timeout[] = [];
  #dispatching: Promise<void> | undefined;
  #dispatchAgain = false;
  #includesLocalQueue = false;
  #sweeping = false;
  /** Monotonic ms. */
  #recoverAfter = Number.NEGATIVE_INFINITY;
  #closing = false;
  readonly #graceSkipped = new AbortController();

  constructor(parts: WorkerPoolOptions) {
    this.#options = parts;
    this.#timing = { ...poolTiming, ...parts.timing };
  }

  /** Takes up what an earlier run left, then starts the render processes. */
  async start(): Promise<void> {
    await mkdir(this.#options.workDir, { recursive: true, mode: 0o700 });
    await this.#recover();
    await this.removeLeftovers();
    if (this.#options.workers > 0) {
      for (let index = 0; index < this.#options.workers; index += 1) this.#slots.push(this.#createSlot('live'));
      for (const slot of this.#slots) slot.start();
      this.#slots.push(this.#createSlot('test'));
    }
    this.#timers = [setInterval(() => this.notify(), this.#timing.pollMs), setInterval(() => void this.#sweep(), this.#timing.sweepMs)];
  }

  /** There may be a job to take; `shared`: in the source that other hosts share, whose words are many. */
  notify(where: 'anywhere' | 'shared' = 'anywhere'): void {
    if (this.#closing) return;
    this.#dispatchAgain = true;
    if (where === 'anywhere') this.#includesLocalQueue = true;
    this.#dispatching ??= this.#dispatch().finally(() => {
      this.#dispatching = undefined;
      // notify() was called after the last poll.
      if (this.#dispatchAgain) this.notify('shared');
    });
  }

  /** Process ids of the render processes, for the operator. */
  get pids(): number[] {
    return this.#slots.flatMap((slot) => slot.pid ?? []);
  }

  /** A render process has started, or there is to be none here. */
  get canRender(): boolean {
    return this.#options.workers === 0 || this.#slots.some((slot) => slot.started);
  }

  /** Lets the jobs in hand finish within the time, then gives the others back to the queue; no child is left behind. */
  async stop(graceMs: number): Promise<void> {
    this.#closing = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#dispatching;
    const outOfTime = sleep(graceMs, undefined, { signal: this.#graceSkipped.signal }).catch(() => {});
    await Promise.race([outOfTime, Promise.all(this.#slots.map((slot) => slot.drain()))]);
    this.#graceSkipped.abort();
    await Promise.all(this.#slots.map((slot) => slot.stopNow()));
  }

  /** Ends the waiting of `stop`, or leaves it out when `stop` comes later. */
  skipGracePeriod(): void {
    this.#graceSkipped.abort();
  }

  async #dispatch(): Promise<void> {
    while (this.#dispatchAgain && !this.#closing) {
      const everywhere = this.#includesLocalQueue;
      this.#dispatchAgain = this.#includesLocalQueue = false;
      try {
        if (this.#slots.some((slot) => slot.idle || slot.down) && (await this.#options.canStartJob?.()) === false) continue;
        for (const slot of this.#slots) if (everywhere || this.#isShared(slot)) await this.#serve(slot);
      } catch (error) {
        this.#options.log.error({ err: error }, 'failed to read the queue');
      }
    }
  }

  async #serve(slot: WorkerSlot): Promise<void> {
    if (slot.down && (await this.#options.leases.hasQueued(slot.mode))) slot.start();
    if (!slot.idle || this.#closing) return;
    const { source } = this.#options;
    const work = await (source !== undefined && this.#isShared(slot) ? source.next() : this.#claim(slot));
    if (work === undefined) return;
    // The process may have died while the claim was written.
    if (slot.idle) slot.assign(work);
    else await work.release();
  }

  /** Works for what hosts share. */
  #isShared({ mode }: WorkerSlot): boolean {
    return mode === 'live' && this.#options.source !== undefined;
  }

  async #claim(slot: WorkerSlot): Promise<SlotTask | undefined> {
    const owner = this.#owner.createId();
    const leased = await this.#options.leases.claim(slot.mode, owner, createOutputName).catch((error: unknown) => {
      // The answer to the commit may have been lost: then the job has an owner but no render.
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
      ...(mode === 'live' && source !== undefined && { onCapabilities: (ability) => source.registerCapabilities(ability) }),
    });
  }

  async #sweep(): Promise<void> {
    if (this.#sweeping) return;
    this.#sweeping = true;
    try {
      if (this.#options.clock.monotonic() >= this.#recoverAfter) await this.#recover();
    } catch (error) {
      // After an outage the owners of live leases renew them first.
      this.#recoverAfter = this.#options.clock.monotonic() + 3 * this.#timing.renewMs;
      this.#options.log.error({ err: error }, 'failed to recover expired leases');
    } finally {
      this.#sweeping = false;
    }
  }

  async #recover(): Promise<void> {
    const { leases, events, clock, log } = this.#options;
    const interruptions = await leases.recoverExpired(
      (owner) => this.#options.source?.ownsLease(owner) !== true && this.#owner.isGone(owner),
      (owner) => this.#slots.some((slot) => slot.leaseOwner === owner) || this.#options.source?.ownsLease(owner) === true,
    );
    for (const { job, orphanedOutput } of interruptions) {
      log.warn({ job_id: job.id, account_id: job.accountId, status: job.status }, 'a job lost its render process');
      publishState(events, job, clock);
      await this.#removeOutput(orphanedOutput);
    }
    if (interruptions.length > 0) this.notify();
  }

  async #removeOutput(name: Interruption['orphanedOutput']): Promise<void> {
    if (name !== null) await this.#options.outputs.remove(name);
  }

  /** Removes temporary folders of ended attempts and returns their count. Render processes clean up folders that belong to no job. */
  async removeLeftovers(): Promise<number> {
    // List folders before jobs: a folder listed now belongs to a job that is being rendered, or is orphaned.
    const folders = (await readdir(this.#options.workDir)).filter((name) => attemptFolder.test(name));
    const processing = new Set(await this.#options.leases.listProcessing());
    const orphaned = folders.filter((name) => !processing.has(name.slice(0, 36)));
    for (const name of orphaned) await rm(join(this.#options.workDir, name), { recursive: true, force: true });
    return orphaned.length;
  }

  /** What a render process had made ready for its next job carries its process id; one that was killed leaves it behind. */
  async #removeFoldersOf(pid: number): Promise<void> {
    const names = await readdir(this.#options.workDir).catch(() => []);
    const its = names.filter((name) => name.startsWith(`engine-${pid}-`));
    await Promise.all(its.map((name) => rm(join(this.#options.workDir, name), { recursive: true, force: true })));
  }
}

/** 256 random bits make the name the key to the file. */
export function createOutputName(jobId: string): string {
  return `${jobId}-${randomBytes(32).toString('hex')}.mp4`;
}
