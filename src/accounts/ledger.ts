import { sql } from 'kysely';
import { type Database, type Kysely, type LedgerEntryRow, type Param, PreparedInsert, PreparedQuery, type Transaction } from '../db/index.js';

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
  await insertEntries.run(trx, [{ ordinal: 0, ...entry }]);
  return true;
}

/**
 * Adds several entries and updates the balances of their accounts. The caller has locked the accounts (`lockAccounts`) and checked that no
 * balance falls below zero. Entries of 0 are left out. At most 100 entries.
 */
export async function postEntries(trx: Transaction<Database>, entries: readonly LedgerEntry[]): Promise<void> {
  const posted = entries.filter(({ amount }) => amount !== 0);
  const sums = new Map<string, number>();
  for (const { accountId, amount } of posted) sums.set(accountId, (sums.get(accountId) ?? 0) + amount);
  await addToBalances(trx, sums);
  await insertEntries.run(
    trx,
    posted.map((entry) => ({ ordinal: 0, ...entry })),
  );
}

async function addToBalances(trx: Transaction<Database>, amounts: ReadonlyMap<string, number>): Promise<void> {
  const [first] = amounts;
  if (first === undefined) return;
  if (amounts.size === 1) {
    await creditQuery.run(trx, { accountId: first[0], amount: first[1] });
    return;
  }
  const cases = [...amounts].map(([id, amount]) => sql`when ${id} then cast(${amount} as bigint)`);
  await sql`update accounts set balance = balance + case id ${sql.join(cases, sql` `)} end where id in (${sql.join([...amounts.keys()])})`.execute(trx);
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

const insertEntries = new PreparedInsert<LedgerEntry & { ordinal: number }>((db, rows) =>
  db.insertInto('ledger_entries').values(
    rows.map((param) => ({
      account_id: param('accountId'),
      job_id: param('jobId'),
      kind: param('kind'),
      ordinal: param('ordinal'),
      amount: param('amount'),
      created_at: param('at'),
    })),
  ),
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
