import { LeaseLostError } from '../jobs/index.js';
import type { FarmContext } from './context.js';
import type { HostStore } from './queue/host-store.js';
import type { MaintenanceStore } from './queue/maintenance-store.js';

/** Intervals of maintenance. */
export interface MaintenanceTiming {
  /** Interval between two runs; one host at a time runs for all. */
  intervalMs: number;
  /** After this absence of a host group, its movies are restarted by other hosts. */
  groupGoneMs: number;
}

/** Default intervals. */
export const maintenanceTiming: Readonly<MaintenanceTiming> = Object.freeze({ intervalMs: 5000, groupGoneMs: 30_000 });

/** Maintains what no host is responsible for: leases of waiting movies, jobs without a task, movies of absent hosts, objects of ended movies. */
export class Maintenance {
  readonly #context: FarmContext;
  readonly #store: MaintenanceStore;
  readonly #hosts: HostStore;
  readonly #timing: MaintenanceTiming;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(context: FarmContext, store: MaintenanceStore, hosts: HostStore, timing: MaintenanceTiming) {
    this.#context = context;
    this.#store = store;
    this.#hosts = hosts;
    this.#timing = timing;
  }

  /** Runs once; runs never overlap. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Resolves when the current run is over; there is none after it. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    if (this.#isStopped) return;
    const { queue, clock, leaseMs, log } = this.#context;
    try {
      const at = (laterMs: number): string => new Date(clock.now() + laterMs).toISOString();
      const added = await this.#store.reconcile({ now: at(0), leaseExpiresAt: at(leaseMs), renewBefore: at(leaseMs / 2) });
      if (added === undefined) return;
      if (added > 0) queue.wake(added);
      await this.#releaseOrphaned();
      await this.#removeObjects();
      await this.#hosts.removeOld();
    } catch (error) {
      log.error({ err: error }, 'failed to maintain the tasks of distributed movies');
    }
  }

  /** Segments are bound to a host group: when its last host is gone, other hosts restart the movie. */
  async #releaseOrphaned(): Promise<void> {
    const { leases, queue, log } = this.#context;
    for (const { jobId, leaseOwner, group } of await this.#store.listOrphaned(this.#timing.groupGoneMs)) {
      log.warn({ job_id: jobId, group }, 'the hosts of a movie are gone; requeueing it for other hosts');
      await this.#attempt(jobId, async () => {
        await leases.release(jobId, leaseOwner);
        queue.wake(1);
      });
    }
  }

  async #removeObjects(): Promise<void> {
    const { bundles, queue } = this.#context;
    for (const jobId of await this.#store.listEnded()) {
      await this.#attempt(jobId, async () => {
        await bundles.remove(jobId);
        await queue.store.removeEnded(jobId);
      });
    }
  }

  /** One movie that cannot be maintained must not keep the others waiting; the next run tries it again. */
  async #attempt(jobId: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof LeaseLostError)) this.#context.log.error({ err: error, job_id: jobId }, 'failed to maintain the tasks of a movie');
    }
  }
}
