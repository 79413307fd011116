import type { Kysely } from 'kysely';

/** How often the service died while rendering a job. */
export async function addJobInterruptions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('jobs')
    .addColumn('interruptions', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
