import { type Kysely, sql } from 'kysely';

/** Size of the scripts and client data of sandbox jobs, for the quota of their account. */
export async function addSandboxBytes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('jobs')
    .addColumn('sandbox_bytes', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  // Live jobs and jobs that retention has cleared stay out of the index. It has every column of the sum: reading them from the
  // rows would read the scripts, too, which SQLite stores in front of them.
  await db.schema
    .createIndex('jobs_sandbox_bytes')
    .on('jobs')
    .columns(['account_id', 'sandbox_bytes', 'size_bytes', 'output_removed_at'])
    .where(sql.ref('sandbox_bytes'), '>', sql.lit(0))
    .execute();
}
