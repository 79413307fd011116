import { type Dialect, Kysely } from 'kysely';
import { migrate } from './migrate.js';
import type { createPostgresDialect } from './postgres-dialect.js';
import { createSqliteDialect } from './sqlite-dialect.js';
import type { Database } from './tables.js';

/** Where the rows are: a file of SQLite, or a database of PostgreSQL by its address (postgres://…). */
export type DatabaseLocation = { path: string } | { url: string };

/** Opens the database and brings it up to date. The caller closes it with `destroy()`. */
export async function openDatabase(place: DatabaseLocation, onCommit?: (seconds: number) => void): Promise<Kysely<Database>> {
  const db = new Kysely<Database>({ dialect: 'url' in place ? await postgres(place.url, onCommit) : createSqliteDialect(place.path, onCommit) });
  try {
    await migrate(db as unknown as Kysely<unknown>);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
}

/** Its client is loaded where it is used. */
async function postgres(...given: Parameters<typeof createPostgresDialect>): Promise<Dialect> {
  return (await import('./postgres-dialect.js')).createPostgresDialect(...given);
}
