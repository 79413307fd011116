import type { Database, Kysely, Transaction, WebhookAttemptRow, WebhookDeliveryRow } from '../../db/index.js';
import type { Job, JobTransactionHook, SubmittedJob } from '../../jobs/index.js';

export interface WallClock {
  /** Epoch milliseconds. */
  now(): number;
}

/** A webhook whose time has come. */
export interface DueWebhook {
  jobId: string;
  accountId: string;
  url: string;
  host: string;
  /** Attempts begun so far. */
  attempts: number;
}

/** Who gets no further attempt at the moment. */
export interface Busy {
  hosts: readonly string[];
  accountIds: readonly string[];
}

export interface AttemptOutcome {
  httpStatus: number | null;
  /** Null: the receiver took it. */
  error: string | null;
}

export interface WebhookRecord {
  url: string;
  status: WebhookDeliveryRow['status'];
  nextAttemptAt: string | null;
  attempts: Array<{ number: number; startedAt: string; finishedAt: string | null; httpStatus: number | null; error: string | null }>;
}

/** The queries on webhooks and their attempts. */
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
      .set({ status: 'pending', next_attempt_at: this.#at() })
      .where('job_id', '=', job.id)
      .where('status', '=', 'waiting')
      .execute();
  }

  /**
   * Those whose time has come, the longest due first. None waits longer than `maxWaitMs`: a time further away was written
   * by a clock that has been set back since.
   */
  async listDue(busy: Busy, limit: number, maxWaitMs: number): Promise<DueWebhook[]> {
    const rows = await this.#db
      .selectFrom('webhook_deliveries')
      .select(['job_id', 'account_id', 'url', 'host', 'attempts'])
      .where('status', '=', 'pending')
      .where((where) => where.or([where('next_attempt_at', '<=', this.#at()), where('next_attempt_at', '>', this.#at(maxWaitMs))]))
      .$if(busy.hosts.length > 0, (query) => query.where('host', 'not in', busy.hosts))
      .$if(busy.accountIds.length > 0, (query) => query.where('account_id', 'not in', busy.accountIds))
      .orderBy('next_attempt_at')
      .limit(limit)
      .execute();
    return rows.map((row) => ({ jobId: row.job_id, accountId: row.account_id, url: row.url, host: row.host, attempts: row.attempts }));
  }

  /**
   * Counts an attempt before it is made, and notes when the next one is due should nobody live to tell its outcome.
   * Returns its number, or undefined when someone else has begun it.
   */
  async begin(due: DueWebhook, retryInMs: number): Promise<number | undefined> {
    const number = due.attempts + 1;
    return this.#db.transaction().execute(async (trx) => {
      const counted = await trx
        .updateTable('webhook_deliveries')
        .set({ attempts: number, next_attempt_at: this.#at(retryInMs) })
        .where('job_id', '=', due.jobId)
        .where('status', '=', 'pending')
        .where('attempts', '=', due.attempts)
        .executeTakeFirst();
      if (counted.numUpdatedRows !== 1n) return undefined;
      await trx.insertInto('webhook_attempts').values({ job_id: due.jobId, number, started_at: this.#at() }).execute();
      return number;
    });
  }

  /** retryInMs undefined: there is no further attempt. */
  async finish(jobId: string, number: number, outcome: AttemptOutcome, retryInMs: number | undefined): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .updateTable('webhook_attempts')
        .set({ finished_at: this.#at(), http_status: outcome.httpStatus, error: outcome.error })
        .where('job_id', '=', jobId)
        .where('number', '=', number)
        .execute();
      const delivered = outcome.error === null;
      const ended = delivered || retryInMs === undefined;
      await trx
        .updateTable('webhook_deliveries')
        .set(ended ? { status: delivered ? 'delivered' : 'abandoned', next_attempt_at: null } : { next_attempt_at: this.#at(retryInMs) })
        .where('job_id', '=', jobId)
        .execute();
    });
  }

  /** All attempts were begun and the outcome of the last is unknown. */
  async abandon(jobId: string): Promise<void> {
    await this.#db.updateTable('webhook_deliveries').set({ status: 'abandoned', next_attempt_at: null }).where('job_id', '=', jobId).execute();
  }

  /** Due, or waiting for their next attempt. */
  async countPending(): Promise<number> {
    const { owed } = await this.#db
      .selectFrom('webhook_deliveries')
      .select((eb) => eb.fn.countAll<number>().as('owed'))
      .where('status', '=', 'pending')
      .executeTakeFirstOrThrow();
    return Number(owed);
  }

  /** For the operator. */
  async find(jobId: string): Promise<WebhookRecord | undefined> {
    const row = await this.#db.selectFrom('webhook_deliveries').selectAll().where('job_id', '=', jobId).executeTakeFirst();
    if (row === undefined) return undefined;
    const attempts = await this.#db.selectFrom('webhook_attempts').selectAll().where('job_id', '=', jobId).orderBy('number').execute();
    return { url: row.url, status: row.status, nextAttemptAt: row.next_attempt_at, attempts: attempts.map(describeAttempt) };
  }

  #at(laterMs = 0): string {
    return new Date(this.#clock.now() + laterMs).toISOString();
  }
}

function describeAttempt(row: WebhookAttemptRow): WebhookRecord['attempts'][number] {
  return { number: row.number, startedAt: row.started_at, finishedAt: row.finished_at, httpStatus: row.http_status, error: row.error };
}
