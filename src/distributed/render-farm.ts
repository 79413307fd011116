import { randomUUID } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import type { HostCapabilities, SlotTask, TaskSource } from '../jobs/index.js';
import type { FarmContext } from './context.js';
import { Maintenance, type MaintenanceTiming, maintenanceTiming } from './maintenance.js';
import { hostGroup, parseLeaseOwner } from './names.js';
import type { HostStore, RenderHost } from './queue/host-store.js';
import type { MaintenanceStore } from './queue/maintenance-store.js';
import { isWanted, maxPauseMs } from './queue/task-queue.js';
import { claimMovie } from './tasks/claim-movie.js';
import { SegmentTask } from './tasks/segment-task.js';

/** How long a movie waits that could not be claimed (ms): longer than this host, so that a movie that always fails does not hold up those behind it. */
const failedClaimDelayMs = maxPauseMs + 2000;

/** Options of a render farm. */
export interface RenderFarmOptions extends FarmContext {
  /** Number of render processes on this host. */
  slots: number;
  hosts: HostStore;
  maintenance: MaintenanceStore;
  maintenanceTiming?: Partial<MaintenanceTiming>;
}

/** A member of a render farm: supplies this host's render processes with tasks and helps to maintain them. */
export class RenderFarm implements TaskSource {
  readonly #parts: RenderFarmOptions;
  readonly #maintenance: Maintenance;
  readonly #heartbeatMs: number;
  readonly #id = randomUUID();
  readonly #since: string;
  #host: RenderHost | undefined;
  #hostCount = 1;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: RenderFarmOptions) {
    this.#parts = parts;
    const timing = { ...maintenanceTiming, ...parts.maintenanceTiming };
    this.#heartbeatMs = timing.intervalMs;
    this.#maintenance = new Maintenance(parts, parts.maintenance, parts.hosts, timing);
    this.#since = new Date(parts.clock.now()).toISOString();
  }

  /** Starts heartbeats. `notify` is called when tasks may be available. */
  start(notify: () => void): void {
    this.#parts.queue.start(notify);
    const beat = (): void => {
      void this.#register();
      void this.#maintenance.run();
    };
    this.#timer = setInterval(beat, this.#heartbeatMs);
    beat();
  }

  /** A live job was accepted: wakes hosts that may plan it. */
  wake(): void {
    this.#parts.queue.wake(1);
  }

  /** Another process has announced tasks. */
  onAnnounced(count: number): void {
    if (isWanted(count, this.#hostCount)) this.#parts.queue.notify();
  }

  async next(): Promise<SlotTask | undefined> {
    const { queue, log } = this.#parts;
    if (this.#host === undefined) return undefined;
    for (;;) {
      const task = await queue.claim(this.#host.group);
      if (task === undefined) return undefined;
      try {
        if (task.row.kind === 'segment') return new SegmentTask(task, this.#parts);
        const work = await claimMovie(task, this.#parts);
        if (work !== undefined) return work;
      } catch (error) {
        log.error({ err: error, job_id: task.row.jobId }, 'failed to claim a movie; requeueing');
        task.stopRenewing();
        queue.pause();
        await queue.store.requeue(task.key, { delayMs: failedClaimDelayMs }).catch(() => {});
        return undefined;
      }
    }
  }

  registerCapabilities({ identity, encoders, compositors }: HostCapabilities): void {
    const { slots, log } = this.#parts;
    if (identity === undefined) {
      log.error({}, 'cannot determine the engine identity; this host does not join the render farm');
      return;
    }
    this.#host = { name: hostname(), group: hostGroup(identity), slots, cores: availableParallelism(), encoders, compositors, since: this.#since };
    log.info({ ...this.#host }, 'this host is part of the farm');
    void this.#register();
  }

  ownsLease(owner: string): boolean {
    return parseLeaseOwner(owner) !== undefined;
  }

  /** Stops claiming tasks and unregisters the host. */
  async leave(): Promise<void> {
    if (this.#host === undefined) return;
    this.#host = undefined;
    await this.#parts.hosts.leave(this.#id).catch(() => {});
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.leave();
    await this.#maintenance.stop();
    await this.#parts.queue.close();
  }

  async #register(): Promise<void> {
    const host = this.#host;
    if (host === undefined) return;
    try {
      this.#hostCount = await this.#parts.hosts.register(this.#id, host);
      // It has left while the statement ran.
      if (this.#host === undefined) await this.#parts.hosts.leave(this.#id);
    } catch {
      // The next heartbeat follows in seconds.
    }
  }
}
