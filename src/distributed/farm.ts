import { randomUUID } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import type { HostAbility, SlotWork, WorkSource } from '../jobs/index.js';
import type { FarmContext } from './context.js';
import { type FarmHost, HostRegistry } from './host-registry.js';
import { groupOf, parseOwner } from './names.js';
import { PartWork } from './part-work.js';
import { Reconciler, type ReconcilerTiming, reconcilerTiming } from './reconciler.js';
import { takeMovie } from './take-movie.js';

export interface FarmParts extends FarmContext {
  /** Render processes of this host. */
  slots: number;
  reconciling?: Partial<ReconcilerTiming>;
}

/** This host's part in a farm: hands its render processes what comes next, and looks after the queue with the other hosts. */
export class Farm implements WorkSource {
  readonly #parts: FarmParts;
  readonly #hosts: HostRegistry;
  readonly #reconciler: Reconciler;
  readonly #everyMs: number;
  readonly #id = randomUUID();
  readonly #since: string;
  #host: FarmHost | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: FarmParts) {
    this.#parts = parts;
    const timing = { ...reconcilerTiming, ...parts.reconciling };
    this.#everyMs = timing.everyMs;
    this.#hosts = new HostRegistry(parts.queue.client, parts.queue.prefix);
    this.#reconciler = new Reconciler(parts, this.#hosts, this.#id, timing);
    this.#since = new Date(parts.clock.now()).toISOString();
  }

  /** `notify` is called when there may be something to do. */
  start(notify: () => void): void {
    const { queue } = this.#parts;
    queue.onWake(notify);
    const beat = (): void => {
      void this.#register();
      void this.#reconciler.look();
    };
    queue.client.on('ready', beat);
    this.#timer = setInterval(beat, this.#everyMs);
    beat();
  }

  /** A job was accepted. When this fails the next comparison with the database finds it. */
  submitted(movie: { jobId: string; accountId: string; credits: number; isLive: boolean }): void {
    if (movie.isLive && this.#parts.queue.isThere) this.#parts.queue.addMovie(movie, 'layout').catch(() => {});
  }

  async next(): Promise<SlotWork | undefined> {
    const { queue, log } = this.#parts;
    if (this.#host === undefined) return undefined;
    for (;;) {
      const taken = await queue.next(this.#host.group);
      if (taken === undefined) return undefined;
      if (taken.kind === 'part') return new PartWork(taken.held, this.#parts);
      try {
        const work = await takeMovie(taken.held, this.#parts);
        if (work !== undefined) return work;
      } catch (error) {
        log.error({ err: error, job_id: taken.held.id }, 'a movie could not be taken up');
        await taken.held.putBack().catch(() => {});
        return undefined;
      }
    }
  }

  noteAbility({ identity, encoders, compositors }: HostAbility): void {
    const { slots, log } = this.#parts;
    if (identity === undefined) {
      log.error({}, 'this host cannot tell which engine it runs, and takes no part in the farm');
      return;
    }
    this.#host = { name: hostname(), group: groupOf(identity), slots, cores: availableParallelism(), encoders, compositors, since: this.#since };
    log.info({ ...this.#host }, 'this host is part of the farm');
    void this.#register();
  }

  keeps(owner: string): boolean {
    return parseOwner(owner) !== undefined;
  }

  /** Takes nothing more. */
  async leave(): Promise<void> {
    this.#host = undefined;
    if (this.#parts.queue.isThere) await this.#hosts.leave(this.#id).catch(() => {});
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.leave();
    await this.#parts.queue.close();
  }

  async #register(): Promise<void> {
    if (this.#host !== undefined && this.#parts.queue.isThere) await this.#hosts.register(this.#id, this.#host).catch(() => {});
  }
}
