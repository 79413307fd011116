import type { Database, Transaction } from '../../db/index.js';
import { creditsForPrices } from '../../script/index.js';
import type { ProviderLimits, Purchase } from '../purchase.js';

/** Period over which an account's purchases are limited (ms). */
const limitPeriodMs = 24 * 60 * 60 * 1000;

/** Credits for what the job has bought, together with items that it is going to buy. */
export async function purchaseCredits(trx: Transaction<Database>, jobId: string, planned: readonly Purchase[] = []): Promise<number> {
  const bought = await trx.selectFrom('provider_purchases').select(['item', 'microcredits']).where('job_id', '=', jobId).execute();
  const isBought = new Set(bought.map(({ item }) => item));
  const missing = new Map(planned.filter(({ item }) => !isBought.has(item)).map((purchase) => [purchase.item, purchase]));
  return creditsForPrices([...bought, ...missing.values()]);
}

/** Stores a purchase; does nothing if the job has bought the item before. */
export async function insertPurchase(trx: Transaction<Database>, jobId: string, purchase: Purchase, at: string): Promise<void> {
  await trx
    .insertInto('provider_purchases')
    .values({ job_id: jobId, ...purchase, bought_at: at })
    .onConflict((conflict) => conflict.columns(['job_id', 'item']).doNothing())
    .execute();
}

/** A limit of an account that a job would exceed, in credits. */
export interface ExceededLimit {
  required: number;
  limit: number;
  used: number;
}

/**
 * The daily limit of the account's plan if `credits` for a job would exceed it. Counts what other jobs of the account hold, and what
 * those that ended within the last 24 hours have spent. The caller has locked the account.
 */
export async function findExceededLimit(
  trx: Transaction<Database>,
  job: { accountId: string; jobId: string; credits: number },
  { perDay = {} }: ProviderLimits,
  now: number,
): Promise<ExceededLimit | undefined> {
  if (job.credits === 0 || Object.keys(perDay).length === 0) return undefined;
  const { plan } = await trx.selectFrom('accounts').select('plan').where('id', '=', job.accountId).executeTakeFirstOrThrow();
  const limit = perDay[plan];
  if (limit === undefined) return undefined;
  return exceededLimit(job.credits, limit, await sumProviderCredits(trx, job, now));
}

/** The limit if `credits` exceed what is left of it after `used`. */
export function exceededLimit(credits: number, limit: number, used: number): ExceededLimit | undefined {
  return used + credits <= limit ? undefined : { required: credits, limit, used };
}

/** Credits that the other jobs of an account hold for provider services, or have spent on them within the last 24 hours. */
export async function sumProviderCredits(trx: Transaction<Database>, job: { accountId: string; jobId?: string }, now: number): Promise<number> {
  const { total } = await trx
    .selectFrom('jobs')
    .select((eb) => eb.fn.sum<number | null>('provider_credits').as('total'))
    .where('account_id', '=', job.accountId)
    .$if(job.jobId !== undefined, (jobs) => jobs.where('id', '!=', job.jobId ?? ''))
    .where((eb) => eb('provider_credits', '>', eb.lit(0)))
    .where((eb) => eb.or([eb('finished_at', 'is', null), eb('finished_at', '>', new Date(now - limitPeriodMs).toISOString())]))
    .executeTakeFirstOrThrow();
  return Number(total ?? 0);
}

/** The limit as a sentence. */
export function describeLimit({ required, limit, used }: ExceededLimit): string {
  return `Provider services for this movie cost ${required} credits; the account may spend ${limit} on them within 24 hours and has spent or reserved ${used}.`;
}
