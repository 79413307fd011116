import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../accounts/index.js';
import { outputStem, type Storage, type StoredEntry } from '../../storage/index.js';
import type { Log, OutputRecord, OutputRecordStore } from '../index.js';

/** Dependencies and periods of retention. */
export interface RetentionOptions {
  outputs: OutputRecordStore;
  storage: Storage;
  /** Removes orphaned temporary folders and returns their number. */
  removeLeftovers: () => Promise<number>;
  /** How long outputs are retained (ms); undefined: forever. */
  outputRetentionMs: number | undefined;
  /** How long outputs, scripts and client data of sandbox jobs are retained (ms). */
  sandboxRetentionMs: number;
  /** Called after files were removed. */
  onRemoved: (reason: 'expired' | 'abandoned', files: number, bytes: number) => void;
  clock: Clock;
  log: Log;
  /** Interval between two runs; default 10 min. */
  intervalMs?: number;
}

const batchSize = 50;
/** Pause between two batches, so that requests come first. */
const batchPauseMs = 20;
/** How far the wall clock may run ahead of the monotonic clock before expiry is suspended, and for how long. */
const maxClockJumpMs = 60_000;
const suspendMs = 3_600_000;

/** Removes expired outputs and files that crashes left. */
export class Retention {
  readonly #parts: RetentionOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #lastClock: { wall: number; monotonic: number };
  #suspendedUntil = Number.NEGATIVE_INFINITY;

  constructor(parts: RetentionOptions) {
    this.#parts = parts;
    this.#lastClock = { wall: parts.clock.now(), monotonic: parts.clock.monotonic() };
  }

  start(): void {
    this.#timer = setInterval(() => void this.run(), this.#parts.intervalMs ?? 600_000);
    void this.run();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#running;
  }

  /** Runs once, after a run in progress. Never rejects. */
  run(): Promise<void> {
    this.#running = this.#running.then(() => this.#runOnce());
    return this.#running;
  }

  async #runOnce(): Promise<void> {
    const tasks: ReadonlyArray<() => Promise<void>> = [() => this.#removeExpired(), () => this.#removeOrphans(), () => this.#removeFolders()];
    for (const task of tasks) {
      try {
        if (!this.#stopping.signal.aborted) await task();
      } catch (error) {
        this.#parts.log.error({ err: error }, 'retention failed; retrying at the next interval');
      }
    }
  }

  async #removeExpired(): Promise<void> {
    if (!this.#isClockTrusted()) return;
    const { outputs, outputRetentionMs, sandboxRetentionMs, clock } = this.#parts;
    const before = (ageMs: number): string => new Date(clock.now() - ageMs).toISOString();
    if (outputRetentionMs !== undefined && !(await this.#removeOlder('live', before(outputRetentionMs)))) return;
    if (!(await this.#removeOlder('test', before(sandboxRetentionMs)))) return;
    while ((await outputs.clearSandboxScripts(before(sandboxRetentionMs), batchSize)) > 0) if (!(await this.#pause())) return;
  }

  /** Removes outputs of jobs that completed before a time (ISO 8601). Returns false if retention is stopping. */
  async #removeOlder(mode: 'live' | 'test', before: string): Promise<boolean> {
    const { outputs, storage, clock, onRemoved, log } = this.#parts;
    for (;;) {
      const expired = await outputs.listExpired(mode, before, batchSize);
      if (expired.length === 0) return true;
      for (const name of expired.flatMap(({ files }) => files)) await storage.remove(name);
      const jobIds = expired.map(({ jobId }) => jobId);
      await outputs.markRemoved(jobIds, new Date(clock.now()).toISOString());
      const bytes = expired.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      const files = expired.reduce((sum, output) => sum + output.files.length, 0);
      onRemoved('expired', files, bytes);
      log.info({ files, bytes }, 'removed expired outputs');
      if (!(await this.#pause())) return false;
    }
  }

  /** A clock that jumps ahead must not expire every output. */
  #isClockTrusted(): boolean {
    const { clock, log } = this.#parts;
    const [wall, monotonic] = [clock.now(), clock.monotonic()];
    const gained = wall - this.#lastClock.wall - (monotonic - this.#lastClock.monotonic);
    this.#lastClock = { wall, monotonic };
    if (gained > maxClockJumpMs) {
      this.#suspendedUntil = monotonic + suspendMs;
      log.warn({ seconds: Math.round(gained / 1000) }, 'the clock was set forward; no output expires for an hour');
    } else if (gained < -maxClockJumpMs) this.#suspendedUntil = Number.NEGATIVE_INFINITY;
    return monotonic >= this.#suspendedUntil;
  }

  async #removeOrphans(): Promise<void> {
    let batch: StoredEntry[] = [];
    for await (const entry of this.#parts.storage.list()) {
      batch.push(entry);
      if (batch.length < batchSize) continue;
      await this.#removeOrphansIn(batch);
      batch = [];
      if (!(await this.#pause())) return;
    }
    if (batch.length > 0) await this.#removeOrphansIn(batch);
  }

  /** Files are listed before rows are read, so a file that no row owns now will not get an owner. */
  async #removeOrphansIn(entries: readonly StoredEntry[]): Promise<void> {
    const { outputs, onRemoved, log } = this.#parts;
    const jobIds = [...new Set(entries.map(({ name }) => name.slice(0, 36)))];
    const records = new Map((await outputs.find(jobIds)).map((record) => [record.jobId, record]));
    const orphans = entries.filter((entry) => isOrphan(entry, records.get(entry.name.slice(0, 36))));
    for (const entry of orphans) await entry.remove();
    if (orphans.length === 0) return;
    onRemoved('abandoned', orphans.length, 0);
    log.warn({ files: orphans.length }, 'removed orphaned output files');
  }

  async #removeFolders(): Promise<void> {
    const folders = await this.#parts.removeLeftovers();
    if (folders > 0) this.#parts.log.warn({ folders }, 'removed orphaned temporary folders');
  }

  /** Returns false if retention is stopping. */
  async #pause(): Promise<boolean> {
    await sleep(batchPauseMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
    return !this.#stopping.signal.aborted;
  }
}

function isOrphan({ name, isWhole }: StoredEntry, record: OutputRecord | undefined): boolean {
  // The file belongs to another database or to the operator.
  if (record === undefined) return false;
  // All files of an attempt have the same stem.
  if (record.outputName === null || outputStem(record.outputName) !== outputStem(name)) return true;
  return isWhole ? record.removedAt !== null : record.status !== 'processing';
}
