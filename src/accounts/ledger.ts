import { type Database, type Kysely, type LedgerEntryRow, type Param, PreparedQuery, type Transaction } from '../db/index.js';

/** One movement of credits; entries are append-only. */
export interface LedgerEntry {
  accountId: string;
  jobId: string | null;
  kind: LedgerEntryRow['kind'];
  /** Sequence number of a job's settlement; default 0. (jobId, kind, ordinal) is unique. */
  ordinal?: number;
  /** Whole credits: positive is credited to the account, negative is debited. */
  amount: number;
  /** ISO 8601, UTC. */
  at: string;
}

/**
 * Adds an entry and updates the balance. Returns false and writes nothing if the balance would fall below zero.
 * The guarded update serializes transactions of one account, also for an amount of 0, which adds no entry:
 * call it before reading anything that a decision depends on.
 */
export async function postEntry(trx: Transaction<Database>, entry: LedgerEntry): Promise<boolean> {
  if (!Number.isSafeInteger(entry.amount)) throw new RangeError(`A ledger amount must be a whole number, not ${entry.amount}.`);
  const { accountId, amount } = entry;
  const updated = await (amount < 0 ? debitQuery.run(trx, { accountId, amount, minBalance: -amount }) : creditQuery.run(trx, { accountId, amount }));
  if (updated.numAffectedRows !== 1n) return false;
  if (amount === 0) return true;
  await insertEntry.run(trx, { ordinal: 0, ...entry });
  return true;
}

const creditQuery = new PreparedQuery((db, param: Param<Pick<LedgerEntry, 'accountId' | 'amount'>>) =>
  db
    .updateTable('accounts')
    .set((eb) => ({ balance: eb('balance', '+', param('amount')) }))
    .where('id', '=', param('accountId')),
);

const debitQuery = new PreparedQuery((db, param: Param<Pick<LedgerEntry, 'accountId' | 'amount'> & { minBalance: number }>) =>
  db
    .updateTable('accounts')
    .set((eb) => ({ balance: eb('balance', '+', param('amount')) }))
    .where('id', '=', param('accountId'))
    .where('balance', '>=', param('minBalance')),
);

const insertEntry = new PreparedQuery((db, param: Param<LedgerEntry & { ordinal: number }>) =>
  db.insertInto('ledger_entries').values({
    account_id: param('accountId'),
    job_id: param('jobId'),
    kind: param('kind'),
    ordinal: param('ordinal'),
    amount: param('amount'),
    created_at: param('at'),
  }),
);

/** Credits charged for a job so far (hold and settlements minus refunds) and the number of its settlements. */
export async function getJobCharge(trx: Transaction<Database>, jobId: string): Promise<{ credits: number; settlements: number }> {
  const entries = await trx.selectFrom('ledger_entries').select(['kind', 'amount']).where('job_id', '=', jobId).execute();
  // `0 - x` instead of `-x`: a free job costs 0, not -0.
  return { credits: 0 - entries.reduce((sum, entry) => sum + entry.amount, 0), settlements: entries.filter((entry) => entry.kind === 'settle').length };
}

/** An account whose balance disagrees with its ledger. */
export interface Imbalance {
  accountId: string;
  balance: number;
  ledger: number;
}

/** Lists accounts whose balance is negative or differs from the sum of their entries. A non-empty list means corrupt books. */
export async function findImbalances(db: Kysely<Database>): Promise<Imbalance[]> {
  const rows = await db
    .selectFrom('accounts')
    .leftJoin('ledger_entries', 'ledger_entries.account_id', 'accounts.id')
    .select((eb) => ['accounts.id as accountId', 'accounts.balance as balance', eb.fn.sum<number | null>('ledger_entries.amount').as('ledger')])
    .groupBy(['accounts.id', 'accounts.balance'])
    .execute();
  return rows
    .map((row) => ({ accountId: row.accountId, balance: row.balance, ledger: Number(row.ledger ?? 0) }))
    .filter((row) => row.balance !== row.ledger || row.balance < 0);
}
