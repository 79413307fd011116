import type { Database, Kysely, Transaction, WebhookAttemptRow, WebhookDeliveryRow } from '../../db/index.js';
import type { Job, JobTransactionHook, SubmittedJob } from '../../jobs/index.js';

/** Source of the current time. */
export interface WallClock {
  /** Unix time in milliseconds. */
  now(): number;
}

/** A webhook that is due. */
export interface DueWebhook {
  jobId: string;
  accountId: string;
  url: string;
  host: string;
  /** Number of attempts started so far. */
  attempts: number;
}

/** Hosts and accounts that are at their concurrency limit. */
export interface Busy {
  hosts: readonly string[];
  accountIds: readonly string[];
}

/** The result of one attempt. */
export interface AttemptOutcome {
  httpStatus: number | null;
  /** Null when the receiver accepted the webhook. */
  error: string | null;
}

/** A webhook with its attempts, for the operator. */
export interface WebhookRecord {
  url: string;
  status: WebhookDeliveryRow['status'];
  nextAttemptAt: string | null;
  attempts: Array<{ number: number; startedAt: string; finishedAt: string | null; httpStatus: number | null; error: string | null }>;
}

/** Database queries on webhooks and their attempts. Writes take part in the job's transactions. */
export class WebhookStore implements JobTransactionHook {
  readonly #db: Kysely<Database>;
  readonly #clock: WallClock;

  constructor(db: Kysely<Database>, clock: WallClock) {
    this.#db = db;
    this.#clock = clock;
  }

  async onSubmitted(trx: Transaction<Database>, { jobId, accountId, webhookUri }: SubmittedJob): Promise<void> {
    if (webhookUri === undefined) return;
    const { host } = new URL(webhookUri);
    await trx
      .insertInto('webhook_deliveries')
      .values({ job_id: jobId, account_id: accountId, url: webhookUri, host, status: 'waiting', attempts: 0, next_attempt_at: null })
      .execute();
  }

  async onEnded(trx: Transaction<Database>, job: Job): Promise<void> {
    await trx
      .updateTable('webhook_deliveries')
      .set({ status: 'pending', next_attempt_at: this.#timestamp() })
      .where('job_id', '=', job.id)
      .where('status', '=', 'waiting')
      .execute();
  }

  /**
   * Due webhooks, the longest overdue first. A due time more than `maxWaitMs` ahead was written before the clock was
   * set back, so it counts as due.
   */
  async listDue(busy: Busy, limit: number, maxWaitMs: number): Promise<DueWebhook[]> {
    const rows = await this.#db
      .selectFrom('webhook_deliveries')
      .select(['job_id', 'account_id', 'url', 'host', 'attempts'])
      .where('status', '=', 'pending')
      .where((where) => where.or([where('next_attempt_at', '<=', this.#timestamp()), where('next_attempt_at', '>', this.#timestamp(maxWaitMs))]))
      .$if(busy.hosts.length > 0, (query) => query.where('host', 'not in', busy.hosts))
      .$if(busy.accountIds.length > 0, (query) => query.where('account_id', 'not in', busy.accountIds))
      .orderBy('next_attempt_at')
      .limit(limit)
      .execute();
    return rows.map((row) => ({ jobId: row.job_id, accountId: row.account_id, url: row.url, host: row.host, attempts: row.attempts }));
  }

  /**
   * Counts an attempt before it is made and schedules the next one in case this process dies.
   * Returns its number, or undefined when another process has started it.
   */
  async beginAttempt(due: DueWebhook, retryInMs: number): Promise<number | undefined> {
    const number = due.attempts + 1;
    return this.#db.transaction().execute(async (trx) => {
      const counted = await trx
        .updateTable('webhook_deliveries')
        .set({ attempts: number, next_attempt_at: this.#timestamp(retryInMs) })
        .where('job_id', '=', due.jobId)
        .where('status', '=', 'pending')
        .where('attempts', '=', due.attempts)
        .executeTakeFirst();
      if (counted.numUpdatedRows !== 1n) return undefined;
      await trx.insertInto('webhook_attempts').values({ job_id: due.jobId, number, started_at: this.#timestamp() }).execute();
      return number;
    });
  }

  /**
   * Stores the outcome of an attempt; `retryInMs` is undefined after the last one. Returns false, and leaves the state of the webhook
   * unchanged, if a later attempt has begun.
   */
  async finishAttempt(jobId: string, number: number, outcome: AttemptOutcome, retryInMs: number | undefined): Promise<boolean> {
    return this.#db.transaction().execute(async (trx) => {
      await trx
        .updateTable('webhook_attempts')
        .set({ finished_at: this.#timestamp(), http_status: outcome.httpStatus, error: outcome.error })
        .where('job_id', '=', jobId)
        .where('number', '=', number)
        .execute();
      const delivered = outcome.error === null;
      const ended = delivered || retryInMs === undefined;
      const decided = await trx
        .updateTable('webhook_deliveries')
        .set(ended ? { status: delivered ? 'delivered' : 'abandoned', next_attempt_at: null } : { next_attempt_at: this.#timestamp(retryInMs) })
        .where('job_id', '=', jobId)
        .where('status', '=', 'pending')
        .where('attempts', '=', number)
        .executeTakeFirst();
      return decided.numUpdatedRows === 1n;
    });
  }

  /** Marks a webhook as abandoned after attempt `number`, the last one, ended without an outcome. Returns false if it is no longer pending or not the last. */
  async abandon(jobId: string, number: number): Promise<boolean> {
    const abandoned = await this.#db
      .updateTable('webhook_deliveries')
      .set({ status: 'abandoned', next_attempt_at: null })
      .where('job_id', '=', jobId)
      .where('status', '=', 'pending')
      .where('attempts', '=', number)
      .executeTakeFirst();
    return abandoned.numUpdatedRows === 1n;
  }

  /** Number of webhooks that are due or waiting for their next attempt. */
  async countPending(): Promise<number> {
    const { owed: pending } = await this.#db
      .selectFrom('webhook_deliveries')
      .select((eb) => eb.fn.countAll<number>().as('owed'))
      .where('status', '=', 'pending')
      .executeTakeFirstOrThrow();
    return Number(pending);
  }

  /** Looks up a job's webhook with its attempts. */
  async find(jobId: string): Promise<WebhookRecord | undefined> {
    const row = await this.#db.selectFrom('webhook_deliveries').selectAll().where('job_id', '=', jobId).executeTakeFirst();
    if (row === undefined) return undefined;
    const attempts = await this.#db.selectFrom('webhook_attempts').selectAll().where('job_id', '=', jobId).orderBy('number').execute();
    return { url: row.url, status: row.status, nextAttemptAt: row.next_attempt_at, attempts: attempts.map(describeAttempt) };
  }

  #timestamp(laterMs = 0): string {
    return new Date(this.#clock.now() + laterMs).toISOString();
  }
}

function describeAttempt(row: WebhookAttemptRow): WebhookRecord['attempts'][number] {
  return { number: row.number, startedAt: row.started_at, finishedAt: row.finished_at, httpStatus: row.http_status, error: row.error };
}
