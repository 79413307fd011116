import type { Kysely } from 'kysely';
import { autoIncrementKey } from '../dialects.js';

export async function createLedger(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('ledger_entries')
    .addColumn('seq', ...autoIncrementKey(db))
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('job_id', 'text', (column) => column.references('jobs.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('ordinal', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('ledger_entries_once', ['job_id', 'kind', 'ordinal'])
    .execute();
  await db.schema.createIndex('ledger_entries_account').on('ledger_entries').columns(['account_id', 'seq']).execute();
}
