import { type FileHandle, open } from 'node:fs/promises';
import { DatabaseUnavailableError } from '../errors/index.js';

/**
 * Makes commits of SQLite durable without blocking the event loop, as a sync within SQLite would: commits are written to the write-ahead log,
 * which a thread of the pool then syncs, once for all commits that were written before the sync began. Checkpoints sync the log themselves.
 */
export class WalSync {
  readonly #path: string;
  readonly #checkpoint: () => Promise<void>;
  #file: FileHandle | undefined;
  #running: Promise<void> = Promise.resolve();
  /** The sync after the running one, for which commits wait that were written since that began. */
  #next: Promise<void> | undefined;
  /** A sync has failed, after which the log may have a gap that later syncs do not report. */
  #hasFailed = false;
  #isClosed = false;

  /**
   * `databasePath`: the main file of the database. `checkpoint` copies the log to the main file, syncs it and empties the log; it rejects if it cannot.
   */
  constructor(databasePath: string, checkpoint: () => Promise<void>) {
    this.#path = `${databasePath}-wal`;
    this.#checkpoint = checkpoint;
  }

  /** Resolves when everything is durable that was committed before the call. Rejects with DatabaseUnavailableError if the disk fails. */
  flush(): Promise<void> {
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#running = this.#makeDurable();
        this.#next = undefined;
        return this.#running;
      });
    return this.#next;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running.catch(() => {});
    await this.#closeFile();
  }

  async #makeDurable(): Promise<void> {
    try {
      // The kernel reports a failed write once: only what the main file has got since is certain.
      if (this.#hasFailed) await this.#checkpoint();
      else await this.#sync();
      this.#hasFailed = false;
    } catch (error) {
      this.#hasFailed = true;
      await this.#closeFile();
      throw new DatabaseUnavailableError(error);
    }
  }

  async #sync(): Promise<void> {
    if (this.#isClosed) return;
    // The file exists after the first commit, and until the last connection of any process is closed.
    this.#file ??= await open(this.#path, 'r');
    await this.#file.datasync();
  }

  async #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close().catch(() => {});
  }
}
