import { type FileHandle, open } from 'node:fs/promises';
import { DatabaseUnavailableError } from '../errors/index.js';

/**
 * Makes commits of SQLite durable without blocking the event loop, as a sync within SQLite would: commits are written to the write-ahead log,
 * which a thread of the pool then syncs, once for all commits that were written before the sync began. Checkpoints sync the log themselves.
 */
export class WalSync {
  readonly #path: string;
  #file: Promise<FileHandle> | undefined;
  #running: Promise<void> = Promise.resolve();
  /** The sync after the running one, for which commits wait that were written since that began. */
  #next: Promise<void> | undefined;

  /** `databasePath`: the main file of the database. */
  constructor(databasePath: string) {
    this.#path = `${databasePath}-wal`;
  }

  /** Resolves when everything is durable that was committed before the call. Rejects with DatabaseUnavailableError if the disk fails. */
  flush(): Promise<void> {
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#running = this.#sync();
        this.#next = undefined;
        return this.#running;
      });
    return this.#next;
  }

  async close(): Promise<void> {
    await this.flush().catch(() => {});
    await (await this.#file?.catch(() => undefined))?.close();
    this.#file = undefined;
  }

  async #sync(): Promise<void> {
    try {
      // The file exists after the first commit, and until the last connection of any process is closed.
      this.#file ??= open(this.#path, 'r');
      await (await this.#file).datasync();
    } catch (error) {
      this.#file = undefined;
      throw new DatabaseUnavailableError(error);
    }
  }
}
