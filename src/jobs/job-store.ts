import { randomUUID } from 'node:crypto';
import { type Caller, type Clock, post } from '../accounts/index.js';
import type { Database, Kysely, Transaction } from '../db/index.js';
import { AppError } from '../errors/index.js';
import type { Job, JobStatus } from './job.js';
import { jobColumns, parseJobRow } from './job-rows.js';

export interface Submission {
  caller: Pick<Caller, 'accountId' | 'mode' | 'limits'>;
  /** As it was accepted. */
  script: unknown;
  estimatedCredits: number;
}

export interface AcceptedJob {
  jobId: string;
  estimatedCredits: number;
  creditsRemaining: number;
}

/** The queries of those who submit and watch jobs. */
export class JobStore {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;

  constructor(db: Kysely<Database>, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * Debits the estimate and queues the job in one transaction, or throws INSUFFICIENT_CREDITS, then
   * CONCURRENCY_LIMIT_EXCEEDED, and leaves nothing behind. Sandbox jobs cost nothing, so no balance is needed for them.
   */
  async submit(submission: Submission): Promise<AcceptedJob> {
    const { caller, estimatedCredits } = submission;
    const script = JSON.stringify(submission.script);
    const jobId = randomUUID();
    const at = new Date(this.#clock.now()).toISOString();
    const price = caller.mode === 'live' ? estimatedCredits : 0;
    return this.#db.transaction().execute(async (trx) => {
      await trx
        .insertInto('jobs')
        .values({
          id: jobId,
          account_id: caller.accountId,
          mode: caller.mode,
          status: 'queued',
          progress: 0,
          script,
          estimated_credits: estimatedCredits,
          attempts: 0,
          created_at: at,
        })
        .execute();
      const held = await post(trx, { accountId: caller.accountId, jobId, kind: 'hold', amount: 0 - price, at });
      const balance = await readBalance(trx, caller.accountId);
      if (!held) throw insufficientCredits(price, balance);
      await this.#checkConcurrency(trx, caller);
      return { jobId, estimatedCredits, creditsRemaining: balance };
    });
  }

  /** The job just inserted counts already. Looks at no more rows than the answer needs. */
  async #checkConcurrency(trx: Transaction<Database>, caller: Submission['caller']): Promise<void> {
    const limit = caller.limits.concurrentJobs;
    const active = trx
      .selectFrom('jobs')
      .select('id')
      .where('account_id', '=', caller.accountId)
      .where('status', 'in', ['queued', 'processing'])
      .limit(limit + 1);
    const { count } = await trx
      .selectFrom(active.as('active'))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (Number(count) <= limit) return;
    throw new AppError('CONCURRENCY_LIMIT_EXCEEDED', {
      message: `The account has ${limit} jobs queued or processing, which is the limit of its plan. Submit again when one of them is finished.`,
    });
  }

  async find(accountId: string, jobId: string): Promise<Job | undefined> {
    const row = await this.#db.selectFrom('jobs').select(jobColumns).where('id', '=', jobId).where('account_id', '=', accountId).executeTakeFirst();
    return row === undefined ? undefined : parseJobRow(row);
  }

  /** Newest first. */
  async list(accountId: string, query: { page: number; limit: number; status?: JobStatus }): Promise<{ jobs: Job[]; total: number }> {
    const { status } = query;
    const owned = this.#db
      .selectFrom('jobs')
      .where('account_id', '=', accountId)
      .$if(status !== undefined, (jobs) => jobs.where('status', '=', status as JobStatus));
    const { total } = await owned.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await owned
      .select(jobColumns)
      .orderBy('seq', 'desc')
      .limit(query.limit)
      .offset((query.page - 1) * query.limit)
      .execute();
    return { jobs: rows.map(parseJobRow), total: Number(total) };
  }
}

async function readBalance(trx: Transaction<Database>, accountId: string): Promise<number> {
  const { balance } = await trx.selectFrom('accounts').select('balance').where('id', '=', accountId).executeTakeFirstOrThrow();
  return balance;
}

function insufficientCredits(required: number, balance: number): AppError {
  return new AppError('INSUFFICIENT_CREDITS', {
    message: `This render is estimated at ${required} credits and the balance is ${balance}.`,
    fields: { required, balance },
  });
}
