import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { postEntries } from '../../../src/accounts/index.js';
import { GroupCommit, lockAccount, lockAccounts } from '../../../src/db/index.js';
import { openTestAccounts, type TestAccounts } from '../../support/accounting.js';
import { pause, until } from '../../support/receiver.js';

interface Debit {
  account: string;
  amount: number;
  before?: (() => void) | undefined;
}

let books: TestAccounts;
let group: GroupCommit<Debit, number>;
let accountId: string;
let groupSizes: number[];

beforeEach(async () => {
  books = await openTestAccounts();
  groupSizes = [];
  group = new GroupCommit(books.db, async (trx, items, waits) => {
    groupSizes.push(items.length);
    const accounts = await lockAccounts(trx, [...new Set(items.map(({ account }) => account))], waits);
    const debits = items.filter(({ account, amount }) => accounts.has(account) && amount !== 3);
    for (const { before } of items) before?.();
    // 4 violates a constraint, which aborts the transaction.
    if (debits.some(({ amount }) => amount === 4)) await sql`insert into accounts (id, name, plan, created_at) values (null, null, null, null)`.execute(trx);
    // Checked at the commit and not before.
    if (debits.some(({ amount }) => amount === 5)) {
      await sql`create table spoiled (owner text references accounts (id) deferrable initially deferred)`.execute(trx);
      await sql`insert into spoiled values ('nobody')`.execute(trx);
    }
    const at = '2030-01-01T00:00:00.000Z';
    await postEntries(
      trx,
      debits.map(({ account, amount }) => ({ accountId: account, jobId: null, kind: 'hold' as const, amount: -amount, at })),
    );
    return items.map(({ account, amount }) => {
      if (!accounts.has(account)) return { isLocked: true };
      return amount === 3 ? { error: new Error('three') } : { result: amount };
    });
  });
  accountId = await createAccount('acme');
});
afterEach(() => books.close());

const createAccount = async (accountName: string): Promise<string> => (await books.accounts.createKey({ accountName, mode: 'live', credits: 10 })).accountId;
const take = (amount: number, before?: () => void) => group.run(accountId, { account: accountId, amount, before });
const balance = (id = accountId) => books.accounts.getBalance(id);

it('commits items in one transaction and settles each promise', async () => {
  expect(await Promise.allSettled([take(1), take(3), take(2)])).toEqual([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: new Error('three') },
    { status: 'fulfilled', value: 2 },
  ]);
  expect(groupSizes).toEqual([3]);
  expect(await balance()).toBe(7);
  expect(await books.imbalances()).toEqual([]);
});

it('stores items of several accounts together', async () => {
  const other = await createAccount('other');
  await Promise.all([take(1), group.run(other, { account: other, amount: 7 }), take(2)]);
  expect(groupSizes).toEqual([3]);
  expect([await balance(), await balance(other)]).toEqual([7, 3]);
  expect(await books.imbalances()).toEqual([]);
});

for (const [amount, moment] of [
  [4, 'a statement'],
  [5, 'the commit'],
] as const) {
  it(`repeats each item alone if ${moment} fails, and rejects only the one at fault`, async () => {
    const outcomes = await Promise.allSettled([take(1), take(amount), take(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(groupSizes).toEqual([3, 1, 1, 1]);
    expect(await balance()).toBe(7);
    expect(await books.imbalances()).toEqual([]);
  });
}

it('accepts items that arrive during a commit', async () => {
  let late: Promise<number> | undefined;
  await take(1, () => {
    late = take(2);
  });
  expect(await late).toBe(2);
  expect(await balance()).toBe(7);
});

it('commits other accounts while some are locked, and refuses items of these after two seconds', async () => {
  // SQLite has one writer, which the locking transaction is.
  if (!('url' in books.location)) return;
  const locked = await Promise.all(Array.from({ length: 6 }, (_none, index) => createAccount(`locked ${index}`)));
  const outcomes: Array<{ id: string; ok: boolean; ms: number }> = [];
  const post = async (id: string): Promise<void> => {
    const startedAt = performance.now();
    const ok = await group.run(id, { account: id, amount: 1 }).then(
      () => true,
      () => false,
    );
    outcomes.push({ id, ok, ms: performance.now() - startedAt });
  };
  const posts: Array<Promise<void>> = [];
  await books.db.transaction().execute(async (trx) => {
    for (const id of locked) await lockAccount(trx, id);
    posts.push(...[...locked, accountId, ...locked].map(post));
    await until(() => outcomes.length === 1);
    for (let count = 0; count < 8; count += 1) {
      posts.push(post(accountId));
      await pause(50);
    }
    await until(() => outcomes.length === 21, 5000);
  });
  await Promise.all(posts);
  const free = outcomes.filter(({ id }) => id === accountId);
  expect(free.map(({ ok }) => ok)).toEqual(Array.from({ length: 9 }, () => true));
  expect(Math.max(...free.map(({ ms }) => ms))).toBeLessThan(250);
  const refused = outcomes.filter(({ id }) => id !== accountId);
  expect(refused.map(({ ok }) => ok)).toEqual(Array.from({ length: 12 }, () => false));
  expect(Math.max(...refused.map(({ ms }) => ms))).toBeLessThan(2200);
  expect(await Promise.all(locked.map(balance))).toEqual(locked.map(() => 10));
  await Promise.all(locked.map(post));
  expect(await Promise.all(locked.map(balance))).toEqual(locked.map(() => 9));
});

it('stores the items of a locked account once the lock is released', async () => {
  const other = await createAccount('other');
  const settled: string[] = [];
  let posts: Array<Promise<unknown>> = [];
  await books.db.transaction().execute(async (trx) => {
    await lockAccount(trx, accountId);
    posts = [accountId, other, accountId, other].map((id) => group.run(id, { account: id, amount: 1 }).then(() => settled.push(id)));
    if ('url' in books.location) await until(() => settled.length === 2);
  });
  await Promise.all(posts);
  if ('url' in books.location) expect(settled.slice(0, 2)).toEqual([other, other]);
  expect(settled).toHaveLength(4);
  expect(await books.imbalances()).toEqual([]);
});
