import { type Dialect, Kysely } from 'kysely';
import { migrate } from './migrate.js';
import type { Notifications } from './postgres/notifications.js';
import type { createPostgresDialect } from './postgres/postgres-dialect.js';
import { createSqliteDialect } from './sqlite-dialect.js';
import type { Database } from './tables.js';

/** Location of the database: path of a SQLite file, or URL of a PostgreSQL database (postgres://…). */
export type DatabaseLocation = { path: string } | { url: string };

/** Opens the database and applies pending migrations. The caller closes it with `destroy()`. `onCommit` gets the duration of each commit (s). */
export async function openDatabase(location: DatabaseLocation, onCommit?: (seconds: number) => void): Promise<Kysely<Database>> {
  const db = new Kysely<Database>({ dialect: 'url' in location ? await openPostgres(location.url, onCommit) : createSqliteDialect(location.path, onCommit) });
  try {
    await migrate(db as unknown as Kysely<unknown>);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
}

/** Loads the PostgreSQL client on demand. */
async function openPostgres(...args: Parameters<typeof createPostgresDialect>): Promise<Dialect> {
  return (await import('./postgres/postgres-dialect.js')).createPostgresDialect(...args);
}

/** Messages between the processes of this database; undefined for SQLite, which has none. The caller starts and closes them. */
export async function openNotifications(location: DatabaseLocation, log: ConstructorParameters<typeof Notifications>[1]): Promise<Notifications | undefined> {
  if (!('url' in location)) return undefined;
  const postgres = await import('./postgres/notifications.js');
  return new postgres.Notifications(location.url, log);
}
