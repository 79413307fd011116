import { randomUUID } from 'node:crypto';
import { type Caller, type Clock, postEntry } from '../../accounts/index.js';
import { type Database, GroupCommit, type Kysely, type NewJobRow, type Param, PreparedQuery, type Transaction } from '../../db/index.js';
import { AppError } from '../../errors/index.js';
import type { Job, JobStatus } from '../job.js';
import type { JobTransactionHook, SubmittedJob } from '../job-transaction-hook.js';
import { claimKey, findStoredResponse, type IdempotencyKey, idempotencyMs, purgeKeys, storeResponse } from './idempotency-store.js';
import { jobColumns, parseJobRow } from './job-rows.js';

export interface Submission {
  caller: Pick<Caller, 'accountId' | 'mode' | 'limits'>;
  /** As it was accepted, but for secrets of its exports. */
  script: unknown;
  estimatedCredits: number;
  /** Handed back with the job; any JSON. */
  clientData?: unknown;
  webhookUri?: string | undefined;
  /** Export targets with their secrets. */
  exportTargets?: SubmittedJob['exportTargets'];
  /** Accepted once under this key; a repetition gets the first answer. */
  idempotency?: IdempotencyKey | undefined;
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
  readonly #companions: readonly JobTransactionHook[];
  readonly #submissions: GroupCommit;

  constructor(db: Kysely<Database>, clock: Clock, companions: readonly JobTransactionHook[] = []) {
    this.#db = db;
    this.#clock = clock;
    this.#companions = companions;
    this.#submissions = new GroupCommit(db);
  }

  /**
   * Debits the estimate and queues the job at once, or throws INSUFFICIENT_CREDITS, then CONCURRENCY_LIMIT_EXCEEDED, and
   * leaves nothing behind. Submissions that arrive together wait for the disk together. Sandbox jobs cost nothing, so no balance is needed for them.
   */
  async submit(submission: Submission): Promise<AcceptedJob> {
    const { caller, estimatedCredits, idempotency: once } = submission;
    const place = once === undefined ? undefined : { accountId: caller.accountId, once };
    const jobId = randomUUID();
    const at = new Date(this.#clock.now()).toISOString();
    const client_data = submission.clientData === undefined ? null : JSON.stringify(submission.clientData);
    const row = { id: jobId, account_id: caller.accountId, mode: caller.mode, script: JSON.stringify(submission.script), client_data, created_at: at };
    const price = caller.mode === 'live' ? estimatedCredits : 0;
    return this.#submissions.run(async (trx) => {
      const earlier = place === undefined ? undefined : await claimKey(trx, place, { jobId, estimatedCredits, at }, this.#oldestKey());
      if (earlier !== undefined) return earlier;
      await insertJob.run(trx, { ...row, estimated_credits: estimatedCredits });
      const held = await postEntry(trx, { accountId: caller.accountId, jobId, kind: 'hold', amount: 0 - price, at });
      const balance = await readBalance(trx, caller.accountId);
      if (!held) throw insufficientCredits(price, balance);
      await this.#checkConcurrency(trx, caller);
      const { webhookUri, exportTargets = [] } = submission;
      for (const companion of this.#companions) await companion.onSubmitted(trx, { jobId, accountId: caller.accountId, webhookUri, exportTargets });
      if (place !== undefined) await storeResponse(trx, place, balance);
      return { jobId, estimatedCredits, creditsRemaining: balance };
    });
  }

  /** What was answered to the same submission before; INVALID_REQUEST when its key stood for another one. */
  findIdempotentResponse(accountId: string, once: IdempotencyKey): Promise<AcceptedJob | undefined> {
    return findStoredResponse(this.#db, { accountId, once }, this.#oldestKey());
  }

  /** Forgets idempotency keys after their time. */
  purgeIdempotencyKeys(): Promise<number> {
    return purgeKeys(this.#db, this.#oldestKey());
  }

  #oldestKey(): string {
    return new Date(this.#clock.now() - idempotencyMs).toISOString();
  }

  /** The job just inserted counts already. */
  async #checkConcurrency(trx: Transaction<Database>, caller: Submission['caller']): Promise<void> {
    const limit = caller.limits.concurrentJobs;
    const [active] = (await countActive.run(trx, { accountId: caller.accountId })).rows;
    if (Number(active?.jobs) <= limit) return;
    throw new AppError('CONCURRENCY_LIMIT_EXCEEDED', {
      message: `The account has ${limit} jobs queued or processing, which is the limit of its plan. Submit again when one of them is finished.`,
    });
  }

  async find(accountId: string, jobId: string): Promise<(Job & { clientData?: unknown }) | undefined> {
    const [row] = (await jobOfAccount.run(this.#db, { accountId, jobId })).rows;
    if (row === undefined) return undefined;
    return { ...parseJobRow(row), ...(row.client_data !== null && { clientData: JSON.parse(row.client_data) as unknown }) };
  }

  /** When the file of this name was removed for its age; undefined for any other name. */
  async findRemovedOutput(name: string): Promise<string | undefined> {
    const query = this.#db.selectFrom('jobs').select('output_removed_at').where('id', '=', name.slice(0, 36)).where('output_name', '=', name);
    return (await query.executeTakeFirst())?.output_removed_at ?? undefined;
  }

  /** As it is kept: secrets of its exports are masked. */
  async findScript(jobId: string): Promise<unknown> {
    const { script } = await this.#db.selectFrom('jobs').select('script').where('id', '=', jobId).executeTakeFirstOrThrow();
    return JSON.parse(script);
  }

  /** Jobs in each state, of all accounts. */
  async countByStatus(): Promise<ReadonlyMap<JobStatus, number>> {
    const rows = await this.#db
      .selectFrom('job_counts')
      .select((eb) => ['status', eb.fn.sum<number>('jobs').as('jobs')])
      .groupBy('status')
      .execute();
    return new Map(rows.map(({ status, jobs }) => [status, Number(jobs)]));
  }

  /** Writes, to find out whether that is possible. */
  async writeProbe(): Promise<void> {
    const written_at = new Date(this.#clock.now()).toISOString();
    const probe = this.#db.insertInto('probes').values({ name: 'readiness', written_at });
    await probe.onConflict((conflict) => conflict.column('name').doUpdateSet({ written_at })).execute();
  }

  /** Newest first. */
  async list(accountId: string, query: { page: number; limit: number; status?: JobStatus }): Promise<{ jobs: Job[]; total: number }> {
    const { status } = query;
    const counts = this.#db
      .selectFrom('job_counts')
      .where('account_id', '=', accountId)
      .$if(status !== undefined, (rows) => rows.where('status', '=', status as JobStatus));
    const { total } = await counts.select((eb) => eb.fn.sum<number | null>('jobs').as('total')).executeTakeFirstOrThrow();
    // No need to walk over all of them to find nothing behind.
    if ((query.page - 1) * query.limit >= Number(total ?? 0)) return { jobs: [], total: Number(total ?? 0) };
    // Skipping over the index alone, and reading the page's rows afterwards, keeps late pages cheap.
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

const insertJob = new PreparedQuery(
  (db, slot: Param<Pick<NewJobRow, 'id' | 'account_id' | 'mode' | 'script' | 'client_data' | 'estimated_credits' | 'created_at'>>) =>
    db.insertInto('jobs').values({
      id: slot('id'),
      account_id: slot('account_id'),
      mode: slot('mode'),
      status: 'queued',
      progress: 0,
      script: slot('script'),
      client_data: slot('client_data'),
      estimated_credits: slot('estimated_credits'),
      attempts: 0,
      created_at: slot('created_at'),
    }),
);

const jobOfAccount = new PreparedQuery((db, slot: Param<{ accountId: string; jobId: string }>) =>
  db
    .selectFrom('jobs')
    .select([...jobColumns, 'client_data'])
    .where('id', '=', slot('jobId'))
    .where('account_id', '=', slot('accountId')),
);

const countActive = new PreparedQuery((db, slot: Param<{ accountId: string }>) =>
  db
    .selectFrom('job_counts')
    .select((eb) => eb.fn.sum<number>('jobs').as('jobs'))
    .where('account_id', '=', slot('accountId'))
    .where('status', 'in', ['queued', 'processing']),
);

const balanceOf = new PreparedQuery((db, slot: Param<{ accountId: string }>) =>
  db.selectFrom('accounts').select('balance').where('id', '=', slot('accountId')),
);

async function readBalance(trx: Transaction<Database>, accountId: string): Promise<number> {
  const [account] = (await balanceOf.run(trx, { accountId })).rows;
  if (account === undefined) throw new Error(`The account ${accountId} is gone.`);
  return account.balance;
}

function insufficientCredits(required: number, balance: number): AppError {
  return new AppError('INSUFFICIENT_CREDITS', {
    message: `This render is estimated at ${required} credit${required === 1 ? '' : 's'} and the balance is ${balance}.`,
    fields: { required, balance },
  });
}
