import type { ExpressionBuilder } from 'kysely';
import { type Database, type ExportDeliveryRow, type Kysely, lockRows, type Param, PreparedQuery, type Transaction, truncateWal } from '../../db/index.js';
import { type Job, type JobTransactionHook, LeaseOwner, type SubmittedJob } from '../../jobs/index.js';
import type { ExportResult, ExportTarget } from '../exports/index.js';
import { type DeliveryLease, DeliveryLeases } from './delivery-leases.js';

/** Status of one export as the API shows it. */
export interface ExportState {
  type: string;
  status: 'pending' | 'delivered' | 'failed';
  location: string | null;
  message: string | null;
  attempts: number;
  finishedAt: string | null;
}

/** A completed job with pending exports. */
export interface DueExports {
  jobId: string;
  accountId: string;
}

/** A target that is not yet delivered, with its position in the script. */
export interface OpenTarget {
  ordinal: number;
  target: ExportTarget;
}

/** A leased run over the open targets of a job. */
export interface DeliveryRun {
  lease: DeliveryLease;
  targets: readonly OpenTarget[];
}

/** Maximum number of runs that a crash of the service may interrupt before the target fails. */
const maxRuns = 3;
const neverDelivered = 'The render failed, so there was nothing to deliver.';
const interrupted = `The service stopped unexpectedly in each of ${maxRuns} deliveries.`;

/** Database queries on exports. Writes take part in the job's transactions. */
export class ExportStore implements JobTransactionHook {
  readonly #db: Kysely<Database>;
  readonly #clock: { now(): number; monotonic(): number };
  readonly #leases: DeliveryLeases;

  constructor(db: Kysely<Database>, clock: { now(): number; monotonic(): number }, owner: LeaseOwner = new LeaseOwner()) {
    this.#db = db;
    this.#clock = clock;
    this.#leases = new DeliveryLeases(db, clock, owner);
  }

  async onSubmitted(trx: Transaction<Database>, { jobId, accountId, exportTargets }: SubmittedJob): Promise<void> {
    if (exportTargets.length === 0) return;
    const rows = exportTargets.map((target, ordinal) => ({
      job_id: jobId,
      ordinal,
      account_id: accountId,
      type: target.type,
      target: JSON.stringify(target),
      status: 'waiting' as const,
      runs: 0,
      attempts: 0,
    }));
    await trx.insertInto('export_deliveries').values(rows).execute();
  }

  async onEnded(trx: Transaction<Database>, job: Job): Promise<void> {
    const failed = { status: 'failed' as const, message: neverDelivered, target: null, finished_at: this.#timestamp() };
    await trx
      .updateTable('export_deliveries')
      .set(job.status === 'completed' ? { status: 'pending' } : failed)
      .where('job_id', '=', job.id)
      .where('status', '=', 'waiting')
      .execute();
  }

  /** Jobs with pending exports, oldest first, excluding `busy` accounts and leased jobs. */
  async listDue(busy: { accountIds: readonly string[] }, limit: number): Promise<DueExports[]> {
    const excluded = await this.#leases.listLeased();
    const rows = await this.#db
      .selectFrom('export_deliveries')
      .innerJoin('jobs', 'jobs.id', 'export_deliveries.job_id')
      .select(['export_deliveries.job_id as jobId', 'export_deliveries.account_id as accountId'])
      .where('export_deliveries.status', '=', 'pending')
      .$if(excluded.length > 0, (query) => query.where('export_deliveries.job_id', 'not in', excluded))
      .$if(busy.accountIds.length > 0, (query) => query.where('export_deliveries.account_id', 'not in', busy.accountIds))
      .groupBy(['export_deliveries.job_id', 'export_deliveries.account_id', 'jobs.finished_at', 'jobs.seq'])
      .orderBy('jobs.finished_at')
      .orderBy('jobs.seq')
      .limit(limit)
      .execute();
    return rows;
  }

  /**
   * Leases a job, counts a run and returns the open targets in order; undefined when another run has the lease or nothing is open.
   * A crash interrupts a run at its first open target, so that target fails after `maxRuns` runs.
   */
  async beginRun(jobId: string): Promise<DeliveryRun | undefined> {
    return this.#db.transaction().execute(async (trx) => {
      const open = await selectOpen(trx, jobId);
      const [first] = open;
      if (first === undefined) return undefined;
      const lease = await this.#leases.acquire(trx, jobId);
      if (lease === undefined) return undefined;
      const exhausted = first.runs >= maxRuns;
      if (exhausted) {
        await trx
          .updateTable('export_deliveries')
          .set({ status: 'failed', message: interrupted, target: null, finished_at: this.#timestamp() })
          .where('job_id', '=', jobId)
          .where('ordinal', '=', first.ordinal)
          .execute();
      }
      await trx
        .updateTable('export_deliveries')
        .set((eb) => ({ runs: exhausted ? 1 : eb('runs', '+', 1) }))
        .where('job_id', '=', jobId)
        .where('status', '=', 'pending')
        .execute();
      const remaining = exhausted ? open.slice(1) : open;
      if (remaining.length === 0) {
        await this.#leases.release(trx, lease);
        return undefined;
      }
      return { lease, targets: remaining.map((row) => ({ ordinal: row.ordinal, target: JSON.parse(row.target ?? 'null') as ExportTarget })) };
    });
  }

  /** Keeps the run's lease while `work` runs, then releases it. The signal is aborted when the lease is lost. */
  withLease<T>(lease: DeliveryLease, work: (lost: AbortSignal) => Promise<T>): Promise<T> {
    return this.#leases.withRenewal(lease, work);
  }

  /** Uncounts a run that a regular stop of the service interrupted. */
  async releaseRun({ jobId, ownerId }: DeliveryLease): Promise<void> {
    await this.#db
      .updateTable('export_deliveries')
      .set((eb) => ({ runs: eb('runs', '-', 1) }))
      .where('job_id', '=', jobId)
      .where('status', '=', 'pending')
      .where((eb) => eb.exists(selectLease(eb, jobId, ownerId)))
      .execute();
  }

  /** Stores a target's result and deletes its credentials. Returns false, and changes nothing, if the run has lost its lease. */
  async recordResult(
    { jobId, ownerId }: DeliveryLease,
    ordinal: number,
    result: Pick<ExportResult, 'status' | 'location' | 'attempts' | 'message'>,
  ): Promise<boolean> {
    const { status, location = null, attempts, message } = result;
    const recorded = await this.#db
      .updateTable('export_deliveries')
      .set({ status, location, attempts, message, target: null, finished_at: this.#timestamp() })
      .where('job_id', '=', jobId)
      .where('ordinal', '=', ordinal)
      .where('status', '=', 'pending')
      .where((eb) => eb.exists(selectLease(eb, jobId, ownerId)))
      .executeTakeFirst();
    return recorded.numUpdatedRows === 1n;
  }

  /** Removes the secrets of finished targets from the database's log files. */
  purgeSecrets(): Promise<void> {
    return truncateWal(this.#db);
  }

  /** States of a job's exports in order of delivery; empty for a job without exports. */
  async listFor(jobId: string): Promise<ExportState[]> {
    const { rows } = await selectStates.run(this.#db, { jobId });
    return rows.map(describeState);
  }

  #timestamp(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}

/** Prepared, because every job query runs it. */
const selectStates = new PreparedQuery((db, param: Param<{ jobId: string }>) =>
  db
    .selectFrom('export_deliveries')
    .select(['type', 'status', 'location', 'message', 'attempts', 'finished_at'])
    .where('job_id', '=', param('jobId'))
    .orderBy('ordinal'),
);

function selectOpen(trx: Transaction<Database>, jobId: string): Promise<Array<Pick<ExportDeliveryRow, 'ordinal' | 'target' | 'runs'>>> {
  return trx
    .selectFrom('export_deliveries')
    .select(['ordinal', 'target', 'runs'])
    .where('job_id', '=', jobId)
    .where('status', '=', 'pending')
    .orderBy('ordinal')
    .$call(lockRows(trx))
    .execute();
}

function selectLease(eb: ExpressionBuilder<Database, 'export_deliveries'>, jobId: string, ownerId: string) {
  return eb.selectFrom('export_holds').select('job_id').where('job_id', '=', jobId).where('held_by', '=', ownerId);
}

function describeState(row: Pick<ExportDeliveryRow, 'type' | 'status' | 'location' | 'message' | 'attempts' | 'finished_at'>): ExportState {
  const { type, status, location, message, attempts } = row;
  return { type, status: status === 'waiting' ? 'pending' : status, location, message, attempts, finishedAt: row.finished_at };
}
