import { randomUUID } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import type { HostCapabilities, SlotTask, TaskSource } from '../jobs/index.js';
import type { FarmContext } from './context.js';
import { hostGroup, parseLeaseOwner } from './names.js';
import { HostRegistry, type RenderHost } from './queue/host-registry.js';
import { Reconciler, type ReconcilerTiming, reconcilerTiming } from './reconciler.js';
import { claimMovie } from './tasks/claim-movie.js';
import { SegmentTask } from './tasks/segment-task.js';

/** Options of a render farm. */
export interface RenderFarmOptions extends FarmContext {
  /** Number of render processes on this host. */
  slots: number;
  reconciling?: Partial<ReconcilerTiming>;
}

/** A member of a render farm: supplies this host's render processes with tasks and helps to maintain the queue. */
export class RenderFarm implements TaskSource {
  readonly #parts: RenderFarmOptions;
  readonly #hosts: HostRegistry;
  readonly #reconciler: Reconciler;
  readonly #heartbeatMs: number;
  readonly #id = randomUUID();
  readonly #since: string;
  #host: RenderHost | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: RenderFarmOptions) {
    this.#parts = parts;
    const timing = { ...reconcilerTiming, ...parts.reconciling };
    this.#heartbeatMs = timing.intervalMs;
    this.#hosts = new HostRegistry(parts.queue.client, parts.queue.prefix);
    this.#reconciler = new Reconciler(parts, this.#hosts, this.#id, timing);
    this.#since = new Date(parts.clock.now()).toISOString();
  }

  /** Starts heartbeats. `notify` is called when tasks may be available. */
  start(notify: () => void): void {
    const { queue } = this.#parts;
    queue.onWake(notify);
    const beat = (): void => {
      void this.#register();
      void this.#reconciler.run();
    };
    queue.client.on('ready', beat);
    this.#timer = setInterval(beat, this.#heartbeatMs);
    beat();
  }

  /** Queues an accepted job. If this fails, the reconciler queues it later. */
  enqueue(movie: { jobId: string; accountId: string; credits: number; isLive: boolean }): void {
    if (movie.isLive && this.#parts.queue.isConnected) this.#parts.queue.addMovie(movie, 'layout').catch(() => {});
  }

  async next(): Promise<SlotTask | undefined> {
    const { queue, log } = this.#parts;
    if (this.#host === undefined) return undefined;
    for (;;) {
      const taken = await queue.next(this.#host.group);
      if (taken === undefined) return undefined;
      if (taken.kind === 'part') return new SegmentTask(taken.entry, this.#parts);
      try {
        const work = await claimMovie(taken.entry, this.#parts);
        if (work !== undefined) return work;
      } catch (error) {
        log.error({ err: error, job_id: taken.entry.id }, 'failed to claim a movie; requeueing');
        await taken.entry.requeue().catch(() => {});
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
    this.#host = undefined;
    if (this.#parts.queue.isConnected) await this.#hosts.leave(this.#id).catch(() => {});
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.leave();
    await this.#parts.queue.close();
  }

  async #register(): Promise<void> {
    if (this.#host !== undefined && this.#parts.queue.isConnected) await this.#hosts.register(this.#id, this.#host).catch(() => {});
  }
}
