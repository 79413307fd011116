import type { Kysely } from 'kysely';

/** Which process delivers a job's exports, so that no other does at the same time. */
export async function createExportHolds(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('export_holds')
    .addColumn('job_id', 'text', (column) => column.primaryKey().references('jobs.id'))
    .addColumn('held_by', 'text', (column) => column.notNull())
    .addColumn('held_until', 'text', (column) => column.notNull())
    .execute();
}
