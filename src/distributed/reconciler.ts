import type { OpenJob } from '../jobs/index.js';
import type { FarmContext } from './context.js';
import { parseLeaseOwner } from './names.js';
import type { HostRegistry } from './queue/host-registry.js';

export interface ReconcilerTiming {
  /** How often database and queue are compared, by one host for all. */
  intervalMs: number;
  /** A movie whose parts are for hosts that were not seen for so long is begun anew by others. */
  groupGoneMs: number;
}

export const reconcilerTiming: Readonly<ReconcilerTiming> = Object.freeze({ intervalMs: 5000, groupGoneMs: 30_000 });

/** Looked at in one go; the others follow when these have ended. */
const atOnce = 5000;
const awaitingAtOnce = 1000;

/**
 * Brings what the queue carries in line with the database, which is right: open jobs without a ticket get one, tickets
 * of jobs that have ended go, and the leases of movies that are in the queue are kept up.
 */
export class Reconciler {
  readonly #context: FarmContext;
  readonly #hosts: HostRegistry;
  readonly #timing: ReconcilerTiming;
  readonly #name: string;
  /** Since when groups were not seen. */
  readonly #missing = new Map<string, number>();
  #working: Promise<void> | undefined;

  constructor(context: FarmContext, hosts: HostRegistry, name: string, timing: ReconcilerTiming) {
    this.#context = context;
    this.#hosts = hosts;
    this.#name = name;
    this.#timing = timing;
  }

  /** One host at a time; the others find that somebody does it. */
  run(): Promise<void> {
    this.#working ??= this.#look().finally(() => {
      this.#working = undefined;
    });
    return this.#working;
  }

  async #look(): Promise<void> {
    const { queue, jobs: spread, log } = this.#context;
    if (!queue.isConnected) return;
    try {
      const mine = await queue.client.set(`${queue.prefix}:reconciler`, this.#name, 'PX', Math.round(this.#timing.intervalMs * 0.9), 'NX');
      if (mine === null) return;
      const open = await spread.listOpen(atOnce);
      if (open.length === 0) await queue.scheduler.reset();
      await this.#addMissing(open);
      await this.#removeEnded(new Set(open.map(({ jobId }) => jobId)));
      await this.#freeDeserted(open);
    } catch (error) {
      log.error({ err: error }, 'the queue of the farm could not be compared with the database');
    }
  }

  async #addMissing(open: readonly OpenJob[]): Promise<void> {
    const { queue, jobs: spread, log } = this.#context;
    const known = await queue.findMovies(open.map(({ jobId }) => jobId));
    const carried = open.filter(({ jobId, status }) => status === 'processing' && known.has(jobId));
    await spread.renewLeases(carried.map(({ jobId }) => jobId));
    for (const movie of open) {
      if (known.has(movie.jobId)) continue;
      if (movie.status === 'processing') log.warn({ job_id: movie.jobId }, 'the queue has lost a movie: it goes on with the parts that are there');
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

  /** Parts are for hosts of one group: when the last of them has gone, others begin the movie anew. */
  async #freeDeserted(open: readonly OpenJob[]): Promise<void> {
    const { queue, leases, clock, log } = this.#context;
    const there = new Set((await this.#hosts.list()).map(({ group }) => group));
    for (const group of there) this.#missing.delete(group);
    const awaiting = await queue.listWaitingForSegments(awaitingAtOnce);
    await queue.rebasePriorities(new Set([...there, ...awaiting.map(({ group = '' }) => group)]));
    for (const { jobId, group = '' } of awaiting) {
      if (there.has(group)) continue;
      const since = this.#missing.get(group) ?? clock.monotonic();
      this.#missing.set(group, since);
      const owner = open.find((movie) => movie.jobId === jobId)?.leaseOwner ?? null;
      if (there.size === 0 || clock.monotonic() - since < this.#timing.groupGoneMs || parseLeaseOwner(owner) === undefined) continue;
      log.warn({ job_id: jobId, group }, 'the hosts of a movie have gone: others begin it anew');
      await leases.release(jobId, owner ?? '');
      await queue.remove(jobId);
    }
  }
}
