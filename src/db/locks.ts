import { type Kysely, sql, type Transaction } from 'kysely';
import { DatabaseUnavailableError } from '../errors/index.js';
import { isOneOf, isPostgres, listParameter } from './dialects.js';
import { PreparedQuery } from './prepared-query.js';
import type { AccountRow, Database } from './tables.js';

/**
 * Makes a query lock the rows that it selects until the transaction ends: `query.$call(lockRows(trx))`. SQLite needs no row locks,
 * because one transaction writes at a time.
 *
 * Transactions lock in one order, so that they cannot deadlock: a job, its account, everything else.
 */
export function lockRows(db: Kysely<Database>): <Query extends { forUpdate(): Query }>(query: Query) => Query {
  return (query) => (isPostgres(db) ? query.forUpdate() : query);
}

/** Makes a query lock the jobs that it selects and skip those that other transactions have locked. No-op on SQLite. */
export function lockFreeJobs(db: Kysely<Database>): <Query extends { forUpdate(of: 'jobs'): Query; skipLocked(): Query }>(query: Query) => Query {
  return (query) => (isPostgres(db) ? query.forUpdate('jobs').skipLocked() : query);
}

/** Makes a transaction wait no longer than this for each lock; then it fails with an error that `isLockTimeout` recognises. No-op on SQLite. */
export async function limitLockWaits(trx: Transaction<Database>, ms: number): Promise<void> {
  if (isPostgres(trx)) await sql`select set_config('lock_timeout', ${String(ms)}, true)`.execute(trx);
}

/** Whether a statement failed because another transaction held a lock for too long. */
export function isLockTimeout(error: unknown): boolean {
  const { code } = (error instanceof DatabaseUnavailableError ? error.cause : error) as { code?: string };
  return code === '55P03';
}

/**
 * Serializes transactions that change an account's jobs, balance or other limited resources: every one that changes the status of
 * a job calls it first. No-op on SQLite.
 */
export async function lockAccount(trx: Transaction<Database>, accountId: string): Promise<void> {
  if (isPostgres(trx)) await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
}

/** What a submission needs to know of its account. */
export type LockedAccount = Pick<AccountRow, 'id' | 'plan' | 'balance'>;

/**
 * Locks accounts like `lockAccount` and reads them. Accounts that other transactions have locked are waited for or, without `waits`, missing
 * in the result.
 */
export async function lockAccounts(trx: Transaction<Database>, ids: readonly string[], waits: boolean): Promise<Map<string, LockedAccount>> {
  const { rows } = await (waits ? waitForAccounts : freeAccounts).run(trx, { ids: listParameter(trx, ids) });
  return new Map(rows.map((row) => [row.id, row]));
}

function accountsByIds(db: Kysely<Database>, ids: string) {
  const accounts = db
    .selectFrom('accounts')
    .select(['id', 'plan', 'balance'])
    .where(isOneOf(db, 'id', ids));
  // Always in the same order, so that two transactions cannot wait for each other.
  return isPostgres(db) ? accounts.orderBy('id').forNoKeyUpdate() : accounts;
}

const waitForAccounts = new PreparedQuery<{ ids: string }, LockedAccount>((db, param) => accountsByIds(db, param('ids')));

const freeAccounts = new PreparedQuery<{ ids: string }, LockedAccount>((db, param) => {
  const accounts = accountsByIds(db, param('ids'));
  return isPostgres(db) ? accounts.skipLocked() : accounts;
});
