import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../accounts/index.js';
import type { Storage, StoredEntry } from '../../storage/index.js';
import type { Log, OutputRecord, OutputRecordStore } from '../index.js';

export interface RetentionOptions {
  outputs: OutputRecordStore;
  storage: Storage;
  /** Removes temporary folders that nobody works in; how many there were. */
  removeLeftovers: () => Promise<number>;
  /** How long finished films are kept; undefined: for ever. */
  outputRetentionMs: number | undefined;
  /** Told of what was removed. */
  onRemoved: (reason: 'expired' | 'abandoned', files: number, bytes: number) => void;
  clock: Clock;
  log: Log;
  /** Between two looks. */
  pauseMs?: number;
}

const stepSize = 50;
/** Between two steps: who asks for something comes first. */
const stepPauseMs = 20;
/** What a clock may gain on one that never jumps before it is doubted, and how long it is. */
const believedJumpMs = 60_000;
const doubtMs = 3_600_000;

/** Removes finished films whose time has passed, and what crashes left of others. */
export class Retention {
  readonly #parts: RetentionOptions;
  readonly #stopping = new AbortController();
  #looking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #lastLook: { wall: number; monotonic: number };
  #doubtedUntil = Number.NEGATIVE_INFINITY;

  constructor(parts: RetentionOptions) {
    this.#parts = parts;
    this.#lastLook = { wall: parts.clock.now(), monotonic: parts.clock.monotonic() };
  }

  start(): void {
    this.#timer = setInterval(() => void this.run(), this.#parts.pauseMs ?? 600_000);
    void this.run();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#looking;
  }

  /** One look at everything, after the one in hand. Never rejects. */
  run(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#look());
    return this.#looking;
  }

  async #look(): Promise<void> {
    const tasks: ReadonlyArray<() => Promise<void>> = [() => this.#removeExpired(), () => this.#removeAbandoned(), () => this.#removeFolders()];
    for (const task of tasks) {
      try {
        if (!this.#stopping.signal.aborted) await task();
      } catch (error) {
        this.#parts.log.error({ err: error }, 'what has outlived its time could not be removed; it is tried again');
      }
    }
  }

  async #removeExpired(): Promise<void> {
    const { outputs, storage, outputRetentionMs: outputMs, clock, onRemoved, log } = this.#parts;
    if (outputMs === undefined || !this.#believesClock()) return;
    const before = new Date(clock.now() - outputMs).toISOString();
    for (;;) {
      const expired = await outputs.listExpired(before, stepSize);
      if (expired.length === 0) return;
      for (const { name } of expired) await storage.remove(name);
      const jobIds = expired.map(({ jobId }) => jobId);
      await outputs.markRemoved(jobIds, new Date(clock.now()).toISOString());
      const bytes = expired.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      onRemoved('expired', expired.length, bytes);
      log.info({ files: expired.length, bytes }, 'films whose time had passed were removed');
      if (!(await this.#pause())) return;
    }
  }

  /** A clock that is suddenly years ahead must not cost all films. */
  #believesClock(): boolean {
    const { clock, log } = this.#parts;
    const [wall, monotonic] = [clock.now(), clock.monotonic()];
    const gained = wall - this.#lastLook.wall - (monotonic - this.#lastLook.monotonic);
    this.#lastLook = { wall, monotonic };
    if (gained > believedJumpMs) {
      this.#doubtedUntil = monotonic + doubtMs;
      log.warn({ seconds: Math.round(gained / 1000) }, 'the clock was set forward: no film is removed for its age for an hour');
    } else if (gained < -believedJumpMs) this.#doubtedUntil = Number.NEGATIVE_INFINITY;
    return monotonic >= this.#doubtedUntil;
  }

  async #removeAbandoned(): Promise<void> {
    let step: StoredEntry[] = [];
    for await (const entry of this.#parts.storage.list()) {
      step.push(entry);
      if (step.length < stepSize) continue;
      await this.#removeAbandonedOf(step);
      step = [];
      if (!(await this.#pause())) return;
    }
    if (step.length > 0) await this.#removeAbandonedOf(step);
  }

  /** The folder was read before the rows are: a file without a row that owns it has none coming. */
  async #removeAbandonedOf(entries: readonly StoredEntry[]): Promise<void> {
    const { outputs, onRemoved, log } = this.#parts;
    const jobIds = [...new Set(entries.map(({ name }) => name.slice(0, 36)))];
    const records = new Map((await outputs.find(jobIds)).map((record) => [record.jobId, record]));
    const abandoned = entries.filter((entry) => isAbandoned(entry, records.get(entry.name.slice(0, 36))));
    for (const entry of abandoned) await entry.remove();
    if (abandoned.length === 0) return;
    onRemoved('abandoned', abandoned.length, 0);
    log.warn({ files: abandoned.length }, 'files that a crash left among the films were removed');
  }

  async #removeFolders(): Promise<void> {
    const folders = await this.#parts.removeLeftovers();
    if (folders > 0) this.#parts.log.warn({ folders }, 'temporary folders that nobody worked in were removed');
  }

  /** False: it is time to stop. */
  async #pause(): Promise<boolean> {
    await sleep(stepPauseMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
    return !this.#stopping.signal.aborted;
  }
}

function isAbandoned({ name, isWhole }: StoredEntry, record: OutputRecord | undefined): boolean {
  // Another database's, or an operator's own.
  if (record === undefined) return false;
  if (record.outputName !== name) return true;
  return isWhole ? record.removedAt !== null : record.status !== 'processing';
}
