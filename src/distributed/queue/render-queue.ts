import { randomUUID } from 'node:crypto';
import type { JobType, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { SharedSegment } from '../bundle-store.js';
import { FairScheduler, segmentTag, tagPriority } from './fair-scheduler.js';
import { LockedEntry } from './locked-entry.js';

/** Of a movie; its id is the job's. */
export interface MovieEntry {
  accountId: string;
  credits: number;
  /** Its place on the clock of all accounts; a version without it called it the priority. */
  tag?: number;
  /** Before its parts, or after them. */
  step: 'layout' | 'stitch';
  /** Of the hosts that render its parts. */
  group?: string;
}

export interface SegmentEntry {
  jobId: string;
  accountId: string;
  run: string;
  tag?: number;
  part: SharedSegment;
}

export type ClaimedEntry = { kind: 'movie'; entry: LockedEntry<MovieEntry> } | { kind: 'part'; entry: LockedEntry<SegmentEntry> };

export interface RenderQueueOptions {
  url: string;
  log: { warn(facts: object, text: string): void; info(facts: object, text: string): void };
  timing?: Partial<QueueTiming>;
  prefix?: string;
}

export interface QueueTiming {
  /** A host that is not heard of for so long has lost what it had in hand. */
  lockMs: number;
  /** How often lost work is looked for. */
  lookMs: number;
}

export const queueTiming: Readonly<QueueTiming> = Object.freeze({ lockMs: 6000, lookMs: 2000 });

interface Seen extends Record<ClaimedEntry['kind'], number | undefined> {
  at: number;
  /** Of priorities. */
  base: number;
}

/** One failure of a part is forgiven; losing the host is nobody's fault. */
const partAttempts = 2;
/** So long one relies on what was first in the queues when it was last seen, and saves a round trip: longer than between two looks of an idle host. */
const freshMs = 1500;
const renumberAtOnce = 2000;
const never = Number.POSITIVE_INFINITY;
const everStalled = 1_000_000;
const moviesName = 'movies';
const priorityUnit = 2 ** 32;
/** An answer that takes longer is done without. */
const commandMs = 5000;

/**
 * The work of a farm in Redis: one queue of movies, and one of parts for each group of equal hosts. A movie's ticket is
 * the parent of its parts' (a BullMQ flow). Tickets are carriers: all of them can be made anew from the database and the shelf.
 */
export class RenderQueue {
  readonly scheduler: FairScheduler;
  readonly #client: Redis;
  readonly #listening: Redis;
  readonly #bull: typeof import('bullmq');
  readonly #prefix: string;
  readonly #timing: QueueTiming;
  readonly #queues = new Map<string, Queue>();
  readonly #workers = new Map<string, Worker>();
  #seen: Seen = { at: Number.NEGATIVE_INFINITY, base: 0, movie: undefined, part: undefined };
  #closed = false;

  private constructor(bull: typeof import('bullmq'), client: Redis, listening: Redis, { timing, prefix = 'framewright' }: RenderQueueOptions) {
    this.#bull = bull;
    this.#client = client;
    this.#listening = listening;
    this.#prefix = prefix;
    this.#timing = { ...queueTiming, ...timing };
    this.scheduler = new FairScheduler(client, prefix);
  }

  static async open(parts: RenderQueueOptions): Promise<RenderQueue> {
    const [bull, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')]);
    const settings = { connectTimeout: 5000, keepAlive: 10_000, retryStrategy: (tries: number): number => Math.min(1000, 50 * 2 ** Math.min(tries, 6)) };
    const client = new Redis(parts.url, { ...settings, enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: commandMs });
    // One that listens can do nothing else.
    const listening = new Redis(parts.url, { ...settings, maxRetriesPerRequest: null });
    tellOfLoss(client, parts.log);
    listening.on('error', () => {});
    return new RenderQueue(bull, client, listening, parts);
  }

  get client(): Redis {
    return this.#client;
  }

  get prefix(): string {
    return this.#prefix;
  }

  /** How often the lock of what is in hand is renewed. */
  get renewMs(): number {
    return this.#timing.lockMs / 3;
  }

  get isConnected(): boolean {
    return !this.#closed && this.#client.status === 'ready';
  }

  /** Puts a movie where hosts look; one that is there already stays as it is. */
  async addMovie(movie: { jobId: string; accountId: string; credits: number }, step: MovieEntry['step']): Promise<void> {
    const { jobId, accountId, credits } = movie;
    const tag = await this.scheduler.createTag(accountId, credits);
    const ticket: MovieEntry = { accountId, credits, tag, step };
    const priority = tagPriority(tag, this.#seen.base);
    await this.#queue(moviesName).add('movie', ticket, { jobId, priority, removeOnComplete: true, removeOnFail: true });
    await this.wake();
  }

  /** Below its movie; parts that are there already stay as they are. */
  async addSegments(movie: LockedEntry<MovieEntry>, run: string, group: string, parts: readonly SharedSegment[]): Promise<void> {
    const { accountId, credits, tag: first = movie.priority } = movie.data;
    const parent = { id: movie.id, queue: this.#queue(moviesName).qualifiedName };
    const tickets = parts.map((part, place) => {
      const tag = segmentTag(first, credits, place, parts.length);
      const content: SegmentEntry = { jobId: movie.id, accountId, run, tag, part };
      const priority = tagPriority(tag, this.#seen.base);
      const opts = { jobId: `${run}-${part.index}`, priority, attempts: partAttempts, removeOnComplete: true, removeOnFail: true, parent };
      return { name: 'part', data: content, opts };
    });
    await this.#queue(partsName(group)).addBulk(tickets);
    await this.wake();
  }

  /** What comes next for a host of this group: the lowest tag, as far as it was seen lately. */
  async next(group: string): Promise<ClaimedEntry | undefined> {
    if (!this.isConnected) return undefined;
    const kinds = { movie: moviesName, part: partsName(group) };
    const isFresh = performance.now() - this.#seen.at < freshMs;
    const { movie, part } = isFresh ? this.#seen : await this.#look(kinds);
    for (const kind of (movie ?? never) < (part ?? never) ? (['movie', 'part'] as const) : (['part', 'movie'] as const)) {
      if (!isFresh && this.#seen[kind] === undefined) continue;
      const taken = await this.#take(kind, kinds[kind]);
      if (taken === undefined) continue;
      // Whoever comes next need not wait for it.
      this.scheduler.advanceTo(taken.entry.data.tag ?? taken.entry.priority).catch(() => {});
      this.#look(kinds).catch(() => {});
      return taken;
    }
    if (isFresh) this.#seen = { ...this.#seen, at: performance.now(), movie: undefined, part: undefined };
    return undefined;
  }

  async #take(kind: ClaimedEntry['kind'], name: string): Promise<ClaimedEntry | undefined> {
    const token = randomUUID();
    const ticket = await this.#worker(name).getNextJob(token, { block: false });
    if (ticket === undefined || ticket === null) return undefined;
    const { lockMs } = this.#timing;
    return kind === 'movie'
      ? { kind, entry: new LockedEntry<MovieEntry>(ticket, token, lockMs) }
      : { kind, entry: new LockedEntry<SegmentEntry>(ticket, token, lockMs) };
  }

  /** Which of these movies have a ticket. */
  async findMovies(jobIds: readonly string[]): Promise<Set<string>> {
    const asked = this.#client.pipeline();
    for (const jobId of jobIds) asked.exists(this.#queue(moviesName).toKey(jobId));
    const answers = (await asked.exec()) ?? [];
    return new Set(jobIds.filter((_id, index) => answers[index]?.[1] === 1));
  }

  /** Ids of all movies that have a ticket. */
  async listMovies(): Promise<string[]> {
    return this.#queue(moviesName).getRanges(['wait', 'active', 'prioritized', 'delayed', 'waiting-children', 'failed', 'completed'], 0, -1);
  }

  /** Movies that wait for their parts, and the groups that those are for. */
  async listWaitingForSegments(limit: number): Promise<Array<{ jobId: string; group: string | undefined }>> {
    const tickets = await this.#queue(moviesName).getJobs(['waiting-children'], 0, limit - 1);
    return tickets.filter(Boolean).map(({ id, data }) => ({ jobId: id ?? '', group: (data as MovieEntry).group }));
  }

  /** Counts priorities from the clock's place of today, where those of days ago are about to end; what is left is done at the next call. */
  async rebasePriorities(groups: Iterable<string>): Promise<void> {
    const base = await this.scheduler.rebase();
    if (base === undefined) return;
    let left = await this.#renumber(moviesName, ['prioritized', 'waiting-children', 'active'], base, renumberAtOnce);
    for (const group of groups) left = await this.#renumber(partsName(group), ['prioritized'], base, left);
  }

  async #renumber(name: string, states: JobType[], base: number, most: number): Promise<number> {
    let left = most;
    const waiting = await this.#queue(name).getJobs(states, 0, -1, true);
    for (const ticket of waiting.filter(Boolean)) {
      const { tag = ticket.priority } = ticket.data as MovieEntry | SegmentEntry;
      const priority = tagPriority(tag, base);
      if (priority === ticket.priority || left === 0) continue;
      left -= 1;
      await ticket.changePriority({ priority });
    }
    return left;
  }

  /** With its parts; false: some of them are in hand, try again later. */
  async remove(jobId: string): Promise<boolean> {
    try {
      await (await this.#queue(moviesName).getJob(jobId))?.remove({ removeChildren: true });
      return true;
    } catch {
      return false;
    }
  }

  /** Lets all hosts look at once. */
  async wake(): Promise<void> {
    await this.#client.publish(this.#wakeChannel, '1').catch(() => {});
  }

  onWake(listener: () => void): void {
    this.#listening.on('message', listener);
    this.#listening.on('ready', listener);
    this.#listening.subscribe(this.#wakeChannel).catch(() => {});
  }

  async close(): Promise<void> {
    this.#closed = true;
    const closing = [...this.#workers.values(), ...this.#queues.values()].map((one) =>
      'opts' in one && one instanceof this.#bull.Worker ? one.close(true) : one.close(),
    );
    await Promise.race([Promise.allSettled(closing), new Promise((resolve) => setTimeout(resolve, 1000).unref())]);
    for (const connection of [this.#client, this.#listening]) connection.disconnect();
  }

  get #wakeChannel(): string {
    return `${this.#prefix}:wake`;
  }

  /** Notes the place on the clock of what each queue would give; undefined: nothing. What was lost goes before all else. */
  async #look(kinds: Record<ClaimedEntry['kind'], string>): Promise<Seen> {
    const names = [kinds.movie, kinds.part];
    const asked = this.#client.pipeline();
    for (const name of names) asked.llen(this.#queue(name).toKey('wait')).zrange(this.#queue(name).toKey('prioritized'), '0', '0', 'WITHSCORES');
    const answers = (await asked.get(this.scheduler.baseKey).exec()) ?? [];
    const [movie, part] = names.map((_name, index) => {
      if (Number(answers[index * 2]?.[1]) > 0) return 0;
      const [, score] = (answers[index * 2 + 1]?.[1] ?? []) as string[];
      return score === undefined ? undefined : Math.floor(Number(score) / priorityUnit);
    });
    this.#seen = { at: performance.now(), base: Number(answers.at(-1)?.[1] ?? 0), movie, part };
    return this.#seen;
  }

  #queue(name: string): Queue {
    const known = this.#queues.get(name);
    if (known !== undefined) return known;
    const queue = new this.#bull.Queue(name, { connection: this.#client, prefix: this.#prefix, streams: { events: { maxLen: 100 } } });
    queue.on('error', () => {});
    this.#queues.set(name, queue);
    return queue;
  }

  #worker(name: string): Worker {
    const known = this.#workers.get(name);
    if (known !== undefined) return known;
    const { lockMs, lookMs } = this.#timing;
    const settings = {
      connection: this.#client,
      prefix: this.#prefix,
      autorun: false,
      lockDuration: lockMs,
      stalledInterval: lookMs,
      maxStalledCount: everStalled,
    };
    const worker = new this.#bull.Worker(name, null, settings);
    worker.on('error', () => {});
    worker.on('stalled', () => void this.wake());
    void worker.startStalledCheckTimer().catch(() => {});
    this.#workers.set(name, worker);
    return worker;
  }
}

const partsName = (group: string): string => `parts-${group}`;

/** Once when it is lost, and once when it is back. */
function tellOfLoss(connection: Redis, log: RenderQueueOptions['log']): void {
  let isLost = false;
  connection.on('error', (error) => {
    if (!isLost) log.warn({ err: error }, 'Redis cannot be reached: no further parts of movies are taken up until it is back');
    isLost = true;
  });
  connection.on('ready', () => {
    if (isLost) log.info({}, 'Redis can be reached again: the farm goes on');
    isLost = false;
  });
}
