import { type Kysely, sql, type Transaction } from 'kysely';
import { DatabaseUnavailableError } from '../errors/index.js';
import { isPostgres } from './dialects.js';
import type { Database } from './tables.js';

/** What became of one item of a group. `isLocked`: another transaction has locked its account, and nothing was written for it. */
export type GroupOutcome<Result> = { result: Result } | { error: unknown } | { isLocked: true };

/**
 * Stores items in one transaction and returns their outcomes in order. It writes nothing for an item whose outcome is an error or a lock.
 * It awaits nothing but its own queries, because the whole group waits for it, and may run again for the same items.
 * `waits`: it waits for a locked account instead of reporting the lock; all items then belong to this account.
 */
export type GroupWork<Item, Result> = (trx: Transaction<Database>, items: readonly Item[], waits: boolean) => Promise<Array<GroupOutcome<Result>>>;

interface Member<Item, Result> {
  accountId: string;
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
  /** Until when it may wait for its turn, monotonic ms. */
  deadline: number;
  /** Its account was locked by another process: its group contains this account only and waits for the lock. */
  isLocked?: boolean;
  /** A group with this item failed: it runs alone. */
  isSuspect?: boolean;
}

/** Maximum items per transaction; bounds how long one group blocks the writer. */
const maxGroupSize = 100;
/** Maximum groups of a process that commit at once on PostgreSQL; fewer than its connections. */
const maxGroups = 4;
/** Maximum groups among them that wait for a locked account, so that others always find a free connection. */
const maxWaitingGroups = 2;
/** How long an item waits before its last transaction begins (ms). With `lockWaitMs` less than the 2 s after which requests are refused. */
const maxWaitMs = 1700;
/** How long one transaction waits for a locked account; then it is the turn of another locked account (ms). */
const lockWaitMs = 250;
const limitLockWait = sql`set local lock_timeout = ${sql.lit(`${lockWaitMs}ms`)}`;

/**
 * Group commit: concurrent items share one transaction and thus one disk sync and the round trips to the server, the main costs of a small
 * write. Promises settle after the commit. SQLite commits one group at a time; on PostgreSQL groups of different accounts commit beside
 * each other. An item that cannot begin within 2 s is rejected with DatabaseUnavailableError.
 */
export class GroupCommit<Item, Result> {
  readonly #db: Kysely<Database>;
  readonly #work: GroupWork<Item, Result>;
  readonly #isPostgres: boolean;
  #waiting: Array<Member<Item, Result>> = [];
  /** Accounts of the groups that are being committed. */
  readonly #busyAccounts = new Set<string>();
  #groupCount = 0;
  #waitingGroupCount = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Kysely<Database>, work: GroupWork<Item, Result>) {
    this.#db = db;
    this.#work = work;
    this.#isPostgres = isPostgres(db);
  }

  /** Stores an account's item in the next group. Rejects with the item's error, or if the commit fails. */
  run(accountId: string, item: Item): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ accountId, item, resolve, reject, deadline: performance.now() + maxWaitMs });
      this.#schedule();
    });
  }

  /** Items queued in the same event loop iteration join the group; responses and new requests go before the next one. */
  #schedule(): void {
    setImmediate(() => void this.#runGroup());
    this.#timer ??= setTimeout(() => this.#rejectOverdue(), maxWaitMs + 10);
  }

  async #runGroup(): Promise<void> {
    if (this.#groupCount >= (this.#isPostgres ? maxGroups : 1)) return;
    const members = this.#takeGroup();
    const [first] = members;
    if (first === undefined) return;
    const accounts = new Set(members.map(({ accountId }) => accountId));
    const waits = first.isLocked === true;
    this.#groupCount += 1;
    if (waits) this.#waitingGroupCount += 1;
    for (const account of accounts) this.#busyAccounts.add(account);
    // The rest may form another group beside this one.
    if (this.#waiting.length > 0) this.#schedule();
    await this.#commit(members, waits);
    for (const account of accounts) this.#busyAccounts.delete(account);
    this.#groupCount -= 1;
    if (waits) this.#waitingGroupCount -= 1;
    if (this.#waiting.length > 0) this.#schedule();
  }

  #takeGroup(): Array<Member<Item, Result>> {
    const mayWait = this.#waitingGroupCount < maxWaitingGroups;
    const free = this.#waiting.filter((member) => !this.#busyAccounts.has(member.accountId) && (mayWait || !member.isLocked));
    const [first] = free;
    if (first === undefined) return [];
    const joins = (member: Member<Item, Result>): boolean =>
      member === first || (!first.isSuspect && !member.isSuspect && (first.isLocked ? member.accountId === first.accountId : !member.isLocked));
    const group = free.filter(joins).slice(0, maxGroupSize);
    const taken = new Set(group);
    this.#waiting = this.#waiting.filter((member) => !taken.has(member));
    return group;
  }

  async #commit(members: ReadonlyArray<Member<Item, Result>>, waits: boolean): Promise<void> {
    const items = members.map(({ item }) => item);
    try {
      const outcomes = await this.#db.transaction().execute(async (trx) => {
        if (waits) await limitLockWait.execute(trx);
        return this.#work(trx, items, waits);
      });
      for (const [index, member] of members.entries()) this.#settle(member, outcomes[index]);
    } catch (error) {
      // The transaction was rolled back. One item may be at fault, such as one that violates a constraint.
      const isRetried = members.length > 1 && !(error instanceof DatabaseUnavailableError);
      if (isRetried) this.#waiting.push(...members.map((member) => ({ ...member, isSuspect: true })));
      else if (waits && error instanceof DatabaseUnavailableError) for (const member of members) this.#requeueLocked(member);
      else for (const { reject } of members) reject(error);
    }
  }

  #settle(member: Member<Item, Result>, outcome: GroupOutcome<Result> | undefined): void {
    if (outcome === undefined) member.reject(new Error('The group reported no outcome for an item.'));
    else if ('result' in outcome) member.resolve(outcome.result);
    else if ('error' in outcome) member.reject(outcome.error);
    else this.#requeueLocked(member);
  }

  /** Puts an item of a locked account behind those of other accounts. */
  #requeueLocked(member: Member<Item, Result>): void {
    if (performance.now() < member.deadline) this.#waiting.push({ ...member, isLocked: true });
    else member.reject(lockedTooLong());
  }

  #rejectOverdue(): void {
    this.#timer = undefined;
    const now = performance.now();
    const overdue = this.#waiting.filter(({ deadline }) => deadline <= now);
    this.#waiting = this.#waiting.filter(({ deadline }) => deadline > now);
    for (const { reject } of overdue) reject(lockedTooLong());
    if (this.#waiting.length > 0) this.#timer = setTimeout(() => this.#rejectOverdue(), Math.min(...this.#waiting.map(({ deadline }) => deadline)) - now + 10);
  }
}

function lockedTooLong(): DatabaseUnavailableError {
  return new DatabaseUnavailableError(new Error(`No transaction could begin within ${maxWaitMs} ms.`));
}
