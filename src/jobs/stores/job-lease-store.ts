import { type Clock, getJobCharge, postEntry } from '../../accounts/index.js';
import {
  type Database,
  isLockTimeout,
  type JobRow,
  type Kysely,
  limitLockWaits,
  lockAccount,
  lockFreeJobs,
  lockRows,
  type Transaction,
} from '../../db/index.js';
import type { FinishedOutput, Job, JobFailure } from '../job.js';
import type { JobTransactionHook } from '../job-transaction-hook.js';
import type { ProviderLimits, Purchase } from '../purchase.js';
import { jobColumns, type ListedJobRow, parseJobRow } from './job-rows.js';
import { describeLimit, findExceededLimit, insertPurchase, purchaseCredits } from './purchases.js';

/** Maximum attempts: if the second render process dies too, the job is assumed to crash it. */
const maxAttempts = 2;
/** Maximum interruptions by a dying service; bounds a job that crashes the service itself. */
const maxInterruptions = 20;

/** How long the recovery of a job waits for each lock; a later one finds the job again. */
const maxRecoveryWaitMs = 200;

/** A job under a lease. */
export interface LeasedJob {
  jobId: string;
  accountId: string;
  attempt: number;
  script: unknown;
  mode: JobRow['mode'];
}

/** A leased job with the name of its future output. */
export type ClaimedJob = LeasedJob & { outputName: string };
type QueuedRow = Pick<JobRow, 'id' | 'account_id' | 'mode' | 'script' | 'attempts'>;

/** What is stored about a finished output. */
export interface OutputMetadata {
  durationSeconds: number;
  /** Of all files together. */
  sizeBytes: number;
  warnings: readonly string[];
  /** Name of the primary output. Default: as claimed. */
  outputName?: string;
  /** Absent or empty for a movie without `outputs`. */
  outputs?: readonly FinishedOutput[];
}

/** Outcome of an interrupted attempt: the job, and the name of an output file that the attempt may have left. */
export interface Interruption {
  job: Job;
  orphanedOutput: string | null;
}

type Transact = Transaction<Database>;

/**
 * Queries for rendering jobs. Every change requires the lease, so a replaced render process cannot change a job
 * that another one has claimed. Ledger entries are written in the transaction of the state change they belong to.
 */
export class JobLeaseStore {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #hooks: readonly JobTransactionHook[];
  readonly #limits: ProviderLimits;

  constructor(db: Kysely<Database>, clock: Clock, leaseMs: number, hooks: readonly JobTransactionHook[] = [], limits: ProviderLimits = {}) {
    this.#db = db;
    this.#clock = clock;
    this.#leaseMs = leaseMs;
    this.#hooks = hooks;
    this.#limits = limits;
  }

  /** Whether a job of this mode is queued. */
  async hasQueued(mode: JobRow['mode']): Promise<boolean> {
    const row = await this.#db.selectFrom('jobs').select('id').where('status', '=', 'queued').where('mode', '=', mode).limit(1).executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Claims the next queued job of this mode, fairly between accounts: the account with the fewest running jobs comes
   * first, then the one served least recently; within an account the oldest job.
   */
  async claim(mode: JobRow['mode'], owner: string, outputName: (jobId: string) => string): Promise<ClaimedJob | undefined> {
    if (!(await this.hasQueued(mode))) return undefined;
    return this.#db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('jobs')
        .innerJoin('accounts', 'accounts.id', 'jobs.account_id')
        .leftJoin('job_counts', (join) => join.onRef('job_counts.account_id', '=', 'jobs.account_id').on('job_counts.status', '=', 'processing'))
        .select(['jobs.id', 'jobs.account_id', 'jobs.mode', 'jobs.script', 'jobs.attempts'])
        .where('jobs.status', '=', 'queued')
        .where('jobs.mode', '=', mode)
        .orderBy((eb) => eb.fn.coalesce('job_counts.jobs', eb.lit(0)))
        .orderBy('accounts.last_turn')
        .orderBy('jobs.seq')
        .limit(1)
        .$call(lockFreeJobs(trx))
        .executeTakeFirst();
      if (row === undefined) return undefined;
      await markAccountServed(trx, row.account_id);
      return this.#claim(trx, row, owner, outputName(row.id));
    });
  }

  /** Claims a given job outside the fair order; undefined if it is no longer queued. */
  async claimJob(jobId: string, owner: string, outputName: (jobId: string) => string): Promise<ClaimedJob | undefined> {
    return this.#db.transaction().execute(async (trx) => {
      const wanted = trx.selectFrom('jobs').select(['id', 'account_id', 'mode', 'script', 'attempts']).where('id', '=', jobId).where('status', '=', 'queued');
      const row = await wanted.$call(lockFreeJobs(trx)).executeTakeFirst();
      return row && this.#claim(trx, row, owner, outputName(row.id));
    });
  }

  async #claim(trx: Transact, row: QueuedRow, owner: string, outputName: string): Promise<ClaimedJob | undefined> {
    const attempt = row.attempts + 1;
    const claimed = await trx
      .updateTable('jobs')
      .set({ status: 'processing', stage: 'preparing', progress: 0, attempts: attempt, output_name: outputName, lease_owner: owner })
      .set({ lease_expires_at: this.#at(this.#leaseMs), started_at: this.#at() })
      .where('id', '=', row.id)
      .where('status', '=', 'queued')
      .executeTakeFirst();
    if (claimed.numUpdatedRows !== 1n) return undefined;
    return { jobId: row.id, accountId: row.account_id, attempt, script: withoutExports(JSON.parse(row.script)), mode: row.mode, outputName };
  }

  /** Renews the lease and records progress. Returns false if the lease is lost. */
  async renew(jobId: string, owner: string, progress: number, stage: string): Promise<boolean> {
    const changed = await this.#db
      .updateTable('jobs')
      .set({ progress, stage, lease_expires_at: this.#at(this.#leaseMs) })
      .where('id', '=', jobId)
      .where('status', '=', 'processing')
      .where('lease_owner', '=', owner)
      .executeTakeFirst();
    return changed.numUpdatedRows === 1n;
  }

  /**
   * Reserves credits for the render and for purchases from provider services, as far as they exceed the current reservation.
   * If a limit or the balance does not allow that, the job fails and is returned; undefined if it may buy. Throws LeaseLostError.
   */
  async reserve(jobId: string, owner: string, credits: number, purchases: readonly Purchase[]): Promise<Job | undefined> {
    return this.#withLease(jobId, owner, async (trx, row) => {
      if (row.mode === 'test') return undefined;
      const providerCredits = await purchaseCredits(trx, jobId, purchases);
      const refusal = await this.#checkLimits(trx, row, providerCredits);
      if (refusal !== undefined) return this.#markFailed(trx, row, { code: 'RENDER_FAILED', message: `${refusal} ${nothingCharged}` });
      const charge = await getJobCharge(trx, jobId);
      const total = credits + providerCredits;
      if (total > charge.credits) {
        const failed = await this.#adjustCharge(trx, row, charge, { total, item: 'The movie' });
        if (failed !== undefined) return failed;
      }
      if (providerCredits > row.provider_credits) await this.#setProviderCredits(trx, jobId, providerCredits);
      return undefined;
    });
  }

  async #checkLimits(trx: Transact, row: ListedJobRow, credits: number): Promise<string | undefined> {
    const { perMovie } = this.#limits;
    if (perMovie !== undefined && credits > perMovie) {
      return `Provider services for this movie cost ${credits} credits; up to ${perMovie} are allowed per movie on this host.`;
    }
    if (credits <= row.provider_credits) return undefined;
    const exceeded = await findExceededLimit(trx, { accountId: row.account_id, jobId: row.id, credits }, this.#limits, this.#clock.now());
    return exceeded && describeLimit(exceeded);
  }

  /** Records a purchase of the job; does not require the lease. Throws LeaseLostError if the job has ended. */
  async recordPurchase(jobId: string, purchase: Purchase): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const row = await this.#lockRow(trx, jobId);
      if (row.status === 'completed' || row.status === 'failed') throw new LeaseLostError(jobId);
      if (row.mode === 'live') await insertPurchase(trx, jobId, purchase, this.#at());
    });
  }

  /**
   * Adjusts the charge to the planned price of the render and the price of its purchases. If the balance does not cover it, the job fails,
   * is charged only for its purchases, and is returned; undefined if the render may continue. Throws LeaseLostError.
   */
  async settle(jobId: string, owner: string, credits: number): Promise<Job | undefined> {
    return this.#withLease(jobId, owner, async (trx, row) => {
      if (row.mode === 'test') return undefined;
      const charge = await getJobCharge(trx, jobId);
      const providerCredits = await purchaseCredits(trx, jobId);
      const failed = await this.#adjustCharge(trx, row, charge, { total: credits + providerCredits, item: 'The planned length' });
      if (failed !== undefined) return failed;
      if (providerCredits !== row.provider_credits) await this.#setProviderCredits(trx, jobId, providerCredits);
      return undefined;
    });
  }

  /** Changes the charge to `total`. If the balance does not cover the difference, the job fails and is returned. */
  async #adjustCharge(
    trx: Transact,
    row: ListedJobRow,
    charge: { credits: number; settlements: number },
    { total, item }: { total: number; item: string },
  ): Promise<Job | undefined> {
    const amount = charge.credits - total;
    if (amount === 0) return undefined;
    const entry = { accountId: row.account_id, jobId: row.id, kind: 'settle', ordinal: charge.settlements + 1, amount, at: this.#at() } as const;
    if (await postEntry(trx, entry)) return undefined;
    const message = `${item} costs ${total} credits, ${0 - amount} more than estimated, and the balance does not cover the difference. ${nothingCharged}`;
    return this.#markFailed(trx, row, { code: 'INSUFFICIENT_CREDITS', message });
  }

  async #setProviderCredits(trx: Transact, jobId: string, credits: number): Promise<void> {
    await trx.updateTable('jobs').set({ provider_credits: credits }).where('id', '=', jobId).execute();
  }

  /** Completes the job. Throws LeaseLostError. */
  async complete(jobId: string, owner: string, output: OutputMetadata): Promise<Job> {
    return this.#withLease(jobId, owner, async (trx, row) => {
      const { credits } = await getJobCharge(trx, jobId);
      await trx
        .updateTable('jobs')
        .set({ status: 'completed', progress: 1, stage: 'complete', credits_used: credits, duration_seconds: output.durationSeconds })
        .set({ size_bytes: output.sizeBytes, warnings: JSON.stringify(output.warnings), finished_at: this.#at(), lease_owner: null, lease_expires_at: null })
        .set({ output_name: output.outputName ?? row.output_name, outputs: output.outputs?.length ? JSON.stringify(output.outputs) : null })
        .where('id', '=', row.id)
        .execute();
      return this.#end(trx, row.id);
    });
  }

  /** Fails the job and refunds all but its purchases. Throws LeaseLostError. */
  async fail(jobId: string, owner: string, failure: JobFailure): Promise<Job> {
    return this.#withLease(jobId, owner, (trx, row) => this.#markFailed(trx, row, failure));
  }

  /** Requeues the job for a reason outside the job, such as a shutdown of the service; the attempt does not count. Throws LeaseLostError. */
  async release(jobId: string, owner: string): Promise<Job> {
    return this.#withLease(jobId, owner, (trx, row) => this.#requeue(trx, row, { attempts: row.attempts - 1 }));
  }

  /** The render process died: requeues the job, or fails and refunds it after the last attempt. Throws LeaseLostError. */
  async interrupt(jobId: string, owner: string, reason?: string): Promise<Interruption> {
    return this.#withLease(jobId, owner, (trx, row) => this.#requeueOrFail(trx, row, reason));
  }

  /** The render process died before it started: requeues without counting an attempt, up to the limit of interruptions. Throws LeaseLostError. */
  async requeue(jobId: string, owner: string): Promise<Interruption> {
    return this.#withLease(jobId, owner, (trx, row) => this.#requeueUncounted(trx, row));
  }

  /**
   * Requeues jobs whose lease has expired or whose owner is dead, because their service died or is partitioned. The attempt
   * does not count. Jobs that run in this process are skipped even if their lease seems expired after the clock was set forward, and so
   * are jobs that another transaction has locked for longer than a moment: a stalled host must not keep the others waiting.
   */
  async recoverExpired(isDead: (owner: string) => boolean, isRunningHere: (owner: string) => boolean = () => false): Promise<Interruption[]> {
    const leased = await this.#db.selectFrom('jobs').select(['id', 'lease_owner', 'lease_expires_at']).where('status', '=', 'processing').execute();
    const isLost = ({ lease_owner: owner, lease_expires_at: at }: Pick<JobRow, 'lease_owner' | 'lease_expires_at'>): boolean =>
      owner === null || ((at ?? '') < this.#at() && !isRunningHere(owner)) || isDead(owner);
    const interruptions: Interruption[] = [];
    for (const { id } of leased.filter(isLost)) {
      const recovering = this.#db.transaction().execute(async (trx) => {
        await limitLockWaits(trx, maxRecoveryWaitMs);
        const row = await this.#lockRow(trx, id);
        // The owner may have finished or renewed since the first query.
        if (row.status !== 'processing' || !isLost(row)) return undefined;
        return this.#requeueUncounted(trx, row);
      });
      const interruption = await recovering.catch((error: unknown) => {
        if (!isLockTimeout(error)) throw error;
        return undefined;
      });
      if (interruption !== undefined) interruptions.push(interruption);
    }
    return interruptions;
  }

  /** Ids of the jobs that are being rendered on any machine. */
  async listProcessing(): Promise<string[]> {
    const rows = await this.#db.selectFrom('jobs').select('id').where('status', '=', 'processing').execute();
    return rows.map((row) => row.id);
  }

  async #requeueOrFail(trx: Transact, row: ListedJobRow, reason = 'the render process stopped unexpectedly'): Promise<Interruption> {
    const orphanedOutput = row.output_name;
    if (row.attempts < maxAttempts) return { job: await this.#requeue(trx, row, {}), orphanedOutput };
    const message = `${reason.charAt(0).toUpperCase()}${reason.slice(1)} in each of ${maxAttempts} attempts. Nothing was charged.`;
    return { job: await this.#markFailed(trx, row, { code: 'RENDER_FAILED', message }), orphanedOutput };
  }

  async #requeueUncounted(trx: Transact, row: ListedJobRow): Promise<Interruption> {
    const orphanedOutput = row.output_name;
    const interruptions = row.interruptions + 1;
    if (interruptions < maxInterruptions) return { job: await this.#requeue(trx, row, { attempts: row.attempts - 1, interruptions }), orphanedOutput };
    await trx.updateTable('jobs').set({ interruptions }).where('id', '=', row.id).execute();
    const message = `The service stopped unexpectedly ${maxInterruptions} times while it rendered this movie. Nothing was charged.`;
    return { job: await this.#markFailed(trx, row, { code: 'RENDER_FAILED', message }), orphanedOutput };
  }

  async #requeue(trx: Transact, row: ListedJobRow, counts: { attempts?: number; interruptions?: number }): Promise<Job> {
    await trx
      .updateTable('jobs')
      .set({ status: 'queued', progress: 0, stage: null, ...counts, output_name: null, lease_owner: null, lease_expires_at: null })
      .where('id', '=', row.id)
      .execute();
    if (row.mode === 'live') {
      const queued = [{ jobId: row.id, accountId: row.account_id, credits: row.estimated_credits }];
      for (const hook of this.#hooks) await hook.onQueued?.(trx, queued);
    }
    return this.#read(trx, row.id);
  }

  async #markFailed(trx: Transact, row: ListedJobRow, failure: JobFailure): Promise<Job> {
    const at = this.#at();
    const { credits: hold } = await getJobCharge(trx, row.id);
    const charged = Math.min(hold, await purchaseCredits(trx, row.id));
    if (hold !== charged) await postEntry(trx, { accountId: row.account_id, jobId: row.id, kind: 'refund', amount: hold - charged, at });
    await trx
      .updateTable('jobs')
      .set({ status: 'failed', credits_used: charged, provider_credits: charged })
      .set({ error_code: failure.code, error_message: describeCharge(failure.message, charged) })
      .set({ output_name: null, finished_at: at, lease_owner: null, lease_expires_at: null })
      .where('id', '=', row.id)
      .execute();
    return this.#end(trx, row.id);
  }

  /** Runs the transaction hooks of a job that ended. */
  async #end(trx: Transact, jobId: string): Promise<Job> {
    const job = await this.#read(trx, jobId);
    for (const hook of this.#hooks) await hook.onEnded(trx, job);
    return job;
  }

  async #withLease<T>(jobId: string, owner: string, change: (trx: Transact, row: ListedJobRow) => Promise<T>): Promise<T> {
    return this.#db.transaction().execute(async (trx) => {
      const row = await this.#lockRow(trx, jobId);
      if (row.status !== 'processing' || row.lease_owner !== owner) throw new LeaseLostError(jobId);
      return change(trx, row);
    });
  }

  /** Reads a job whatever its state and lease are. */
  read(jobId: string): Promise<Job> {
    return this.#read(this.#db, jobId);
  }

  async #read(trx: Kysely<Database>, jobId: string): Promise<Job> {
    return parseJobRow(await this.#readRow(trx, jobId));
  }

  async #lockRow(trx: Transact, jobId: string): Promise<ListedJobRow> {
    const row = await trx.selectFrom('jobs').select(jobColumns).where('id', '=', jobId).$call(lockRows(trx)).executeTakeFirstOrThrow();
    await lockAccount(trx, row.account_id);
    return row;
  }

  #readRow(trx: Kysely<Database>, jobId: string): Promise<ListedJobRow> {
    return trx.selectFrom('jobs').select(jobColumns).where('id', '=', jobId).executeTakeFirstOrThrow();
  }

  #at(laterMs = 0): string {
    return new Date(this.#clock.now() + laterMs).toISOString();
  }
}

const nothingCharged = 'Nothing was charged.';

/** Adds to the message of a failed job how many credits it was charged for purchases. */
function describeCharge(message: string, credits: number): string {
  if (credits === 0) return message;
  const reason = message.replace(` ${nothingCharged}`, '').replace(/[^.!?…]$/, '$&.');
  return `${reason} ${credits === 1 ? '1 credit was' : `${credits} credits were`} charged for what was bought from provider services.`;
}

/** The script without `exports`, which renders do not need. */
export function withoutExports(script: unknown): unknown {
  if (typeof script !== 'object' || script === null || !Object.hasOwn(script, 'exports')) return script;
  const { exports: _, ...rest } = script as Record<string, unknown>;
  return rest;
}

/** The lease has ended or belongs to another owner: the caller must stop working on the job. */
export class LeaseLostError extends Error {
  constructor(jobId: string) {
    super(`The lease of job ${jobId} is lost.`);
    this.name = 'LeaseLostError';
  }
}

/** Moves the account to the end of the fair scheduling order. */
async function markAccountServed(trx: Transaction<Database>, accountId: string): Promise<void> {
  const { last } = await trx
    .selectFrom('accounts')
    .select((eb) => eb.fn.max('last_turn').as('last'))
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('accounts')
    .set({ last_turn: Number(last) + 1 })
    .where('id', '=', accountId)
    .execute();
}
