import type { Database, Kysely, Transaction } from '../../db/index.js';
import type { LeaseOwner } from '../../jobs/index.js';

/** Lifetime of a lease without renewal: after a crash, a job's exports wait this long for another process. */
const leaseDurationMs = 60_000;
const renewMs = 15_000;
/** A process that cannot renew its lease stops this long before others may take it over. */
const safetyMarginMs = 10_000;

type LeaseClock = { now(): number; monotonic(): number };

/** A run of a job's deliveries under a lease. Each run has an owner id of its own, which fences what earlier runs write late. */
export interface DeliveryLease {
  jobId: string;
  ownerId: string;
}

/** Leases on jobs' exports, so that only one process on any host delivers them. */
export class DeliveryLeases {
  readonly #db: Kysely<Database>;
  readonly #clock: LeaseClock;
  readonly #owner: LeaseOwner;

  constructor(db: Kysely<Database>, clock: LeaseClock, owner: LeaseOwner) {
    this.#owner = owner;
    this.#db = db;
    this.#clock = clock;
  }

  /** Ids of the jobs with an active lease. */
  async listLeased(): Promise<string[]> {
    const leases = await this.#db.selectFrom('export_holds').selectAll().execute();
    // Expired leases stay in the table until another process acquires them.
    return leases.filter((lease) => this.#isActive(lease)).map(({ job_id: jobId }) => jobId);
  }

  /** Acquires the lease on a job whose exports the transaction has locked; undefined when there is an active one. */
  async acquire(trx: Transaction<Database>, jobId: string): Promise<DeliveryLease | undefined> {
    const lease = await trx.selectFrom('export_holds').selectAll().where('job_id', '=', jobId).executeTakeFirst();
    if (lease !== undefined && this.#isActive(lease)) return undefined;
    const ownerId = this.#owner.createId();
    const mine = { held_by: ownerId, held_until: this.#expiry() };
    await trx
      .insertInto('export_holds')
      .values({ job_id: jobId, ...mine })
      .onConflict((conflict) => conflict.column('job_id').doUpdateSet(mine))
      .execute();
    return { jobId, ownerId };
  }

  /** Renews the lease while `work` runs, then releases it. The signal is aborted when the lease is lost or is about to expire. */
  async withRenewal<T>(lease: DeliveryLease, work: (lost: AbortSignal) => Promise<T>): Promise<T> {
    const lost = new AbortController();
    let renewedAt = this.#clock.monotonic();
    const renew = async (): Promise<void> => {
      const startedAt = this.#clock.monotonic();
      const isRenewed = await this.#renew(lease).catch(() => undefined);
      if (isRenewed === true) renewedAt = startedAt;
      if (isRenewed === false || this.#clock.monotonic() - renewedAt > leaseDurationMs - safetyMarginMs) lost.abort();
    };
    const renewing = setInterval(() => void renew(), renewMs);
    try {
      return await work(lost.signal);
    } finally {
      clearInterval(renewing);
      await this.release(this.#db, lease).catch(() => this.#owner.markReleased(lease.ownerId));
    }
  }

  /** Deletes the lease if it is still this run's. */
  async release(db: Kysely<Database>, { jobId, ownerId }: DeliveryLease): Promise<void> {
    await db.deleteFrom('export_holds').where('job_id', '=', jobId).where('held_by', '=', ownerId).execute();
  }

  async #renew({ jobId, ownerId }: DeliveryLease): Promise<boolean> {
    const renewal = this.#db.updateTable('export_holds').set({ held_until: this.#expiry() });
    const renewed = await renewal.where('job_id', '=', jobId).where('held_by', '=', ownerId).executeTakeFirst();
    return renewed.numUpdatedRows === 1n;
  }

  /** A lease that expires later than any new one could was written before the clock was set back; it is not active. */
  #isActive({ held_by: name, held_until: until }: { held_by: string; held_until: string }): boolean {
    return until > new Date(this.#clock.now()).toISOString() && until <= this.#expiry() && !this.#owner.isGone(name);
  }

  #expiry(): string {
    return new Date(this.#clock.now() + leaseDurationMs).toISOString();
  }
}
