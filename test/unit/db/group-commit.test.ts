import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { postEntry } from '../../../src/accounts/index.js';
import { GroupCommit, lockAccount } from '../../../src/db/index.js';
import { openTestAccounts, type TestAccounts } from '../../support/accounting.js';
import { until } from '../../support/receiver.js';

let books: TestAccounts;
let group: GroupCommit;
let accountId: string;

beforeEach(async () => {
  books = await openTestAccounts();
  group = new GroupCommit(books.db);
  ({ accountId } = await books.accounts.createKey({ accountName: 'acme', mode: 'live', credits: 10 }));
});
afterEach(() => books.close());

const take = (amount: number, before: () => void = () => {}) =>
  group.run('acc_1', async (trx) => {
    before();
    await postEntry(trx, { accountId, jobId: null, kind: 'hold', amount: -amount, at: '2030-01-01T00:00:00.000Z' });
    if (amount === 3) throw new Error('three');
    return amount;
  });
const balance = async () => (await books.db.selectFrom('accounts').select('balance').executeTakeFirstOrThrow()).balance;

it('commits successful work, rolls back work that throws, and settles each promise', async () => {
  expect(await Promise.allSettled([take(1), take(3), take(2)])).toEqual([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: new Error('three') },
    { status: 'fulfilled', value: 2 },
  ]);
  expect(await balance()).toBe(7);
  expect(await books.imbalances()).toEqual([]);
});

it('rejects all work and stores nothing if the commit fails', async () => {
  // Checked at the commit and not before.
  const spoil = group.run('acc_1', async (trx) => {
    await sql`create table spoiled (owner text references accounts (id) deferrable initially deferred)`.execute(trx);
    await sql`insert into spoiled values ('nobody')`.execute(trx);
  });
  const outcomes = await Promise.allSettled([take(1), spoil, take(2)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await balance()).toBe(10);
  expect(await take(4)).toBe(4);
  expect(await balance()).toBe(6);
});

it('accepts work that arrives during a commit', async () => {
  let late: Promise<number> | undefined;
  await take(1, () => {
    late = take(2);
  });
  expect(await late).toBe(2);
  expect(await balance()).toBe(7);
});

it('commits other accounts while one is locked, and its work when it is free', async () => {
  const other = await books.accounts.createKey({ accountName: 'other', mode: 'live', credits: 10 });
  const post = (account: string) =>
    group.run(account, async (trx) => {
      await lockAccount(trx, account);
      await postEntry(trx, { accountId: account, jobId: null, kind: 'hold', amount: -1, at: '2030-01-01T00:00:00.000Z' });
      return account;
    });
  const settled: string[] = [];
  let posts: Array<Promise<unknown>> = [];
  await books.db.transaction().execute(async (trx) => {
    await lockAccount(trx, accountId);
    posts = [accountId, other.accountId, accountId, other.accountId].map((account) => post(account).then((id) => settled.push(id)));
    // SQLite has one writer, which this transaction is.
    if ('url' in books.location) await until(() => settled.length === 2);
  });
  await Promise.all(posts);
  if ('url' in books.location) expect(settled.slice(0, 2)).toEqual([other.accountId, other.accountId]);
  expect(settled).toHaveLength(4);
  expect(await books.imbalances()).toEqual([]);
});
