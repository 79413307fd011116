import type { Kysely } from 'kysely';

/** Whose turn it is: the number of the last job of the account that was taken, counted over all accounts. */
export async function addAccountLastTurn(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('accounts')
    .addColumn('last_turn', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex('accounts_turn').on('accounts').column('last_turn').execute();
}
