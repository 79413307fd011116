import type { Kysely, Transaction } from 'kysely';
import { isPostgres } from './dialects.js';
import type { Database } from './tables.js';

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

/**
 * Serializes transactions that change an account's jobs, balance or other limited resources: every one that changes the status of
 * a job calls it first. No-op on SQLite.
 */
export async function lockAccount(trx: Transaction<Database>, accountId: string): Promise<void> {
  if (isPostgres(trx)) await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
}
