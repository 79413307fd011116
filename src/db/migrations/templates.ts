import type { Kysely } from 'kysely';
import { autoIncrementKey } from '../dialects.js';

export async function createTemplates(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('templates')
    .addColumn('seq', ...autoIncrementKey(db))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('script', 'text', (column) => column.notNull())
    .addColumn('is_public', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('templates_account').on('templates').columns(['account_id', 'seq']).execute();
}
