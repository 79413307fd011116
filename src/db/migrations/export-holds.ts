import type { Kysely } from 'kysely';

/** Leases of export deliveries. */
export async function createExportHolds(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('export_holds')
    .addColumn('job_id', 'text', (column) => column.primaryKey().references('jobs.id'))
    .addColumn('held_by', 'text', (column) => column.notNull())
    .addColumn('held_until', 'text', (column) => column.notNull())
    .execute();
}
