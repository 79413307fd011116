import { randomUUID } from 'node:crypto';
import type { JobType, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { SharedSegment } from '../bundle-store.js';
import { FairScheduler, segmentTag, tagPriority } from './fair-scheduler.js';
import { LockedEntry } from './locked-entry.js';

/** Queue entry of a movie; its id is the job id. Field names are stored in Redis. */
export interface MovieEntry {
  accountId: string;
  credits: number;
  /** Start tag of the fair scheduler; old entries have it as their priority. */
  tag?: number;
  /** The step before or after its segments. */
  step: 'layout' | 'stitch';
  /** Group of the hosts that render its segments. */
  group?: string;
}

/** Queue entry of a segment. Field names are stored in Redis. */
export interface SegmentEntry {
  jobId: string;
  accountId: string;
  run: string;
  tag?: number;
  part: SharedSegment;
}

/** An entry claimed by this host. */
export type ClaimedEntry = { kind: 'movie'; entry: LockedEntry<MovieEntry> } | { kind: 'part'; entry: LockedEntry<SegmentEntry> };

/** Connection and timing of the queue. */
export interface RenderQueueOptions {
  url: string;
  log: { warn(fields: object, text: string): void; info(fields: object, text: string): void };
  timing?: Partial<QueueTiming>;
  prefix?: string;
}

/** Timing of locks. */
export interface QueueTiming {
  /** How long a lock lasts: a host that does not renew it loses the entry. */
  lockMs: number;
  /** Interval of the check for expired locks. */
  stalledCheckMs: number;
}

/** Default timing. */
export const queueTiming: Readonly<QueueTiming> = Object.freeze({ lockMs: 6000, stalledCheckMs: 2000 });

interface QueueHeads extends Record<ClaimedEntry['kind'], number | undefined> {
  at: number;
  /** Tag that priorities are relative to. */
  base: number;
}

/** Maximum attempts of a segment; a lost host does not count. */
const maxSegmentAttempts = 2;
/** How long cached queue heads are valid; longer than the poll interval of an idle host, to save a round trip. */
const headsMaxAgeMs = 1500;
const maxRebasedEntries = 2000;
const never = Number.POSITIVE_INFINITY;
const maxStalledCount = 1_000_000;
const moviesName = 'movies';
const priorityUnit = 2 ** 32;
/** Timeout of a Redis command (ms). */
const commandMs = 5000;

/**
 * The render farm's queues in Redis: one of movies, and one of segments per host group. A movie's entry is
 * the parent of its segments' entries (a BullMQ flow). All entries can be rebuilt from the database and the object store.
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
  #heads: QueueHeads = { at: Number.NEGATIVE_INFINITY, base: 0, movie: undefined, part: undefined };
  #closed = false;

  private constructor(bull: typeof import('bullmq'), client: Redis, listening: Redis, { timing, prefix = 'framewright' }: RenderQueueOptions) {
    this.#bull = bull;
    this.#client = client;
    this.#listening = listening;
    this.#prefix = prefix;
    this.#timing = { ...queueTiming, ...timing };
    this.scheduler = new FairScheduler(client, prefix);
  }

  /** Opens the queue; connects in the background. */
  static async open(parts: RenderQueueOptions): Promise<RenderQueue> {
    const [bull, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')]);
    const settings = { connectTimeout: 5000, keepAlive: 10_000, retryStrategy: (tries: number): number => Math.min(1000, 50 * 2 ** Math.min(tries, 6)) };
    const client = new Redis(parts.url, { ...settings, enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: commandMs });
    // A subscribed connection cannot run other commands.
    const listening = new Redis(parts.url, { ...settings, maxRetriesPerRequest: null });
    logConnectionLoss(client, parts.log);
    listening.on('error', () => {});
    return new RenderQueue(bull, client, listening, parts);
  }

  get client(): Redis {
    return this.#client;
  }

  get prefix(): string {
    return this.#prefix;
  }

  /** Interval of lock renewals (ms). */
  get renewMs(): number {
    return this.#timing.lockMs / 3;
  }

  get isConnected(): boolean {
    return !this.#closed && this.#client.status === 'ready';
  }

  /** Queues a movie; an existing entry stays as it is. */
  async addMovie(movie: { jobId: string; accountId: string; credits: number }, step: MovieEntry['step']): Promise<void> {
    const { jobId, accountId, credits } = movie;
    const tag = await this.scheduler.createTag(accountId, credits);
    const entry: MovieEntry = { accountId, credits, tag, step };
    const priority = tagPriority(tag, this.#heads.base);
    await this.#queue(moviesName).add('movie', entry, { jobId, priority, removeOnComplete: true, removeOnFail: true });
    await this.wake();
  }

  /** Queues segments as children of their movie; existing entries stay as they are. */
  async addSegments(movie: LockedEntry<MovieEntry>, run: string, group: string, parts: readonly SharedSegment[]): Promise<void> {
    const { accountId, credits, tag: first = movie.priority } = movie.data;
    const parent = { id: movie.id, queue: this.#queue(moviesName).qualifiedName };
    const entries = parts.map((part, place) => {
      const tag = segmentTag(first, credits, place, parts.length);
      const content: SegmentEntry = { jobId: movie.id, accountId, run, tag, part };
      const priority = tagPriority(tag, this.#heads.base);
      const opts = { jobId: `${run}-${part.index}`, priority, attempts: maxSegmentAttempts, removeOnComplete: true, removeOnFail: true, parent };
      return { name: 'part', data: content, opts };
    });
    await this.#queue(partsName(group)).addBulk(entries);
    await this.wake();
  }

  /** Claims the entry with the lowest tag for a host of this group, as of the cached queue heads. */
  async next(group: string): Promise<ClaimedEntry | undefined> {
    if (!this.isConnected) return undefined;
    const kinds = { movie: moviesName, part: partsName(group) };
    const isFresh = performance.now() - this.#heads.at < headsMaxAgeMs;
    const { movie, part } = isFresh ? this.#heads : await this.#readHeads(kinds);
    for (const kind of (movie ?? never) < (part ?? never) ? (['movie', 'part'] as const) : (['part', 'movie'] as const)) {
      if (!isFresh && this.#heads[kind] === undefined) continue;
      const taken = await this.#claim(kind, kinds[kind]);
      if (taken === undefined) continue;
      // Not awaited: the next claim does not depend on it.
      this.scheduler.advanceTo(taken.entry.data.tag ?? taken.entry.priority).catch(() => {});
      this.#readHeads(kinds).catch(() => {});
      return taken;
    }
    if (isFresh) this.#heads = { ...this.#heads, at: performance.now(), movie: undefined, part: undefined };
    return undefined;
  }

  async #claim(kind: ClaimedEntry['kind'], name: string): Promise<ClaimedEntry | undefined> {
    const token = randomUUID();
    const entry = await this.#worker(name).getNextJob(token, { block: false });
    if (entry === undefined || entry === null) return undefined;
    const { lockMs } = this.#timing;
    return kind === 'movie'
      ? { kind, entry: new LockedEntry<MovieEntry>(entry, token, lockMs) }
      : { kind, entry: new LockedEntry<SegmentEntry>(entry, token, lockMs) };
  }

  /** Returns which of these movies have an entry. */
  async findMovies(jobIds: readonly string[]): Promise<Set<string>> {
    const asked = this.#client.pipeline();
    for (const jobId of jobIds) asked.exists(this.#queue(moviesName).toKey(jobId));
    const answers = (await asked.exec()) ?? [];
    return new Set(jobIds.filter((_id, index) => answers[index]?.[1] === 1));
  }

  /** Ids of all movies that have an entry. */
  async listMovies(): Promise<string[]> {
    return this.#queue(moviesName).getRanges(['wait', 'active', 'prioritized', 'delayed', 'waiting-children', 'failed', 'completed'], 0, -1);
  }

  /** Lists movies that wait for segments, with the segments' host group. */
  async listWaitingForSegments(limit: number): Promise<Array<{ jobId: string; group: string | undefined }>> {
    const entries = await this.#queue(moviesName).getJobs(['waiting-children'], 0, limit - 1);
    return entries.filter(Boolean).map(({ id, data }) => ({ jobId: id ?? '', group: (data as MovieEntry).group }));
  }

  /** Rebases priorities before they reach BullMQ's maximum; a bounded number of entries per call. */
  async rebasePriorities(groups: Iterable<string>): Promise<void> {
    const base = await this.scheduler.rebase();
    if (base === undefined) return;
    let left = await this.#rebase(moviesName, ['prioritized', 'waiting-children', 'active'], base, maxRebasedEntries);
    for (const group of groups) left = await this.#rebase(partsName(group), ['prioritized'], base, left);
  }

  async #rebase(name: string, states: JobType[], base: number, maxCount: number): Promise<number> {
    let left = maxCount;
    const waiting = await this.#queue(name).getJobs(states, 0, -1, true);
    for (const entry of waiting.filter(Boolean)) {
      const { tag = entry.priority } = entry.data as MovieEntry | SegmentEntry;
      const priority = tagPriority(tag, base);
      if (priority === entry.priority || left === 0) continue;
      left -= 1;
      await entry.changePriority({ priority });
    }
    return left;
  }

  /** Removes a movie with its segments. Returns false if some are being rendered; try again later. */
  async remove(jobId: string): Promise<boolean> {
    try {
      await (await this.#queue(moviesName).getJob(jobId))?.remove({ removeChildren: true });
      return true;
    } catch {
      return false;
    }
  }

  /** Notifies all hosts. */
  async wake(): Promise<void> {
    await this.#client.publish(this.#wakeChannel, '1').catch(() => {});
  }

  /** Calls the listener when entries may be available. */
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

  /** Reads the tag at the head of each queue; undefined if it is empty. Entries of lost hosts come first. */
  async #readHeads(kinds: Record<ClaimedEntry['kind'], string>): Promise<QueueHeads> {
    const names = [kinds.movie, kinds.part];
    const asked = this.#client.pipeline();
    for (const name of names) asked.llen(this.#queue(name).toKey('wait')).zrange(this.#queue(name).toKey('prioritized'), '0', '0', 'WITHSCORES');
    const answers = (await asked.get(this.scheduler.baseKey).exec()) ?? [];
    const [movie, part] = names.map((_name, index) => {
      if (Number(answers[index * 2]?.[1]) > 0) return 0;
      const [, score] = (answers[index * 2 + 1]?.[1] ?? []) as string[];
      return score === undefined ? undefined : Math.floor(Number(score) / priorityUnit);
    });
    this.#heads = { at: performance.now(), base: Number(answers.at(-1)?.[1] ?? 0), movie, part };
    return this.#heads;
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
    const { lockMs, stalledCheckMs } = this.#timing;
    const settings = {
      connection: this.#client,
      prefix: this.#prefix,
      autorun: false,
      lockDuration: lockMs,
      stalledInterval: stalledCheckMs,
      maxStalledCount,
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

/** Logs once when the connection is lost and once when it is back. */
function logConnectionLoss(connection: Redis, log: RenderQueueOptions['log']): void {
  let isLost = false;
  connection.on('error', (error) => {
    if (!isLost) log.warn({ err: error }, 'Redis is unreachable; no segments are claimed until it is back');
    isLost = true;
  });
  connection.on('ready', () => {
    if (isLost) log.info({}, 'Redis is reachable again; the render farm resumes');
    isLost = false;
  });
}
