import { type Kysely, sql } from 'kysely';

/** When retention removed a completed job's output. */
export async function addRemovedOutputs(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('output_removed_at', 'text').execute();
  await db.schema
    .createIndex('jobs_kept_outputs')
    .on('jobs')
    .column('finished_at')
    .where(sql.ref('output_name'), 'is not', null)
    .where(sql.ref('output_removed_at'), 'is', null)
    .execute();
}
