import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccountStore } from '../../src/accounts/index.js';
import type { Database, Kysely } from '../../src/db/index.js';
import { JobLeaseStore, JobStore, type JobTransactionHook } from '../../src/jobs/index.js';
import { ManualClock } from '../support/accounting.js';
import { openTestDatabase } from '../support/test-database.js';
import { leaseMs, type Mode } from './ledger-model.js';

/** The real stores on a real SQLite file, in memory where the machine has such a folder: thousands of histories wait for no disk. */
export class RealLedger {
  readonly clock = new ManualClock();
  readonly #folder: string;
  readonly #crashed: Kysely<Database>[] = [];
  db!: Kysely<Database>;
  accounts!: AccountStore;
  jobs!: JobStore;
  leases!: JobLeaseStore;
  readonly keys: Array<Record<Mode, string>> = [];
  readonly accountIds: string[] = [];
  broken = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(): Promise<RealLedger> {
    const ledger = new RealLedger(await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'framewright-ledger-')));
    await ledger.#start();
    return ledger;
  }

  /** Two accounts with 20 credits each, and nothing else. */
  async clear(): Promise<void> {
    for (const table of ['ledger_entries', 'provider_purchases', 'idempotency_keys', 'jobs', 'job_counts', 'api_keys', 'accounts'] as const)
      await this.db.deleteFrom(table).execute();
    this.keys.length = 0;
    this.accountIds.length = 0;
    for (const index of [0, 1]) {
      const live = await this.createKey(index, 'live');
      await this.accounts.grantCredits(`account ${index}`, 20);
      const test = await this.createKey(index, 'test');
      this.accountIds.push(live.accountId);
      this.keys.push({ live: live.key, test: test.key });
    }
  }

  createKey(index: number, mode: Mode) {
    const limits = { requestsPerMinute: 1000, concurrentJobs: 3 };
    return this.accounts.createKey({ accountName: `account ${index}`, plan: 'enterprise', mode, credits: 0, limits });
  }

  /** A killed process leaves an open database; the next one opens it again. */
  async crash(): Promise<void> {
    this.#crashed.push(this.db);
    await this.#start();
    if (this.#crashed.length > 20) await this.#dropCrashed();
  }

  async close(): Promise<void> {
    await this.#dropCrashed();
    await this.db.destroy();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #start(): Promise<void> {
    const failing = async (): Promise<void> => {
      if (this.broken) throw new Error('broken');
    };
    const companions: JobTransactionHook[] = [{ onSubmitted: failing, onEnded: failing }];
    this.db = await openTestDatabase(this.#folder);
    this.accounts = new AccountStore(this.db, this.clock);
    this.jobs = new JobStore(this.db, this.clock, companions);
    this.leases = new JobLeaseStore(this.db, this.clock, leaseMs, companions);
  }

  async #dropCrashed(): Promise<void> {
    for (const db of this.#crashed.splice(0)) await db.destroy();
  }
}
