import type { Kysely } from 'kysely';

/** What the client wants back with its job. */
export async function addJobClientEcho(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('client_data', 'text').execute();
}
