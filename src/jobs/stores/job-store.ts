import { randomUUID } from 'node:crypto';
import { type Caller, type Clock, postEntry } from '../../accounts/index.js';
import { type Database, GroupCommit, type Kysely, lockAccount, type NewJobRow, type Param, PreparedQuery, type Transaction } from '../../db/index.js';
import { AppError } from '../../errors/index.js';
import type { Job, JobStatus } from '../job.js';
import type { JobTransactionHook, SubmittedJob } from '../job-transaction-hook.js';
import type { ProviderLimits } from '../purchase.js';
import { claimKey, findStoredResponse, type IdempotencyKey, idempotencyMs, purgeKeys, storeResponse } from './idempotency-store.js';
import { jobColumns, parseJobRow } from './job-rows.js';
import { describeLimit, findExceededLimit } from './purchases.js';

/** A validated job submission. */
export interface Submission {
  caller: Pick<Caller, 'accountId' | 'mode' | 'limits'>;
  /** The accepted script with secrets of exports masked. */
  script: unknown;
  estimatedCredits: number;
  /** The part of the estimate for provider services. Default: 0. */
  providerCredits?: number;
  /** Any JSON; returned with the job. */
  clientData?: unknown;
  webhookUri?: string | undefined;
  /** Export targets with their secrets. */
  exportTargets?: SubmittedJob['exportTargets'];
  /** Accepts the submission once; a repetition gets the first response. */
  idempotency?: IdempotencyKey | undefined;
}

/** The response to a submission. */
export interface AcceptedJob {
  jobId: string;
  estimatedCredits: number;
  creditsRemaining: number;
}

/** Limits on what an account may submit, besides those of its plan. */
export interface SubmissionLimits extends ProviderLimits {
  /** Maximum bytes of the scripts and outputs of an account's sandbox jobs; default: no limit. */
  sandboxBytes?: number | undefined;
}

/** Queries of the submitting side. */
export class JobStore {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #hooks: readonly JobTransactionHook[];
  readonly #limits: SubmissionLimits;
  readonly #submissions: GroupCommit;

  constructor(db: Kysely<Database>, clock: Clock, hooks: readonly JobTransactionHook[] = [], limits: SubmissionLimits = {}) {
    this.#db = db;
    this.#clock = clock;
    this.#hooks = hooks;
    this.#limits = limits;
    this.#submissions = new GroupCommit(db);
  }

  /**
   * Debits the estimate and queues the job, or throws INSUFFICIENT_CREDITS, then CONCURRENCY_LIMIT_EXCEEDED, then
   * PROVIDER_LIMIT_EXCEEDED or SANDBOX_QUOTA_EXCEEDED, and changes nothing. Concurrent submissions share a commit. Sandbox jobs are free.
   */
  async submit(submission: Submission): Promise<AcceptedJob> {
    const { caller, estimatedCredits, idempotency: once } = submission;
    const accountKey = once === undefined ? undefined : { accountId: caller.accountId, once };
    const jobId = randomUUID();
    const at = new Date(this.#clock.now()).toISOString();
    const client_data = submission.clientData === undefined ? null : JSON.stringify(submission.clientData);
    const script = JSON.stringify(submission.script);
    const isLive = caller.mode === 'live';
    const sandbox_bytes = isLive ? 0 : Buffer.byteLength(script) + Buffer.byteLength(client_data ?? '');
    const row = { id: jobId, account_id: caller.accountId, mode: caller.mode, script, client_data, sandbox_bytes, created_at: at };
    const price = isLive ? estimatedCredits : 0;
    const provider_credits = isLive ? (submission.providerCredits ?? 0) : 0;
    return this.#submissions.run(caller.accountId, async (trx) => {
      await lockAccount(trx, caller.accountId);
      const earlier = accountKey === undefined ? undefined : await claimKey(trx, accountKey, { jobId, estimatedCredits, at }, this.#oldestKey());
      if (earlier !== undefined) return earlier;
      await insertJob.run(trx, { ...row, estimated_credits: estimatedCredits, provider_credits });
      const isDebited = await postEntry(trx, { accountId: caller.accountId, jobId, kind: 'hold', amount: 0 - price, at });
      const balance = await readBalance(trx, caller.accountId);
      if (!isDebited) throw insufficientCredits(price, balance);
      await this.#checkConcurrency(trx, caller);
      await this.#checkProviderLimit(trx, { accountId: caller.accountId, jobId, credits: provider_credits });
      if (!isLive) await this.#checkSandboxQuota(trx, caller.accountId);
      const { webhookUri, exportTargets = [] } = submission;
      for (const hook of this.#hooks) await hook.onSubmitted(trx, { jobId, accountId: caller.accountId, webhookUri, exportTargets });
      if (accountKey !== undefined) await storeResponse(trx, accountKey, balance);
      return { jobId, estimatedCredits, creditsRemaining: balance };
    });
  }

  /** Finds the response to an earlier submission under this key. Throws INVALID_REQUEST if the key was used for another request. */
  findIdempotentResponse(accountId: string, once: IdempotencyKey): Promise<AcceptedJob | undefined> {
    return findStoredResponse(this.#db, { accountId, once }, this.#oldestKey());
  }

  /** Deletes expired idempotency keys and returns their number. */
  purgeIdempotencyKeys(): Promise<number> {
    return purgeKeys(this.#db, this.#oldestKey());
  }

  #oldestKey(): string {
    return new Date(this.#clock.now() - idempotencyMs).toISOString();
  }

  /** The counts include the job just inserted. */
  async #checkConcurrency(trx: Transaction<Database>, caller: Submission['caller']): Promise<void> {
    const limit = caller.limits.concurrentJobs;
    const [active] = (await countActive.run(trx, { accountId: caller.accountId })).rows;
    if (Number(active?.jobs) <= limit) return;
    throw new AppError('CONCURRENCY_LIMIT_EXCEEDED', {
      message: `The account has ${limit} jobs queued or processing, which is the limit of its plan. Submit again when one of them is finished.`,
    });
  }

  async #checkProviderLimit(trx: Transaction<Database>, job: { accountId: string; jobId: string; credits: number }): Promise<void> {
    const exceeded = await findExceededLimit(trx, job, this.#limits, this.#clock.now());
    if (exceeded !== undefined) throw new AppError('PROVIDER_LIMIT_EXCEEDED', { message: describeLimit(exceeded), fields: { ...exceeded } });
  }

  /** The sum includes the job just inserted. */
  async #checkSandboxQuota(trx: Transaction<Database>, accountId: string): Promise<void> {
    const { sandboxBytes } = this.#limits;
    if (sandboxBytes === undefined) return;
    const [stored] = (await sumSandboxBytes.run(trx, { accountId })).rows;
    if (Number(stored?.bytes ?? 0) <= sandboxBytes) return;
    const message = `The scripts and videos of the account's test keys may occupy ${sandboxBytes / 1024 ** 2} MiB, which are used up. Submit again when older ones have expired, or use a live key.`;
    throw new AppError('SANDBOX_QUOTA_EXCEEDED', { message });
  }

  /** Finds a job of an account. */
  async find(accountId: string, jobId: string): Promise<(Job & { clientData?: unknown }) | undefined> {
    const [row] = (await jobOfAccount.run(this.#db, { accountId, jobId })).rows;
    if (row === undefined) return undefined;
    return { ...parseJobRow(row), ...(row.client_data !== null && { clientData: JSON.parse(row.client_data) as unknown }) };
  }

  /** When retention removed the output of this name (ISO 8601); undefined if it did not. */
  async findRemovedOutput(name: string): Promise<string | undefined> {
    const query = this.#db.selectFrom('jobs').select('output_removed_at').where('id', '=', name.slice(0, 36)).where('output_name', '=', name);
    return (await query.executeTakeFirst())?.output_removed_at ?? undefined;
  }

  /** The stored script; secrets of its exports are masked. */
  async findScript(jobId: string): Promise<unknown> {
    const { script } = await this.#db.selectFrom('jobs').select('script').where('id', '=', jobId).executeTakeFirstOrThrow();
    return JSON.parse(script);
  }

  /** Number of jobs by status, over all accounts. */
  async countByStatus(): Promise<ReadonlyMap<JobStatus, number>> {
    const rows = await this.#db
      .selectFrom('job_counts')
      .select((eb) => ['status', eb.fn.sum<number>('jobs').as('jobs')])
      .groupBy('status')
      .execute();
    return new Map(rows.map(({ status, jobs }) => [status, Number(jobs)]));
  }

  /** Writes a row to check that the database is writable; rejects if it is not. */
  async writeProbe(): Promise<void> {
    const written_at = new Date(this.#clock.now()).toISOString();
    const probe = this.#db.insertInto('probes').values({ name: 'readiness', written_at });
    await probe.onConflict((conflict) => conflict.column('name').doUpdateSet({ written_at })).execute();
  }

  /** Lists a page of an account's jobs, newest first; pages start at 1. */
  async list(accountId: string, query: { page: number; limit: number; status?: JobStatus }): Promise<{ jobs: Job[]; total: number }> {
    const { status } = query;
    const counts = this.#db
      .selectFrom('job_counts')
      .where('account_id', '=', accountId)
      .$if(status !== undefined, (rows) => rows.where('status', '=', status as JobStatus));
    const { total } = await counts.select((eb) => eb.fn.sum<number | null>('jobs').as('total')).executeTakeFirstOrThrow();
    // A page beyond the end would scan the whole index.
    if ((query.page - 1) * query.limit >= Number(total ?? 0)) return { jobs: [], total: Number(total ?? 0) };
    // The offset scans the index only; the page's rows are read afterwards. That keeps late pages cheap.
    const page = this.#db
      .selectFrom('jobs')
      .select('seq')
      .where('account_id', '=', accountId)
      .$if(status !== undefined, (jobs) => jobs.where('status', '=', status as JobStatus))
      .orderBy('seq', 'desc')
      .limit(query.limit)
      .offset((query.page - 1) * query.limit);
    const rows = await this.#db.selectFrom('jobs').select(jobColumns).where('seq', 'in', page).orderBy('seq', 'desc').execute();
    return { jobs: rows.map(parseJobRow), total: Number(total ?? 0) };
  }
}

type InsertedJob = Required<
  Pick<NewJobRow, 'id' | 'account_id' | 'mode' | 'script' | 'client_data' | 'sandbox_bytes' | 'estimated_credits' | 'provider_credits' | 'created_at'>
>;

const insertJob = new PreparedQuery((db, param: Param<InsertedJob>) =>
  db.insertInto('jobs').values({
    id: param('id'),
    account_id: param('account_id'),
    mode: param('mode'),
    status: 'queued',
    progress: 0,
    script: param('script'),
    client_data: param('client_data'),
    sandbox_bytes: param('sandbox_bytes'),
    estimated_credits: param('estimated_credits'),
    provider_credits: param('provider_credits'),
    attempts: 0,
    created_at: param('created_at'),
  }),
);

const jobOfAccount = new PreparedQuery((db, param: Param<{ accountId: string; jobId: string }>) =>
  db
    .selectFrom('jobs')
    .select([...jobColumns, 'client_data'])
    .where('id', '=', param('jobId'))
    .where('account_id', '=', param('accountId')),
);

const countActive = new PreparedQuery((db, param: Param<{ accountId: string }>) =>
  db
    .selectFrom('job_counts')
    .select((eb) => eb.fn.sum<number>('jobs').as('jobs'))
    .where('account_id', '=', param('accountId'))
    .where('status', 'in', ['queued', 'processing']),
);

const sumSandboxBytes = new PreparedQuery((db, param: Param<{ accountId: string }>) =>
  db
    .selectFrom('jobs')
    .select((eb) => {
      const outputBytes = eb
        .case()
        .when('output_removed_at', 'is', null)
        .then(eb.fn.coalesce('size_bytes', eb.lit(0)))
        .else(eb.lit(0))
        .end();
      return eb.fn.sum<number | null>(eb('sandbox_bytes', '+', outputBytes)).as('bytes');
    })
    .where('account_id', '=', param('accountId'))
    .where('sandbox_bytes', '>', (eb) => eb.lit(0)),
);

const balanceOf = new PreparedQuery((db, param: Param<{ accountId: string }>) =>
  db.selectFrom('accounts').select('balance').where('id', '=', param('accountId')),
);

async function readBalance(trx: Transaction<Database>, accountId: string): Promise<number> {
  const [account] = (await balanceOf.run(trx, { accountId })).rows;
  if (account === undefined) throw new Error(`Account ${accountId} not found.`);
  return account.balance;
}

function insufficientCredits(required: number, balance: number): AppError {
  return new AppError('INSUFFICIENT_CREDITS', {
    message: `This render is estimated at ${required} credit${required === 1 ? '' : 's'} and the balance is ${balance}.`,
    fields: { required, balance },
  });
}
