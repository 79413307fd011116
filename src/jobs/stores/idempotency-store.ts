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

/** A key with its account. */
export type AccountKey = { accountId: string; once: IdempotencyKey };

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
  checkFingerprint(row.fingerprint, once);
  return { jobId: row.job_id, estimatedCredits: row.estimated_credits, creditsRemaining: row.credits_remaining ?? 0 };
}

/** Throws INVALID_REQUEST if a key was used for a request with another fingerprint. */
export function checkFingerprint(fingerprint: string, once: IdempotencyKey): void {
  if (fingerprint === once.fingerprint) return;
  throw new AppError('INVALID_REQUEST', {
    message: 'This Idempotency-Key was used with another request in the last 24 hours. Use a new key for a new request.',
    path: 'Idempotency-Key',
  });
}

/** Stores the response of a submission under its key. The caller has locked the account and found no valid response; an expired one is replaced. */
export async function storeResponse(trx: Transaction<Database>, { accountId, once }: AccountKey, response: StoredResponse, at: string): Promise<void> {
  const row = {
    fingerprint: once.fingerprint,
    job_id: response.jobId,
    estimated_credits: response.estimatedCredits,
    credits_remaining: response.creditsRemaining,
    created_at: at,
  };
  await trx
    .insertInto('idempotency_keys')
    .values({ account_id: accountId, key: once.key, ...row })
    .onConflict((conflict) => conflict.columns(['account_id', 'key']).doUpdateSet(row))
    .execute();
}

/** Deletes expired keys and returns their number. */
export async function purgeKeys(db: Kysely<Database>, since: string): Promise<number> {
  const purged = await db.deleteFrom('idempotency_keys').where('created_at', '<=', since).executeTakeFirst();
  return Number(purged.numDeletedRows);
}
