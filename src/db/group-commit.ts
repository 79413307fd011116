import { type Kysely, sql, type Transaction } from 'kysely';
import { isPostgres } from './dialects.js';
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
  /** Waiting members of each group that is being committed. */
  readonly #groups = new Map<string, Member[]>();

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /**
   * Runs an account's work in the next group. Rejects if the work throws or the commit fails. On PostgreSQL each account has
   * groups of its own, so that one whose row is locked holds up no other; SQLite has one writer and thus one group.
   */
  run<T>(accountId: string, work: Work<T>): Promise<T> {
    const key = isPostgres(this.#db) ? accountId : '';
    return new Promise<T>((resolve, reject) => {
      const member = { work, resolve: resolve as Member['resolve'], reject };
      const waiting = this.#groups.get(key);
      if (waiting !== undefined) {
        waiting.push(member);
        return;
      }
      this.#groups.set(key, [member]);
      // Work queued in the same event loop iteration joins the group.
      setImmediate(() => void this.#drain(key));
    });
  }

  async #drain(key: string): Promise<void> {
    for (let waiting = this.#groups.get(key) ?? []; waiting.length > 0; ) {
      await this.#commit(waiting.splice(0, maxGroupSize));
      // Let responses and new requests through before the next group.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#groups.delete(key);
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
