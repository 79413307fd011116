import type { Database, Kysely, Transaction } from '../../db/index.js';
import { LeaseOwner } from '../../jobs/index.js';

/** Lifetime of a lease without renewal: after a crash, a job's exports wait this long for another process. */
const leaseDurationMs = 60_000;
const renewMs = 15_000;

/** Leases on jobs' exports, so that only one process on any host delivers them. */
export class DeliveryLeases {
  readonly #db: Kysely<Database>;
  readonly #clock: { now(): number };
  readonly #owner = new LeaseOwner();
  readonly #ownerId = this.#owner.createId();

  constructor(db: Kysely<Database>, clock: { now(): number }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Ids of the jobs that other processes have leased. */
  async listOthers(): Promise<string[]> {
    const leases = await this.#db.selectFrom('export_holds').selectAll().where('held_by', '!=', this.#ownerId).execute();
    // Expired leases stay in the table until another process acquires them.
    return leases.filter((lease) => this.#isActive(lease)).map(({ job_id: jobId }) => jobId);
  }

  /** Acquires or renews the lease; false when another process has it. */
  async acquire(trx: Transaction<Database>, jobId: string): Promise<boolean> {
    const lease = await trx.selectFrom('export_holds').selectAll().where('job_id', '=', jobId).executeTakeFirst();
    if (lease !== undefined && lease.held_by !== this.#ownerId && this.#isActive(lease)) return false;
    const mine = { held_by: this.#ownerId, held_until: this.#expiry() };
    await trx
      .insertInto('export_holds')
      .values({ job_id: jobId, ...mine })
      .onConflict((conflict) => conflict.column('job_id').doUpdateSet(mine))
      .execute();
    return true;
  }

  /** Renews the lease while `work` runs, then releases it. */
  async withRenewal<T>(jobId: string, work: () => Promise<T>): Promise<T> {
    const renewing = setInterval(() => void this.#renew(jobId).catch(() => {}), renewMs);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
      await this.release(this.#db, jobId);
    }
  }

  /** Deletes this process's lease on a job. */
  async release(db: Kysely<Database>, jobId: string): Promise<void> {
    await db.deleteFrom('export_holds').where('job_id', '=', jobId).where('held_by', '=', this.#ownerId).execute();
  }

  async #renew(jobId: string): Promise<void> {
    await this.#db.updateTable('export_holds').set({ held_until: this.#expiry() }).where('job_id', '=', jobId).where('held_by', '=', this.#ownerId).execute();
  }

  /** A lease that expires later than any new one could was written before the clock was set back; it is not active. */
  #isActive({ held_by: name, held_until: until }: { held_by: string; held_until: string }): boolean {
    return until > new Date(this.#clock.now()).toISOString() && until <= this.#expiry() && !this.#owner.isGone(name);
  }

  #expiry(): string {
    return new Date(this.#clock.now() + leaseDurationMs).toISOString();
  }
}
