import type { Kysely } from 'kysely';
import { autoIncrementKey } from '../dialects.js';

export async function createJobs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('jobs')
    .addColumn('seq', ...autoIncrementKey(db))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('progress', 'double precision', (column) => column.notNull().defaultTo(0))
    .addColumn('stage', 'text')
    .addColumn('script', 'text', (column) => column.notNull())
    .addColumn('estimated_credits', 'bigint', (column) => column.notNull())
    .addColumn('credits_used', 'bigint')
    .addColumn('duration_seconds', 'double precision')
    .addColumn('size_bytes', 'bigint')
    .addColumn('output_name', 'text')
    .addColumn('error_code', 'text')
    .addColumn('error_message', 'text')
    .addColumn('warnings', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('lease_owner', 'text')
    .addColumn('lease_expires_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('started_at', 'text')
    .addColumn('finished_at', 'text')
    .execute();
  await db.schema.createIndex('jobs_account').on('jobs').columns(['account_id', 'seq']).execute();
  await db.schema.createIndex('jobs_account_status').on('jobs').columns(['account_id', 'status', 'seq']).execute();
  await db.schema.createIndex('jobs_queue').on('jobs').columns(['status', 'mode', 'seq']).execute();
}
