import type { Kysely } from 'kysely';

export async function createExportDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('export_deliveries')
    .addColumn('job_id', 'text', (column) => column.notNull().references('jobs.id'))
    .addColumn('ordinal', 'integer', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('target', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('runs', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('location', 'text')
    .addColumn('message', 'text')
    .addColumn('finished_at', 'text')
    .addPrimaryKeyConstraint('export_deliveries_once', ['job_id', 'ordinal'])
    .execute();
  await db.schema.createIndex('export_deliveries_due').on('export_deliveries').columns(['status', 'job_id']).execute();
}
