import { type Database, type DeliveryAttemptRow, type DeliveryRow, type Kysely, type Param, PreparedQuery } from '../../db/index.js';
import type { DeliveryKind } from './delivery-store.js';

/** State of one export as the API shows it. */
export interface ExportState {
  type: string;
  status: 'pending' | 'delivered' | 'failed';
  location: string | null;
  message: string | null;
  attempts: number;
  finishedAt: string | null;
}

/** A job's webhook with its attempts, for the operator. */
export interface WebhookRecord {
  url: string;
  /** `waiting`: the job has not ended. */
  status: 'waiting' | 'pending' | 'delivered' | 'abandoned';
  nextAttemptAt: string | null;
  attempts: Array<{ number: number; startedAt: string; finishedAt: string | null; httpStatus: number | null; error: string | null }>;
}

/** A delivery as the operator's listings show it, without its target. */
export interface DeliveryRecord {
  id: number;
  jobId: string;
  accountName: string;
  kind: DeliveryKind;
  /** Type of the target, such as `s3`; `webhook` for webhooks. */
  type: string;
  /** Host and port of a webhook's URL. */
  host: string | null;
  status: DeliveryRow['status'];
  attempts: number;
  nextAttemptAt: string | null;
  finishedAt: string | null;
  message: string | null;
}

/** What decides whether and how a delivery can be sent again. */
export interface ResendableDelivery {
  jobId: string;
  accountId: string;
  kind: DeliveryKind;
  type: string;
  status: DeliveryRow['status'];
}

/** Numbers of deliveries by state and kind. */
export type UndeliveredCounts = Record<'pending' | 'failed', Record<DeliveryKind, number>>;

/** Filter of a listing. */
export interface DeliveryFilter {
  accountName?: string | undefined;
  status?: DeliveryRow['status'] | undefined;
  limit: number;
}

/** Queries on deliveries for the API, metrics and operators. */
export class DeliveryRecordStore {
  readonly #db: Kysely<Database>;
  readonly #clock: { now(): number };

  constructor(db: Kysely<Database>, clock: { now(): number }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** States of a job's exports in order of delivery; empty for a job without exports. */
  async listExports(jobId: string): Promise<ExportState[]> {
    const { rows } = await selectExports.run(this.#db, { jobId });
    return rows.map(({ type, status, location, message, attempts, finished_at: finishedAt }) => ({
      type,
      status: status === 'waiting' ? 'pending' : status,
      location,
      message,
      attempts,
      finishedAt,
    }));
  }

  /** Finds a job's webhook with its attempts. */
  async findWebhook(jobId: string): Promise<WebhookRecord | undefined> {
    const webhooks = this.#db.selectFrom('deliveries').select(['id', 'target', 'status', 'next_attempt_at']);
    const row = await webhooks.where('job_id', '=', jobId).where('kind', '=', 'webhook').executeTakeFirst();
    if (row === undefined) return undefined;
    const attempts = await this.#db.selectFrom('delivery_attempts').selectAll().where('delivery_id', '=', row.id).orderBy('number').execute();
    const status = row.status === 'failed' ? 'abandoned' : row.status;
    return { url: row.target ?? '', status, nextAttemptAt: row.next_attempt_at, attempts: attempts.map(describeAttempt) };
  }

  /** Counts the deliveries that are due or wait for their next attempt, and those that have failed for good. */
  async countUndelivered(): Promise<UndeliveredCounts> {
    const rows = await this.#db
      .selectFrom('deliveries')
      .select((eb) => ['kind', 'status', eb.fn.countAll<number>().as('count')])
      .where('status', 'in', ['pending', 'failed'])
      .groupBy(['kind', 'status'])
      .execute();
    const counts: UndeliveredCounts = { pending: { webhook: 0, export: 0 }, failed: { webhook: 0, export: 0 } };
    for (const { kind, status, count } of rows) counts[status === 'failed' ? 'failed' : 'pending'][kind] = Number(count);
    return counts;
  }

  /** Lists deliveries, newest first. */
  async list({ accountName, status, limit }: DeliveryFilter): Promise<DeliveryRecord[]> {
    const rows = await this.#db
      .selectFrom('deliveries as d')
      .innerJoin('accounts', 'accounts.id', 'd.account_id')
      .select(['d.id', 'd.job_id', 'accounts.name', 'd.kind', 'd.type', 'd.host', 'd.status', 'd.attempts', 'd.next_attempt_at', 'd.finished_at', 'd.message'])
      .$if(accountName !== undefined, (query) => query.where('accounts.name', '=', accountName ?? ''))
      .$if(status !== undefined, (query) => query.where('d.status', '=', status ?? 'failed'))
      .orderBy('d.id', 'desc')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      id: Number(row.id),
      jobId: row.job_id,
      accountName: row.name,
      kind: row.kind,
      type: row.type,
      host: row.host,
      status: row.status,
      attempts: row.attempts,
      nextAttemptAt: row.next_attempt_at,
      finishedAt: row.finished_at,
      message: row.message,
    }));
  }

  /** Finds a delivery by its id. */
  async find(id: number): Promise<ResendableDelivery | undefined> {
    const row = await this.#db.selectFrom('deliveries').select(['job_id', 'account_id', 'kind', 'type', 'status']).where('id', '=', id).executeTakeFirst();
    return row && { jobId: row.job_id, accountId: row.account_id, kind: row.kind, type: row.type, status: row.status };
  }

  /**
   * Makes a failed delivery due again, with all its retries. `target` replaces the target of an export as JSON, because its
   * credentials were erased when it ended; a webhook has its URL still. Returns false if the delivery has not failed.
   */
  async resend(id: number, target?: string): Promise<boolean> {
    const resent = await this.#db
      .updateTable('deliveries')
      .set({
        status: 'pending',
        runs: 0,
        next_attempt_at: new Date(this.#clock.now()).toISOString(),
        finished_at: null,
        ...(target !== undefined && { target }),
      })
      .where('id', '=', id)
      .where('status', '=', 'failed')
      .where('kind', '=', target === undefined ? 'webhook' : 'export')
      .executeTakeFirst();
    return resent.numUpdatedRows === 1n;
  }
}

/** Prepared, because every job query runs it. */
const selectExports = new PreparedQuery((db, param: Param<{ jobId: string }>) =>
  db
    .selectFrom('deliveries')
    .select(['type', 'status', 'location', 'message', 'attempts', 'finished_at'])
    .where('job_id', '=', param('jobId'))
    .where('kind', '=', 'export')
    .orderBy('ordinal'),
);

function describeAttempt(row: DeliveryAttemptRow): WebhookRecord['attempts'][number] {
  return { number: row.number, startedAt: row.started_at, finishedAt: row.finished_at, httpStatus: row.http_status, error: row.error };
}
