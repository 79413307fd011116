import type { Kysely } from 'kysely';

/** Sequence number of an account's last claim, for fair scheduling. */
export async function addAccountLastTurn(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('accounts')
    .addColumn('last_turn', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex('accounts_turn').on('accounts').column('last_turn').execute();
}
