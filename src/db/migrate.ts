import type { Kysely } from 'kysely';
import { type Migration, migrations } from './migrations/index.js';

interface MigrationTable {
  schema_migrations: { name: string; applied_at: string };
}

/**
 * Brings the database to this version in one transaction, so that two processes starting together
 * (the service and the CLI) apply each step once and a failed step leaves nothing behind.
 */
export async function migrate(db: Kysely<unknown>, steps: readonly Migration[] = migrations): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    await trx.schema
      .createTable('schema_migrations')
      .ifNotExists()
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('applied_at', 'text', (column) => column.notNull())
      .execute();
    const log = trx as unknown as Kysely<MigrationTable>;
    const applied = new Set((await log.selectFrom('schema_migrations').select('name').execute()).map((row) => row.name));
    const unknown = [...applied].filter((name) => !steps.some((step) => step.name === name));
    if (unknown.length > 0) {
      throw new Error(
        `The database was written by a newer version (it knows ${unknown.join(', ')}): update this program, or use another FRAMEWRIGHT_DATA_DIR.`,
      );
    }
    const missing = steps.filter((step) => !applied.has(step.name));
    for (const step of missing) {
      await step.up(trx);
      await log.insertInto('schema_migrations').values({ name: step.name, applied_at: new Date().toISOString() }).execute();
    }
    return missing.map((step) => step.name);
  });
}
