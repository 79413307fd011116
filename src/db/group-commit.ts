import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from './tables.js';

type Work<T> = (trx: Transaction<Database>) => Promise<T>;

interface Member {
  work: Work<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** So that no group holds up the process for long. */
const maxMembers = 100;

/**
 * Work that arrives together shares one transaction and so one wait for the disk, which is what a small write costs most.
 * Each piece stands in a savepoint of its own: one that throws leaves nothing behind and does not touch the others.
 * A piece waits for nothing but its queries, since everybody waits for it.
 * Nobody is answered before the commit.
 */
export class GroupCommit {
  readonly #db: Kysely<Database>;
  #waiting: Member[] = [];
  #working = false;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  run<T>(work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as Member['resolve'], reject });
      if (this.#working) return;
      this.#working = true;
      // What else this turn of the event loop brings still joins.
      setImmediate(() => void this.#workOff());
    });
  }

  async #workOff(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#commit(this.#waiting.splice(0, maxMembers));
      // Answers go out and requests come in before the next group.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#working = false;
  }

  async #commit(members: readonly Member[]): Promise<void> {
    const answers: Array<() => void> = [];
    try {
      await this.#db.transaction().execute(async (trx) => {
        for (const member of members) answers.push(await runApart(trx, member));
      });
    } catch (error) {
      // Nothing of it is in the database, whatever the pieces thought.
      for (const { reject } of members) reject(error);
      return;
    }
    for (const answer of answers) answer();
  }
}

const open = sql`savepoint member`;
const keep = sql`release member`;
const undo = sql`rollback to member`;

/** What to tell the member once the others' work is committed as well. */
async function runApart(trx: Transaction<Database>, { work, resolve, reject }: Member): Promise<() => void> {
  await open.execute(trx);
  try {
    const result = await work(trx);
    await keep.execute(trx);
    return () => resolve(result);
  } catch (error) {
    // A full disk ends the whole transaction: then this fails too, and with it the group.
    await undo.execute(trx);
    await keep.execute(trx);
    return () => reject(error);
  }
}
