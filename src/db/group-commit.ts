import { type Kysely, sql, type Transaction } from 'kysely';
import { DatabaseUnavailableError } from '../errors/index.js';
import { isPostgres } from './dialects.js';
import type { Database } from './tables.js';

type Work<T> = (trx: Transaction<Database>) => Promise<T>;

interface Member {
  accountId: string;
  work: Work<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  /** The account's row was locked by another process: its work runs in a group of its own, which waits longer. */
  isBlocked?: boolean;
}

/** Maximum pieces of work per transaction; bounds how long one group blocks the writer. */
const maxGroupSize = 100;
/** Maximum groups of a process that commit at once on PostgreSQL; fewer than its connections. */
const maxConcurrentGroups = 4;
/** How long a group of several accounts waits for a locked one, while it holds the locks of the others. */
const sharedLockTimeout = sql`set local lock_timeout = '300ms'`;

/**
 * Group commit: concurrent work shares one transaction and thus one disk sync, the main cost of a small write.
 * Each piece runs in its own savepoint: one that throws is rolled back without affecting the others.
 * Work must await nothing but its own queries, because the whole group waits for it, and it may run twice.
 * Promises settle after the commit. SQLite commits one group at a time; on PostgreSQL groups of different accounts
 * commit beside each other.
 */
export class GroupCommit {
  readonly #db: Kysely<Database>;
  readonly #isPostgres: boolean;
  #waiting: Member[] = [];
  /** Accounts of the groups that are being committed. */
  readonly #busyAccounts = new Set<string>();
  #groupCount = 0;

  constructor(db: Kysely<Database>) {
    this.#db = db;
    this.#isPostgres = isPostgres(db);
  }

  /** Runs an account's work in the next group. Rejects if the work throws or the commit fails. */
  run<T>(accountId: string, work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#enqueue({ accountId, work, resolve: resolve as Member['resolve'], reject });
    });
  }

  #enqueue(member: Member): void {
    this.#waiting.push(member);
    // Work queued in the same event loop iteration joins the group; responses and new requests go before the next one.
    setImmediate(() => void this.#runGroup());
  }

  async #runGroup(): Promise<void> {
    if (this.#groupCount >= (this.#isPostgres ? maxConcurrentGroups : 1)) return;
    const members = this.#takeGroup();
    if (members.length === 0) return;
    const accounts = new Set(members.map(({ accountId }) => accountId));
    this.#groupCount += 1;
    for (const account of accounts) this.#busyAccounts.add(account);
    await this.#commit(members, accounts.size > 1 && this.#isPostgres);
    for (const account of accounts) this.#busyAccounts.delete(account);
    this.#groupCount -= 1;
    if (this.#waiting.length > 0) setImmediate(() => void this.#runGroup());
  }

  /** Takes the next members off the queue, on PostgreSQL in the order of their accounts, so that groups of two processes cannot deadlock. */
  #takeGroup(): Member[] {
    const free = this.#waiting.filter(({ accountId }) => !this.#busyAccounts.has(accountId));
    const [first] = free;
    if (first === undefined) return [];
    const group = free.filter((member) => (first.isBlocked ? member.accountId === first.accountId : !member.isBlocked)).slice(0, maxGroupSize);
    const taken = new Set(group);
    this.#waiting = this.#waiting.filter((member) => !taken.has(member));
    return this.#isPostgres ? group.sort((a, b) => (a.accountId < b.accountId ? -1 : Number(a.accountId > b.accountId))) : group;
  }

  async #commit(members: readonly Member[], isShared: boolean): Promise<void> {
    const settlers: Array<() => void> = [];
    const blocked = new Set<string>();
    const retry = (member: Member) => (): void => this.#enqueue({ ...member, isBlocked: true });
    try {
      await this.#db.transaction().execute(async (trx) => {
        if (isShared) await sharedLockTimeout.execute(trx);
        for (const member of members) {
          const { accountId } = member;
          const outcome = blocked.has(accountId) ? undefined : await runInSavepoint(trx, member);
          const isBlocked = outcome === undefined || (isShared && outcome.error instanceof DatabaseUnavailableError);
          if (isBlocked) blocked.add(accountId);
          settlers.push(isBlocked ? retry(member) : outcome.settle);
        }
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

/** Runs a member's work; `settle` settles its promise after the commit. */
async function runInSavepoint(trx: Transaction<Database>, { work, resolve, reject }: Member): Promise<{ settle(): void; error?: unknown }> {
  await createSavepoint.execute(trx);
  try {
    const result = await work(trx);
    await releaseSavepoint.execute(trx);
    return { settle: () => resolve(result) };
  } catch (error) {
    // A full disk aborts the whole transaction: then this fails too, and the group with it.
    await rollbackToSavepoint.execute(trx);
    await releaseSavepoint.execute(trx);
    return { settle: () => reject(error), error };
  }
}
