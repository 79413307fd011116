import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from './tables.js';

type Work<T> = (trx: Transaction<Database>) => Promise<T>;

interface Member {
  work: Work<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Maximum pieces of work per transaction; bounds how long one group blocks the writer. */
const maxGroupSize = 100;

/**
 * Group commit: concurrent work shares one transaction and thus one disk sync, the main cost of a small write.
 * Each piece runs in its own savepoint: one that throws is rolled back without affecting the others.
 * Work must await nothing but its own queries, because the whole group waits for it.
 * Promises settle after the commit.
 */
export class GroupCommit {
  readonly #db: Kysely<Database>;
  #waiting: Member[] = [];
  #draining = false;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /** Runs work in the next group. Rejects if the work throws or the commit fails. */
  run<T>(work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as Member['resolve'], reject });
      if (this.#draining) return;
      this.#draining = true;
      // Work queued in the same event loop iteration joins the group.
      setImmediate(() => void this.#drain());
    });
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#commit(this.#waiting.splice(0, maxGroupSize));
      // Let responses and new requests through before the next group.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#draining = false;
  }

  async #commit(members: readonly Member[]): Promise<void> {
    const settlers: Array<() => void> = [];
    try {
      await this.#db.transaction().execute(async (trx) => {
        for (const member of members) settlers.push(await runInSavepoint(trx, member));
      });
    } catch (error) {
      // The transaction was rolled back, whatever the members' outcomes were.
      for (const { reject } of members) reject(error);
      return;
    }
    for (const settle of settlers) settle();
  }
}

const createSavepoint = sql`savepoint member`;
const releaseSavepoint = sql`release member`;
const rollbackToSavepoint = sql`rollback to member`;

/** Runs a member's work; the result settles its promise after the commit. */
async function runInSavepoint(trx: Transaction<Database>, { work, resolve, reject }: Member): Promise<() => void> {
  await createSavepoint.execute(trx);
  try {
    const result = await work(trx);
    await releaseSavepoint.execute(trx);
    return () => resolve(result);
  } catch (error) {
    // A full disk aborts the whole transaction: then this fails too, and the group with it.
    await rollbackToSavepoint.execute(trx);
    await releaseSavepoint.execute(trx);
    return () => reject(error);
  }
}
