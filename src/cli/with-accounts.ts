import { AccountStore, systemClock } from '../accounts/index.js';
import { loadConfig } from '../config/index.js';
import { openDatabase } from '../db/index.js';

/** Opens the database for one command; works while the service runs. */
export async function withAccounts<T>(use: (accounts: AccountStore) => Promise<T>): Promise<T> {
  const db = await openDatabase(loadConfig().db);
  try {
    return await use(new AccountStore(db, systemClock));
  } finally {
    await db.destroy();
  }
}
