import { Kysely } from 'kysely';
import { migrate } from './migrate.js';
import { createSqliteDialect } from './sqlite-dialect.js';
import type { Database } from './tables.js';

/** Opens the database and brings it up to date. The caller closes it with `destroy()`. */
export async function openDatabase(config: { path: string }, onCommit?: (seconds: number) => void): Promise<Kysely<Database>> {
  const db = new Kysely<Database>({ dialect: createSqliteDialect(config.path, onCommit) });
  try {
    await migrate(db as unknown as Kysely<unknown>);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
}
