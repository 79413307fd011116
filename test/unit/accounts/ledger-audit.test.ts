import { afterEach, beforeEach, expect, it } from 'vitest';
import { LedgerAudit } from '../../../src/accounts/index.js';
import { openTestAccounts, type TestAccounts } from '../../support/accounting.js';
import { pause } from '../../support/receiver.js';

let books: TestAccounts;
let errors: unknown[];
let audit: LedgerAudit;
beforeEach(async () => {
  books = await openTestAccounts();
  await books.accounts.createKey({ accountName: 'acme', plan: 'enterprise', mode: 'live', credits: 100 });
  errors = [];
  audit = new LedgerAudit({ db: books.db, clock: books.clock, onError: (error) => errors.push(error) });
});
afterEach(async () => {
  await audit.close();
  await books.close();
});

const setBalance = (balance: number, name = 'acme') => books.db.updateTable('accounts').set({ balance }).where('name', '=', name).execute();
const untilCount = (count: number) => expect.poll(() => audit.getImbalanceCount()).toBe(count);

it('returns the last result at once and audits again, in the background, after a minute', async () => {
  expect(audit.getImbalanceCount()).toBeUndefined();
  await untilCount(0);
  await setBalance(99);
  for (let request = 0; request < 3; request += 1) {
    expect(audit.getImbalanceCount()).toBe(0);
    await pause(30);
  }
  books.clock.advance(60_000);
  expect(audit.getImbalanceCount()).toBe(0);
  await untilCount(1);
  await setBalance(100);
  await books.accounts.grantCredits('acme', 7);
  books.clock.advance(60_000);
  await untilCount(0);
});

it('compares more accounts than it reads at once', async () => {
  const ids = Array.from({ length: 2500 }, (_, index) => `acc_${String(index).padStart(5, '0')}`);
  const rows = ids.map((id) => ({ id, name: id, plan: 'free' as const, balance: 5, requests_per_minute: 1, concurrent_jobs: 1, created_at: 'x' }));
  const entries = ids.map((id) => ({ account_id: id, job_id: null, kind: 'grant' as const, ordinal: 0, amount: 5, created_at: 'x' }));
  for (let start = 0; start < ids.length; start += 500) {
    await books.db
      .insertInto('accounts')
      .values(rows.slice(start, start + 500))
      .execute();
    await books.db
      .insertInto('ledger_entries')
      .values(entries.slice(start, start + 500))
      .execute();
  }
  audit.getImbalanceCount();
  await untilCount(0);
  for (const id of [ids[0], ids[1500], ids.at(-1)]) await setBalance(6, id);
  books.clock.advance(60_000);
  await untilCount(3);
});

it('keeps the last result when an audit fails', async () => {
  await setBalance(99);
  audit.getImbalanceCount();
  await untilCount(1);
  await books.db.schema.alterTable('ledger_entries').renameTo('ledger_away').execute();
  books.clock.advance(60_000);
  await expect.poll(() => [audit.getImbalanceCount(), errors.length]).toEqual([1, 1]);
});
