import type { Kysely } from 'kysely';
import { createExportDeliveries } from './steps/export-deliveries.js';
import { createIdempotencyKeys } from './steps/idempotency.js';
import { createJobCounts } from './steps/job-counts.js';
import { createProbe } from './steps/probe.js';
import { createTemplates } from './steps/templates.js';
import { createWebhooks } from './steps/webhooks.js';

export interface Migration {
  /** Never renamed once released: the database remembers it. */
  name: string;
  up(db: Kysely<unknown>): Promise<void>;
}

/** In order; only ever appended to. */
export const migrations: readonly Migration[] = [
  { name: '001-accounts', up: createAccounts },
  { name: '002-jobs', up: createJobs },
  { name: '003-ledger', up: createLedger },
  { name: '0002_webhooks', up: createWebhooks },
  { name: '0003_exports_deliveries', up: createExportDeliveries },
  { name: '0004_templates', up: createTemplates },
  { name: '0005_idempotency', up: createIdempotencyKeys },
  { name: '0006_job_counts', up: createJobCounts },
  { name: '0007_probe', up: createProbe },
];

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('plan', 'text', (column) => column.notNull())
    .addColumn('requests_per_minute', 'integer')
    .addColumn('concurrent_jobs', 'integer')
    .addColumn('balance', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('prefix', 'text', (column) => column.notNull())
    .addColumn('last_four', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('revoked_at', 'text')
    .execute();
  await db.schema.createIndex('api_keys_account').on('api_keys').column('account_id').execute();
}

async function createJobs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('jobs')
    .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('progress', 'real', (column) => column.notNull().defaultTo(0))
    .addColumn('stage', 'text')
    .addColumn('script', 'text', (column) => column.notNull())
    .addColumn('estimated_credits', 'integer', (column) => column.notNull())
    .addColumn('credits_used', 'integer')
    .addColumn('duration_seconds', 'real')
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

async function createLedger(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('ledger_entries')
    .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('job_id', 'text', (column) => column.references('jobs.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('ordinal', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('amount', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('ledger_entries_once', ['job_id', 'kind', 'ordinal'])
    .execute();
  await db.schema.createIndex('ledger_entries_account').on('ledger_entries').columns(['account_id', 'seq']).execute();
}
