import { type ColumnBuilderCallback, type Expression, type Kysely, PostgresAdapter, type SqlBool, sql } from 'kysely';
import type { Database } from './tables.js';

/** Whether the database is PostgreSQL; otherwise it is SQLite. */
export function isPostgres(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** Condition that a text column has one of `values`, a parameter with the result of `listParameter`: the statement's text is the same for any number. */
export function isOneOf(db: Pick<Kysely<unknown>, 'getExecutor'>, column: string, values: string): Expression<SqlBool> {
  if (isPostgres(db)) return sql<SqlBool>`${sql.ref(column)} = any(${values}::text[])`;
  return sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${values}))`;
}

/** The parameter for `isOneOf`: an array for PostgreSQL, JSON for SQLite. */
export function listParameter(db: Pick<Kysely<unknown>, 'getExecutor'>, values: readonly string[]): string {
  return isPostgres(db) ? (values as never) : JSON.stringify(values);
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
