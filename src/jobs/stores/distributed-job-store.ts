import type { Clock } from '../../accounts/index.js';
import { type Database, type JobRow, type Kysely, lockRows, type Transaction } from '../../db/index.js';
import { type ClaimedJob, withoutExports } from './job-lease-store.js';

/** A live job that is queued or processing, as the render farm sees it. */
export interface OpenJob {
  jobId: string;
  accountId: string;
  status: 'queued' | 'processing';
  leaseOwner: string | null;
  /** Estimated credits. */
  credits: number;
}

/** A job whose lease was transferred. */
export interface AdoptedJob {
  claimed: ClaimedJob;
  /** Progress at the transfer. */
  resumeFrom: { progress: number; stage: string };
}

const columns = ['id', 'account_id', 'status', 'lease_owner', 'estimated_credits'] as const;

/**
 * Queries for jobs that several hosts render. Their lease belongs to no process: its owner is the name
 * of a run (`@farm|RUN|CLAIM`). Any host working on the run renews it, and it can be transferred to a new claim.
 */
export class DistributedJobStore {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #leaseMs: number;

  constructor(db: Kysely<Database>, clock: Clock, leaseMs: number) {
    this.#db = db;
    this.#clock = clock;
    this.#leaseMs = leaseMs;
  }

  /** Finds an open job. */
  async find(jobId: string): Promise<OpenJob | undefined> {
    const row = await this.#db.selectFrom('jobs').select(columns).where('id', '=', jobId).where('status', 'in', ['queued', 'processing']).executeTakeFirst();
    return row && toOpenJob(row);
  }

  /**
   * Transfers the lease to a new owner id, which invalidates the old one; `within` writes what belongs to it in the same transaction.
   * Undefined if `from` no longer owns it.
   */
  async transferLease(
    jobId: string,
    from: string,
    to: string,
    outputName: string,
    within?: (trx: Transaction<Database>) => Promise<void>,
  ): Promise<AdoptedJob | undefined> {
    return this.#db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('jobs')
        .select(['account_id', 'mode', 'script', 'attempts', 'progress', 'stage'])
        .where('id', '=', jobId)
        .where('status', '=', 'processing')
        .where('lease_owner', '=', from)
        .$call(lockRows(trx))
        .executeTakeFirst();
      if (row === undefined) return undefined;
      await trx.updateTable('jobs').set({ lease_owner: to, output_name: outputName, lease_expires_at: this.#leaseExpiry() }).where('id', '=', jobId).execute();
      await within?.(trx);
      const { account_id: accountId, attempts: attempt, mode, progress, stage } = row;
      const claimed = { jobId, accountId, attempt, script: withoutExports(JSON.parse(row.script)), mode, outputName };
      return { claimed, resumeFrom: { progress, stage: stage ?? 'preparing' } };
    });
  }

  /** Adds to the progress of a run and renews its lease. Returns the new progress; undefined if the run has ended. */
  async addProgress(jobId: string, run: string, by: number, stage: string): Promise<number | undefined> {
    const row = await this.#db
      .updateTable('jobs')
      // A segment that was started twice counts twice, so progress is capped below the stitch step.
      .set((eb) => ({ stage, lease_expires_at: this.#leaseExpiry(), progress: eb.fn('least', [eb.val(maxSegmentProgress), eb('progress', '+', by)]) }))
      .where('id', '=', jobId)
      .where('status', '=', 'processing')
      .where('lease_owner', 'like', `${ownerPrefix}${run}|%`)
      .returning('progress')
      .executeTakeFirst();
    return row?.progress;
  }

  /** Current lease owner of a run; undefined if the run has ended. */
  async findLeaseOwner(jobId: string, run: string): Promise<string | undefined> {
    return (await this.#ofRun(this.#db, jobId, run).executeTakeFirst())?.lease_owner ?? undefined;
  }

  /** Renews the leases of distributed jobs. */
  async renewLeases(jobIds: readonly string[]): Promise<void> {
    if (jobIds.length === 0) return;
    const leased = this.#db.updateTable('jobs').set({ lease_expires_at: this.#leaseExpiry() });
    await leased
      .where('id', 'in', [...jobIds])
      .where('status', '=', 'processing')
      .where('lease_owner', 'like', `${ownerPrefix}%`)
      .execute();
  }

  #ofRun(db: Kysely<Database> | Transaction<Database>, jobId: string, run: string) {
    const row = db.selectFrom('jobs').select(['progress', 'lease_owner']).where('id', '=', jobId).where('status', '=', 'processing');
    return row.where('lease_owner', 'like', `${ownerPrefix}${run}|%`);
  }

  #leaseExpiry(): string {
    return new Date(this.#clock.now() + this.#leaseMs).toISOString();
  }
}

/** Prefix of lease owners written by src/distributed; no host name starts with it. */
const ownerPrefix = '@farm|';
/** Maximum progress before stitching. */
const maxSegmentProgress = 0.97;

function toOpenJob(row: Pick<JobRow, (typeof columns)[number]>): OpenJob {
  const { id, account_id, status, lease_owner, estimated_credits } = row;
  return { jobId: id, accountId: account_id, status: status === 'queued' ? 'queued' : 'processing', leaseOwner: lease_owner, credits: estimated_credits };
}
