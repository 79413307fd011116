import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestAccounts, type TestAccounts } from '../../support/accounting.js';
import { storedBytes } from '../../support/test-database.js';

let books: TestAccounts;
beforeEach(async () => {
  books = await openTestAccounts();
});
afterEach(async () => {
  expect(await books.imbalances()).toEqual([]);
  await books.close();
});
const create = (over: object = {}) => books.accounts.createKey({ accountName: 'acme', plan: 'pro', mode: 'live', credits: 50, ...over });

it('creates keys of each mode with 256 random bits', async () => {
  const [live, test] = [await create(), await create({ mode: 'test' })];
  expect(live.key).toMatch(/^ve_live_[A-Za-z0-9_-]{43}$/);
  expect(test.key).toMatch(/^ve_test_[A-Za-z0-9_-]{43}$/);
  expect(live.accountIsNew).toBe(true);
  expect(test).toMatchObject({ accountIsNew: false, accountId: live.accountId, balance: 100 });
});

it('stores a hash, the prefix and the last four characters, never the key', async () => {
  const { key } = await create();
  const [row] = await books.db.selectFrom('api_keys').selectAll().execute();
  expect(row).toMatchObject({ prefix: 've_live_', last_four: key.slice(-4), hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const bytes = await storedBytes(books.location);
  expect(bytes.includes(row?.hash ?? '')).toBe(true);
  expect(bytes.includes(key.slice(8))).toBe(false);
});

it.each([
  ['free', 10, 2],
  ['starter', 60, 5],
  ['pro', 120, 10],
] as const)('gives the plan %s %d requests a minute and %d jobs', async (plan, requestsPerMinute, concurrentJobs) => {
  const { key } = await create({ plan });
  expect((await books.accounts.findCaller(key))?.limits).toEqual({ requestsPerMinute, concurrentJobs });
});

it('keeps the limits of an enterprise account when it gets another key', async () => {
  await create({ plan: 'enterprise', limits: { requestsPerMinute: 7000, concurrentJobs: 300 } });
  const { key } = await create({ plan: undefined, credits: 0 });
  expect((await books.accounts.findCaller(key))?.limits).toEqual({ requestsPerMinute: 7000, concurrentJobs: 300 });
});

it('rejects unknown keys', async () => {
  const { key } = await create();
  const last = key.at(-1) === 'A' ? 'B' : 'A';
  for (const wrong of ['', 'x', key.slice(0, -1), key.slice(0, -1) + last, `${key} `, key.replace('live', 'test'), `${key}, ${key}`]) {
    expect(await books.accounts.findCaller(wrong)).toBeUndefined();
  }
});

it('revokes only the given key, at once', async () => {
  const [one, two] = [await create(), await create()];
  expect(await books.accounts.revokeKey(one.key)).toBe('revoked');
  expect(await books.accounts.findCaller(one.key)).toBeUndefined();
  expect(await books.accounts.findCaller(two.key)).toBeDefined();
  expect(await books.accounts.revokeKey(one.key)).toBe('already revoked');
  expect(await books.accounts.revokeKey(two.keyId)).toBe('revoked');
  expect(await books.accounts.revokeKey('ve_live_nothing')).toBe('unknown');
  expect((await books.accounts.listKeys()).map((key) => key.revokedAt)).toEqual([expect.any(String), expect.any(String)]);
});

it('grants credits only to existing accounts', async () => {
  await create({ credits: 0 });
  expect(await books.accounts.grantCredits('acme', 25)).toMatchObject({ balance: 25 });
  expect(await books.accounts.grantCredits('nobody', 25)).toBeUndefined();
});
