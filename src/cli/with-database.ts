import { AccountStore, systemClock } from '../accounts/index.js';
import { loadConfig } from '../config/index.js';
import { type Database, type Kysely, openDatabase } from '../db/index.js';

/** Opens the database for one command; works while the service runs. */
export async function withDatabase<T>(use: (db: Kysely<Database>) => Promise<T>): Promise<T> {
  const db = await openDatabase(loadConfig().db);
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

export function withAccounts<T>(use: (accounts: AccountStore) => Promise<T>): Promise<T> {
  return withDatabase((db) => use(new AccountStore(db, systemClock)));
}
