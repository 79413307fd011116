import { type Kysely, sql } from 'kysely';
import { isPostgres } from './dialects.js';
import { type Migration, migrations } from './migrations/index.js';

interface MigrationTable {
  schema_migrations: { name: string; applied_at: string };
}

/** Key of the advisory lock on PostgreSQL. */
const lockKey = 7_210_317_046;

/**
 * Applies pending migrations in one transaction and returns their names, so that two processes starting together
 * (the service and the CLI) apply each migration once and a failed one leaves nothing behind.
 */
export async function migrate(db: Kysely<unknown>, all: readonly Migration[] = migrations): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    if (isPostgres(trx)) await sql`set local lock_timeout = '60s'; select pg_advisory_xact_lock(${sql.lit(lockKey)})`.execute(trx);
    await trx.schema
      .createTable('schema_migrations')
      .ifNotExists()
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('applied_at', 'text', (column) => column.notNull())
      .execute();
    const log = trx as unknown as Kysely<MigrationTable>;
    const applied = new Set((await log.selectFrom('schema_migrations').select('name').execute()).map((row) => row.name));
    const unknown = [...applied].filter((name) => !all.some((migration) => migration.name === name));
    if (unknown.length > 0) {
      throw new Error(
        `The database was written by a newer version (migrations unknown here: ${unknown.join(', ')}). Update this program, or use another FRAMEWRIGHT_DATA_DIR.`,
      );
    }
    const pending = all.filter((migration) => !applied.has(migration.name));
    for (const { name, up } of pending) {
      await up(trx);
      await log.insertInto('schema_migrations').values({ name, applied_at: new Date().toISOString() }).execute();
    }
    return pending.map(({ name }) => name);
  });
}
