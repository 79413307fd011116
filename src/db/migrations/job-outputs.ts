import type { Kysely } from 'kysely';

/** The files of jobs whose movies have several outputs. */
export async function addJobOutputs(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('outputs', 'text').execute();
}
