import type { Database, Kysely, Transaction } from '../../db/index.js';
import { AppError } from '../../errors/index.js';

/** A submission that its client wants accepted once, however often it is sent. */
export interface IdempotencyKey {
  /** The client's Idempotency-Key, unique within its account. */
  key: string;
  /** Hash of everything that makes two submissions the same. */
  fingerprint: string;
}

export interface StoredResponse {
  jobId: string;
  estimatedCredits: number;
  creditsRemaining: number;
}

/** How long a key is remembered. */
export const idempotencyMs = 24 * 60 * 60 * 1000;

type Place = { accountId: string; once: IdempotencyKey };

/** The answer that was given under this key. INVALID_REQUEST when the key stood for something else. */
export async function findStoredResponse(db: Kysely<Database>, { accountId, once }: Place, since: string): Promise<StoredResponse | undefined> {
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
 * Takes the key for a job that this transaction is about to accept; whoever else wants it waits for the transaction's
 * end. Returns the earlier answer when the key is taken.
 */
export async function claimKey(trx: Transaction<Database>, place: Place, job: { jobId: string; estimatedCredits: number; at: string }, since: string) {
  const { accountId, once } = place;
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
  return claimed.numInsertedOrUpdatedRows === 1n ? undefined : findStoredResponse(trx, place, since);
}

export async function storeResponse(trx: Transaction<Database>, { accountId, once }: Place, creditsRemaining: number): Promise<void> {
  await trx
    .updateTable('idempotency_keys')
    .set({ credits_remaining: creditsRemaining })
    .where('account_id', '=', accountId)
    .where('key', '=', once.key)
    .execute();
}

/** Forgets the keys that are older than they need to be; how many there were. */
export async function purgeKeys(db: Kysely<Database>, since: string): Promise<number> {
  const purged = await db.deleteFrom('idempotency_keys').where('created_at', '<=', since).executeTakeFirst();
  return Number(purged.numDeletedRows);
}
