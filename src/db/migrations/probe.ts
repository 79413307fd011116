import type { Kysely } from 'kysely';

/** One row that readiness checks write to. */
export async function createProbe(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('probes')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('written_at', 'text', (column) => column.notNull())
    .execute();
}
