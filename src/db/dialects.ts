import { type ColumnBuilderCallback, type Kysely, PostgresAdapter } from 'kysely';

/** What few things are written otherwise for PostgreSQL than for SQLite asks here. */
export function isPostgres(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** Type and constraints of a primary key that the database numbers in the order of the rows. */
export function ordinalKey(db: Kysely<unknown>): ['bigserial' | 'integer', ColumnBuilderCallback] {
  return isPostgres(db) ? ['bigserial', (column) => column.primaryKey()] : ['integer', (column) => column.primaryKey().autoIncrement()];
}
