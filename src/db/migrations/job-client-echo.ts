import type { Kysely } from 'kysely';

/** JSON that is returned to the client with its job. */
export async function addJobClientEcho(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('client_data', 'text').execute();
}
