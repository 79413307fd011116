import type { Database, Kysely, Transaction } from '../../db/index.js';
import { LeaseOwner } from '../../jobs/index.js';

/** How long a hold counts unless it is renewed: so long a job's exports rest when the machine that delivered them is gone. */
const holdMs = 60_000;
const renewMs = 15_000;

/** Which jobs' exports this process delivers, so that no other process, here or on another machine, does too. */
export class DeliveryLeases {
  readonly #db: Kysely<Database>;
  readonly #clock: { now(): number };
  readonly #owner = new LeaseOwner();
  readonly #name = this.#owner.createId();

  constructor(db: Kysely<Database>, clock: { now(): number }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Jobs that other processes hold. */
  async listOthers(): Promise<string[]> {
    const holds = await this.#db.selectFrom('export_holds').selectAll().where('held_by', '!=', this.#name).execute();
    // One that counts no more stays until it is taken over.
    return holds.filter((hold) => this.#counts(hold)).map(({ job_id: jobId }) => jobId);
  }

  /** False: another process holds them. */
  async take(trx: Transaction<Database>, jobId: string): Promise<boolean> {
    const hold = await trx.selectFrom('export_holds').selectAll().where('job_id', '=', jobId).executeTakeFirst();
    if (hold !== undefined && hold.held_by !== this.#name && this.#counts(hold)) return false;
    const mine = { held_by: this.#name, held_until: this.#until() };
    await trx
      .insertInto('export_holds')
      .values({ job_id: jobId, ...mine })
      .onConflict((conflict) => conflict.column('job_id').doUpdateSet(mine))
      .execute();
    return true;
  }

  /** Holds them while the work goes on. */
  async during<T>(jobId: string, work: () => Promise<T>): Promise<T> {
    const renewing = setInterval(() => void this.#renew(jobId).catch(() => {}), renewMs);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
      await this.drop(this.#db, jobId);
    }
  }

  async drop(db: Kysely<Database>, jobId: string): Promise<void> {
    await db.deleteFrom('export_holds').where('job_id', '=', jobId).where('held_by', '=', this.#name).execute();
  }

  async #renew(jobId: string): Promise<void> {
    await this.#db.updateTable('export_holds').set({ held_until: this.#until() }).where('job_id', '=', jobId).where('held_by', '=', this.#name).execute();
  }

  /** One that ends further away than any can was written by a clock that has been set back since. */
  #counts({ held_by: name, held_until: until }: { held_by: string; held_until: string }): boolean {
    return until > new Date(this.#clock.now()).toISOString() && until <= this.#until() && !this.#owner.isGone(name);
  }

  #until(): string {
    return new Date(this.#clock.now() + holdMs).toISOString();
  }
}
