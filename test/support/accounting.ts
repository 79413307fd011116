import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccountStore, type Clock, findImbalances } from '../../src/accounts/index.js';
import { type Database, type DatabaseLocation, type Kysely, openDatabase } from '../../src/db/index.js';
import { databaseOf } from './test-database.js';

/** A clock that only `advance` moves. */
export class ManualClock implements Clock {
  wallMs = Date.parse('2030-01-01T00:00:00Z');
  monotonicMs = 5000;
  now = (): number => this.wallMs;
  monotonic = (): number => this.monotonicMs;
  advance(ms: number): void {
    this.wallMs += ms;
    this.monotonicMs += ms;
  }
}

/** A database in a new folder. */
export interface TestAccounts {
  db: Kysely<Database>;
  location: DatabaseLocation;
  clock: ManualClock;
  accounts: AccountStore;
  imbalances(): ReturnType<typeof findImbalances>;
  close(): Promise<void>;
}

export async function openTestAccounts(): Promise<TestAccounts> {
  const folder = await mkdtemp(join(tmpdir(), 'framewright-books-'));
  const place = await databaseOf(folder);
  const db = await openDatabase(place);
  const clock = new ManualClock();
  return {
    db,
    location: place,
    clock,
    accounts: new AccountStore(db, clock),
    imbalances: () => findImbalances(db),
    async close() {
      await db.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
