import type { Database, JobRow, Kysely, LedgerEntryRow } from '../../db/index.js';
import type { Job, JobStatus } from '../job.js';
import type { Purchase } from '../purchase.js';
import { jobColumns, type ListedJobRow, parseJobRow } from './job-rows.js';

/** A job as operators see it. */
export interface JobRecord extends Job {
  accountName: string;
  mode: JobRow['mode'];
  /** Number of counted attempts. */
  renderAttempts: number;
  /** How often the service died while rendering the job. */
  interruptions: number;
}

/** A ledger entry of one job. */
export interface CreditsEntry {
  kind: LedgerEntryRow['kind'];
  amount: number;
  createdAt: string;
}

/** What a job bought from a provider service. */
export type PurchaseRecord = Omit<Purchase, 'item'> & { boughtAt: string };

/** Filters of the operator's job list. */
export interface JobRecordQuery {
  accountName?: string | undefined;
  status?: JobStatus | undefined;
  limit: number;
}

type RecordRow = ListedJobRow & { accountName: string };

/** Operator queries over all accounts. */
export class JobRecordStore {
  readonly #db: Kysely<Database>;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  async find(jobId: string): Promise<JobRecord | undefined> {
    const row = await this.#select().where('jobs.id', '=', jobId).executeTakeFirst();
    return row === undefined ? undefined : parseRecord(row);
  }

  /** Lists jobs, newest first. */
  async list({ accountName, status, limit }: JobRecordQuery): Promise<JobRecord[]> {
    let query = this.#select().orderBy('jobs.seq', 'desc').limit(limit);
    if (accountName !== undefined) query = query.where('accounts.name', '=', accountName);
    if (status !== undefined) query = query.where('jobs.status', '=', status);
    return (await query.execute()).map(parseRecord);
  }

  /** Lists a job's ledger entries in order. */
  async listCredits(jobId: string): Promise<CreditsEntry[]> {
    const rows = await this.#db.selectFrom('ledger_entries').select(['kind', 'amount', 'created_at']).where('job_id', '=', jobId).orderBy('seq').execute();
    return rows.map((row) => ({ kind: row.kind, amount: row.amount, createdAt: row.created_at }));
  }

  /** Lists what a job bought from provider services, in order. */
  async listPurchases(jobId: string): Promise<PurchaseRecord[]> {
    return this.#db
      .selectFrom('provider_purchases')
      .select(['kind', 'provider', 'quantity', 'microcredits', 'bought_at as boughtAt'])
      .where('job_id', '=', jobId)
      .orderBy('bought_at')
      .orderBy('item')
      .execute();
  }

  #select() {
    return this.#db
      .selectFrom('jobs')
      .innerJoin('accounts', 'accounts.id', 'jobs.account_id')
      .select([...jobColumns.map((column) => `jobs.${column}` as const), 'accounts.name as accountName']);
  }
}

function parseRecord(row: RecordRow): JobRecord {
  return {
    ...parseJobRow(row),
    accountName: row.accountName,
    mode: row.mode,
    renderAttempts: row.attempts,
    interruptions: row.interruptions,
  };
}
