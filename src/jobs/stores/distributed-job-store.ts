import type { Clock } from '../../accounts/index.js';
import type { Database, JobRow, Kysely, Transaction } from '../../db/index.js';
import { type ClaimedJob, withoutExports } from './job-lease-store.js';

/** A live job that has not ended, as far as those need it who spread it over hosts. */
export interface OpenJob {
  jobId: string;
  accountId: string;
  status: 'queued' | 'processing';
  leaseOwner: string | null;
  /** Of its estimate. */
  credits: number;
}

export interface AdoptedJob {
  claimed: ClaimedJob;
  /** Where it goes on. */
  begun: { progress: number; stage: string };
}

const columns = ['id', 'account_id', 'status', 'lease_owner', 'estimated_credits'] as const;

/**
 * The queries for jobs of which several hosts have parts in hand. Their lease belongs to no process: its owner is the name
 * of a run (`@farm|RUN|CLAIM`), whoever works for the run keeps the lease up, and the run can be taken on under a new claim.
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

  /** Oldest first, without those that are rendered whole by one process. */
  async listOpen(limit: number): Promise<OpenJob[]> {
    const rows = await this.#db
      .selectFrom('jobs')
      .select(columns)
      .where('mode', '=', 'live')
      .where((eb) => eb.or([eb('status', '=', 'queued'), eb.and([eb('status', '=', 'processing'), eb('lease_owner', 'like', `${ownerStart}%`)])]))
      .orderBy('seq')
      .limit(limit)
      .execute();
    return rows.map(openMovie);
  }

  async find(jobId: string): Promise<OpenJob | undefined> {
    const row = await this.#db.selectFrom('jobs').select(columns).where('id', '=', jobId).where('status', 'in', ['queued', 'processing']).executeTakeFirst();
    return row && openMovie(row);
  }

  /** Ids of those that have ended or never were. */
  async listEnded(jobIds: readonly string[]): Promise<string[]> {
    if (jobIds.length === 0) return [];
    const open = await this.#db
      .selectFrom('jobs')
      .select('id')
      .where('id', 'in', [...jobIds])
      .where('status', 'in', ['queued', 'processing'])
      .execute();
    const isOpen = new Set(open.map(({ id }) => id));
    return jobIds.filter((id) => !isOpen.has(id));
  }

  /** Puts a job under a new name of its lease: whoever held it under the old one has no say any more. undefined: it is another's by now. */
  async transferLease(jobId: string, from: string, to: string, outputName: string): Promise<AdoptedJob | undefined> {
    return this.#db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('jobs')
        .select(['account_id', 'mode', 'script', 'attempts', 'progress', 'stage'])
        .where('id', '=', jobId)
        .where('status', '=', 'processing')
        .where('lease_owner', '=', from)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      await trx.updateTable('jobs').set({ lease_owner: to, output_name: outputName, lease_expires_at: this.#lease() }).where('id', '=', jobId).execute();
      const { account_id: accountId, attempts: attempt, mode, progress, stage } = row;
      const claimed = { jobId, accountId, attempt, script: withoutExports(JSON.parse(row.script)), mode, outputName };
      return { claimed, begun: { progress, stage: stage ?? 'preparing' } };
    });
  }

  /** Adds to the progress of a run and keeps its lease up; where it stands then. undefined: the run is not on any more. */
  async addProgress(jobId: string, run: string, by: number, stage: string): Promise<number | undefined> {
    return this.#db.transaction().execute(async (trx) => {
      const row = await this.#ofRun(trx, jobId, run);
      if (row === undefined) return undefined;
      // A part that was begun twice counts twice: the end is for the last step alone.
      const progress = Math.min(mostOfParts, row.progress + by);
      await trx.updateTable('jobs').set({ progress, stage, lease_expires_at: this.#lease() }).where('id', '=', jobId).execute();
      return progress;
    });
  }

  /** Under which name the lease of a run is held now. */
  async findLeaseOwner(jobId: string, run: string): Promise<string | undefined> {
    return (await this.#ofRun(this.#db, jobId, run))?.lease_owner ?? undefined;
  }

  async renewLeases(jobIds: readonly string[]): Promise<void> {
    if (jobIds.length === 0) return;
    const leased = this.#db.updateTable('jobs').set({ lease_expires_at: this.#lease() });
    await leased
      .where('id', 'in', [...jobIds])
      .where('status', '=', 'processing')
      .where('lease_owner', 'like', `${ownerStart}%`)
      .execute();
  }

  #ofRun(db: Kysely<Database> | Transaction<Database>, jobId: string, run: string): Promise<Pick<JobRow, 'progress' | 'lease_owner'> | undefined> {
    const row = db.selectFrom('jobs').select(['progress', 'lease_owner']).where('id', '=', jobId).where('status', '=', 'processing');
    return row.where('lease_owner', 'like', `${ownerStart}${run}|%`).executeTakeFirst();
  }

  #lease(): string {
    return new Date(this.#clock.now() + this.#leaseMs).toISOString();
  }
}

/** As src/distributed names them; no host is called so. */
const ownerStart = '@farm|';
/** Stitching begins here. */
const mostOfParts = 0.97;

function openMovie(row: Pick<JobRow, (typeof columns)[number]>): OpenJob {
  const { id, account_id, status, lease_owner, estimated_credits } = row;
  return { jobId: id, accountId: account_id, status: status === 'queued' ? 'queued' : 'processing', leaseOwner: lease_owner, credits: estimated_credits };
}
