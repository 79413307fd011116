import type { SqlBool } from 'kysely';
import type { Clock } from '../../accounts/index.js';
import { BatchedLookup, type Database, type JobRow, type Kysely } from '../../db/index.js';
import type { Job, JobStatus } from '../job.js';
import type { JobTransactionHook } from '../job-transaction-hook.js';
import { findStoredResponse, type IdempotencyKey, idempotencyMs, purgeKeys } from './idempotency-store.js';
import { jobColumns, type ListedJobRow, parseJobRow, storedFiles } from './job-rows.js';
import { type AcceptedJob, type Submission, type SubmissionLimits, SubmissionStore } from './submission-store.js';

/** A job of an account with what only its own page shows. */
export type FoundJob = Job & { clientData?: unknown; hasExports: boolean };

type FoundRow = ListedJobRow & Pick<JobRow, 'client_data'> & { has_exports: SqlBool };

/** Queries of the submitting side. */
export class JobStore {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #submissions: SubmissionStore;
  readonly #jobs: BatchedLookup<FoundRow>;

  constructor(db: Kysely<Database>, clock: Clock, hooks: readonly JobTransactionHook[] = [], limits: SubmissionLimits = {}) {
    this.#db = db;
    this.#clock = clock;
    this.#submissions = new SubmissionStore(db, clock, hooks, limits);
    this.#jobs = new BatchedLookup(
      db,
      (database, hasKey) =>
        database
          .selectFrom('jobs')
          .select([...jobColumns, 'client_data'])
          .select((eb) => eb.exists(eb.selectFrom('deliveries').select('id').whereRef('job_id', '=', 'jobs.id').where('kind', '=', 'export')).as('has_exports'))
          .where(hasKey('jobs.id')),
      ({ id }) => id,
    );
  }

  /**
   * Debits the estimate and queues the job, or throws INSUFFICIENT_CREDITS, then CONCURRENCY_LIMIT_EXCEEDED, then
   * PROVIDER_LIMIT_EXCEEDED or SANDBOX_QUOTA_EXCEEDED, and changes nothing. Concurrent submissions share a commit. Sandbox jobs are free.
   */
  submit(submission: Submission): Promise<AcceptedJob> {
    return this.#submissions.submit(submission);
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

  /** Finds a job of any account. */
  async read(jobId: string): Promise<Job | undefined> {
    const row = await this.#jobs.find(jobId);
    return row && parseJobRow(row);
  }

  /** Finds a job of an account. */
  async find(accountId: string, jobId: string): Promise<FoundJob | undefined> {
    const row = await this.#jobs.find(jobId);
    if (row === undefined || row.account_id !== accountId) return undefined;
    const clientData = row.client_data !== null && { clientData: JSON.parse(row.client_data) as unknown };
    return { ...parseJobRow(row), ...clientData, hasExports: Boolean(row.has_exports) };
  }

  /** When retention removed the output of this name (ISO 8601); undefined if it did not. */
  async findRemovedOutput(name: string): Promise<string | undefined> {
    const query = this.#db.selectFrom('jobs').select(['output_name', 'outputs', 'output_removed_at']).where('id', '=', name.slice(0, 36));
    const row = await query.executeTakeFirst();
    // Of an output of several files, the row names one file of the folder.
    const [folder] = name.split('/');
    const isOwn = row !== undefined && storedFiles(row).some((file) => file === name || (name.includes('/') && file.split('/')[0] === folder));
    return isOwn ? (row.output_removed_at ?? undefined) : undefined;
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
