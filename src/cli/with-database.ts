import { AccountStore, systemClock } from '../accounts/index.js';
import { loadConfig } from '../config/index.js';
import { type Database, type Kysely, openDatabase } from '../db/index.js';

/** Calls `use` with the database, which the service may have open at the same time. */
export async function withDatabase<T>(use: (db: Kysely<Database>) => Promise<T>): Promise<T> {
  const db = await openDatabase(loadConfig().db);
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

/** Calls `use` with the accounts of the database. */
export function withAccounts<T>(use: (accounts: AccountStore) => Promise<T>): Promise<T> {
  return withDatabase((db) => use(new AccountStore(db, systemClock)));
}
