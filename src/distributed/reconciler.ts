import type { OpenJob } from '../jobs/index.js';
import type { FarmContext } from './context.js';
import { parseLeaseOwner } from './names.js';
import type { HostRegistry } from './queue/host-registry.js';

/** Intervals of the reconciler. */
export interface ReconcilerTiming {
  /** Interval between two runs; one host runs for all. */
  intervalMs: number;
  /** After this absence of a host group, its movies are restarted by other hosts. */
  groupGoneMs: number;
}

/** Default intervals. */
export const reconcilerTiming: Readonly<ReconcilerTiming> = Object.freeze({ intervalMs: 5000, groupGoneMs: 30_000 });

/** Maximum jobs per run; the others follow in later runs. */
const maxJobs = 5000;
const maxWaitingMovies = 1000;

/**
 * Reconciles the queue with the database, which is authoritative: adds missing queue entries, removes entries
 * of ended jobs, and renews the leases of queued movies.
 */
export class Reconciler {
  readonly #context: FarmContext;
  readonly #hosts: HostRegistry;
  readonly #timing: ReconcilerTiming;
  readonly #name: string;
  /** Since when host groups have been absent (monotonic ms). */
  readonly #missing = new Map<string, number>();
  #running: Promise<void> | undefined;

  constructor(context: FarmContext, hosts: HostRegistry, name: string, timing: ReconcilerTiming) {
    this.#context = context;
    this.#hosts = hosts;
    this.#name = name;
    this.#timing = timing;
  }

  /** Runs once, unless another host has run in this interval. */
  run(): Promise<void> {
    this.#running ??= this.#reconcile().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #reconcile(): Promise<void> {
    const { queue, jobs: spread, log } = this.#context;
    if (!queue.isConnected) return;
    try {
      const mine = await queue.client.set(`${queue.prefix}:reconciler`, this.#name, 'PX', Math.round(this.#timing.intervalMs * 0.9), 'NX');
      if (mine === null) return;
      const open = await spread.listOpen(maxJobs);
      if (open.length === 0) await queue.scheduler.reset();
      await this.#addMissing(open);
      await this.#removeEnded(new Set(open.map(({ jobId }) => jobId)));
      await this.#releaseOrphaned(open);
    } catch (error) {
      log.error({ err: error }, 'failed to reconcile the render queue with the database');
    }
  }

  async #addMissing(open: readonly OpenJob[]): Promise<void> {
    const { queue, jobs: spread, log } = this.#context;
    const known = await queue.findMovies(open.map(({ jobId }) => jobId));
    const carried = open.filter(({ jobId, status }) => status === 'processing' && known.has(jobId));
    await spread.renewLeases(carried.map(({ jobId }) => jobId));
    for (const movie of open) {
      if (known.has(movie.jobId)) continue;
      if (movie.status === 'processing') log.warn({ job_id: movie.jobId }, 'the queue lost a movie; resuming from its stored segments');
      await queue.addMovie(movie, movie.status === 'queued' ? 'layout' : 'stitch');
    }
  }

  async #removeEnded(open: ReadonlySet<string>): Promise<void> {
    const { queue, jobs: spread, bundles } = this.#context;
    const unknown = (await queue.listMovies()).filter((jobId) => !open.has(jobId));
    for (const jobId of await spread.listEnded(unknown)) {
      await bundles.remove(jobId);
      await queue.remove(jobId);
    }
  }

  /** Segments are bound to a host group: when its last host is gone, other hosts restart the movie. */
  async #releaseOrphaned(open: readonly OpenJob[]): Promise<void> {
    const { queue, leases, clock, log } = this.#context;
    const there = new Set((await this.#hosts.list()).map(({ group }) => group));
    for (const group of there) this.#missing.delete(group);
    const awaiting = await queue.listWaitingForSegments(maxWaitingMovies);
    await queue.rebasePriorities(new Set([...there, ...awaiting.map(({ group = '' }) => group)]));
    for (const { jobId, group = '' } of awaiting) {
      if (there.has(group)) continue;
      const since = this.#missing.get(group) ?? clock.monotonic();
      this.#missing.set(group, since);
      const owner = open.find((movie) => movie.jobId === jobId)?.leaseOwner ?? null;
      if (there.size === 0 || clock.monotonic() - since < this.#timing.groupGoneMs || parseLeaseOwner(owner) === undefined) continue;
      log.warn({ job_id: jobId, group }, 'the hosts of a movie are gone; requeueing it for other hosts');
      await leases.release(jobId, owner ?? '');
      await queue.remove(jobId);
    }
  }
}
