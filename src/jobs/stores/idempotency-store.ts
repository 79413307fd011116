import type { Database, Kysely, Transaction } from '../../db/index.js';
import { AppError } from '../../errors/index.js';

/** Identifies a submission that must be accepted once, however often it is sent. */
export interface IdempotencyKey {
  /** The client's Idempotency-Key, unique within its account. */
  key: string;
  /** Hash of the request; a key may not be reused for another request. */
  fingerprint: string;
}

/** The response to the first submission under a key. */
export interface StoredResponse {
  jobId: string;
  estimatedCredits: number;
  creditsRemaining: number;
}

/** How long a key is valid (ms). */
export const idempotencyMs = 24 * 60 * 60 * 1000;

type AccountKey = { accountId: string; once: IdempotencyKey };

/** Finds the response given under this key. Throws INVALID_REQUEST if the key was used for another request. */
export async function findStoredResponse(db: Kysely<Database>, { accountId, once }: AccountKey, since: string): Promise<StoredResponse | undefined> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'job_id', 'estimated_credits', 'credits_remaining'])
    .where('account_id', '=', accountId)
    .where('key', '=', once.key)
    .where('created_at', '>', since)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.fingerprint !== once.fingerprint) {
    throw new AppError('INVALID_REQUEST', {
      message: 'This Idempotency-Key was used with another request in the last 24 hours. Use a new key for a new request.',
      path: 'Idempotency-Key',
    });
  }
  return { jobId: row.job_id, estimatedCredits: row.estimated_credits, creditsRemaining: row.credits_remaining ?? 0 };
}

/**
 * Claims the key for a job that this transaction is about to accept; concurrent claims wait for the commit.
 * Returns the earlier response if the key is taken.
 */
export async function claimKey(
  trx: Transaction<Database>,
  accountKey: AccountKey,
  job: { jobId: string; estimatedCredits: number; at: string },
  since: string,
) {
  const { accountId, once } = accountKey;
  await trx.deleteFrom('idempotency_keys').where('account_id', '=', accountId).where('key', '=', once.key).where('created_at', '<=', since).execute();
  const claimed = await trx
    .insertInto('idempotency_keys')
    .values({
      account_id: accountId,
      key: once.key,
      fingerprint: once.fingerprint,
      job_id: job.jobId,
      estimated_credits: job.estimatedCredits,
      created_at: job.at,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing())
    .executeTakeFirst();
  return claimed.numInsertedOrUpdatedRows === 1n ? undefined : findStoredResponse(trx, accountKey, since);
}

/** Completes a claimed key in the transaction that claimed it. */
export async function storeResponse(trx: Transaction<Database>, { accountId, once }: AccountKey, creditsRemaining: number): Promise<void> {
  await trx
    .updateTable('idempotency_keys')
    .set({ credits_remaining: creditsRemaining })
    .where('account_id', '=', accountId)
    .where('key', '=', once.key)
    .execute();
}

/** Deletes expired keys and returns their number. */
export async function purgeKeys(db: Kysely<Database>, since: string): Promise<number> {
  const purged = await db.deleteFrom('idempotency_keys').where('created_at', '<=', since).executeTakeFirst();
  return Number(purged.numDeletedRows);
}
