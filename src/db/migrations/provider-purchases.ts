import { type Kysely, sql } from 'kysely';

/** What jobs bought from provider services, and the credits held or charged for it. */
export async function createProviderPurchases(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('jobs')
    .addColumn('provider_credits', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  // Most jobs buy nothing and stay out of the index. It has every column of the sum: reading them from the rows would read the scripts, too.
  await db.schema
    .createIndex('jobs_provider_credits')
    .on('jobs')
    .columns(['account_id', 'finished_at', 'provider_credits', 'id'])
    .where(sql.ref('provider_credits'), '>', sql.lit(0))
    .execute();
  await db.schema
    .createTable('provider_purchases')
    .addColumn('job_id', 'text', (column) => column.notNull().references('jobs.id'))
    .addColumn('item', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('quantity', 'integer', (column) => column.notNull())
    .addColumn('microcredits', 'bigint', (column) => column.notNull())
    .addColumn('bought_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('provider_purchases_once', ['job_id', 'item'])
    .execute();
}
