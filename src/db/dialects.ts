import { type ColumnBuilderCallback, type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Database } from './tables.js';

/** Whether the database is PostgreSQL; otherwise it is SQLite. */
export function isPostgres(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** Type and constraints of an auto-incremented primary key. */
export function autoIncrementKey(db: Kysely<unknown>): ['bigserial' | 'integer', ColumnBuilderCallback] {
  return isPostgres(db) ? ['bigserial', (column) => column.primaryKey()] : ['integer', (column) => column.primaryKey().autoIncrement()];
}

/**
 * Truncates SQLite's write-ahead log, which still holds older copies of pages whose content was deleted (`secure_delete`
 * covers the main file only). A reader may delay it to the next call or checkpoint. PostgreSQL recycles its logs by itself.
 */
export async function truncateWal(db: Kysely<Database>): Promise<void> {
  if (!isPostgres(db)) await sql`pragma wal_checkpoint(truncate)`.execute(db);
}
