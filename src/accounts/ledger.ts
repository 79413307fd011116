import { type Database, type Kysely, type LedgerEntryRow, type Param, PreparedQuery, type Transaction } from '../db/index.js';

export interface LedgerEntry {
  accountId: string;
  jobId: string | null;
  kind: LedgerEntryRow['kind'];
  /** Tells a job's later settlements from its first. */
  ordinal?: number;
  /** Positive: to the account. Negative: from it. */
  amount: number;
  at: string;
}

/**
 * Adds an entry and moves the balance with it; false, with nothing written, when the balance would fall below zero.
 * An amount of 0 writes no entry and still takes the account's turn. The guarded update is also what makes parallel submissions of one account wait for each other,
 * so call it before reading anything that the decision depends on.
 */
export async function postEntry(trx: Transaction<Database>, entry: LedgerEntry): Promise<boolean> {
  if (!Number.isSafeInteger(entry.amount)) throw new RangeError(`A ledger amount is a whole number, not ${entry.amount}.`);
  const { accountId, amount } = entry;
  const moved = await (amount < 0 ? takeFrom.run(trx, { accountId, amount, least: -amount }) : giveTo.run(trx, { accountId, amount }));
  if (moved.numAffectedRows !== 1n) return false;
  if (amount === 0) return true;
  await addEntry.run(trx, { ordinal: 0, ...entry });
  return true;
}

const giveTo = new PreparedQuery((db, slot: Param<Pick<LedgerEntry, 'accountId' | 'amount'>>) =>
  db
    .updateTable('accounts')
    .set((eb) => ({ balance: eb('balance', '+', slot('amount')) }))
    .where('id', '=', slot('accountId')),
);

const takeFrom = new PreparedQuery((db, slot: Param<Pick<LedgerEntry, 'accountId' | 'amount'> & { least: number }>) =>
  db
    .updateTable('accounts')
    .set((eb) => ({ balance: eb('balance', '+', slot('amount')) }))
    .where('id', '=', slot('accountId'))
    .where('balance', '>=', slot('least')),
);

const addEntry = new PreparedQuery((db, slot: Param<LedgerEntry & { ordinal: number }>) =>
  db.insertInto('ledger_entries').values({
    account_id: slot('accountId'),
    job_id: slot('jobId'),
    kind: slot('kind'),
    ordinal: slot('ordinal'),
    amount: slot('amount'),
    created_at: slot('at'),
  }),
);

/** What a job has cost so far (hold and settlements, less refunds), and how many settlements it had. */
export async function getJobCharge(trx: Transaction<Database>, jobId: string): Promise<{ credits: number; settlements: number }> {
  const entries = await trx.selectFrom('ledger_entries').select(['kind', 'amount']).where('job_id', '=', jobId).execute();
  // `0 -` and not a unary minus: a free job costs 0, not -0.
  return { credits: 0 - entries.reduce((sum, entry) => sum + entry.amount, 0), settlements: entries.filter((entry) => entry.kind === 'settle').length };
}

export interface Imbalance {
  accountId: string;
  balance: number;
  ledger: number;
}

/** Accounts whose balance is not the sum of their entries, or is negative. Anything in this list is a defect. */
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
