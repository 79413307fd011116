import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JobLeaseStore, JobStore, LeaseLostError, type ProviderLimits, type Purchase } from '../../../src/jobs/index.js';
import { openTestAccounts, type TestAccounts } from '../../support/accounting.js';

let books: TestAccounts;
let accountId: string;
let jobs: JobStore;
let leases: JobLeaseStore;
beforeEach(async () => {
  books = await openTestAccounts();
  ({ accountId } = await books.accounts.createKey({ accountName: 'acme', plan: 'pro', mode: 'live', credits: 100 }));
  openStores();
});
afterEach(async () => {
  expect(await books.imbalances()).toEqual([]);
  await books.close();
});

function openStores(limits: ProviderLimits = {}): void {
  jobs = new JobStore(books.db, books.clock, [], limits);
  leases = new JobLeaseStore(books.db, books.clock, 60_000, [], limits);
}

const submit = (estimatedCredits: number, providerCredits: number, mode: 'live' | 'test' = 'live') =>
  jobs.submit({
    caller: { accountId, mode, limits: { requestsPerMinute: 1, concurrentJobs: 50 } },
    script: { scenes: [] },
    estimatedCredits,
    providerCredits,
  });
const claim = (owner: string, mode: 'live' | 'test' = 'live') => leases.claim(mode, owner, (id) => `${id}.mp4`);
const balance = () => books.accounts.getBalance(accountId);
const speech = (item: string, credits: number): Purchase => ({ item, kind: 'speech', provider: 'azure', quantity: 1000, microcredits: credits * 1e6 });
const output = { durationSeconds: 1, sizeBytes: 1, warnings: [] };
const failure = { code: 'RENDER_FAILED' as const, message: 'The render stopped. Nothing was charged.' };

describe('a job that buys from provider services', () => {
  it('pays for its render and for what it has bought', async () => {
    const { jobId } = await submit(10, 8);
    await claim('a');
    expect(await leases.reserve(jobId, 'a', 2, [speech('one', 3), speech('two', 4)])).toBeUndefined();
    expect(await balance()).toBe(90);
    await leases.recordPurchase(jobId, speech('one', 3));
    expect(await leases.settle(jobId, 'a', 2)).toBeUndefined();
    expect(await leases.complete(jobId, 'a', output)).toMatchObject({ creditsUsed: 5, providerCredits: 3 });
    expect(await balance()).toBe(95);
  });

  it('pays only for what it has bought when it fails', async () => {
    const { jobId } = await submit(10, 8);
    await claim('a');
    await leases.reserve(jobId, 'a', 2, [speech('one', 3), speech('two', 4)]);
    await leases.recordPurchase(jobId, speech('one', 3));
    expect(await leases.fail(jobId, 'a', failure)).toMatchObject({
      creditsUsed: 3,
      providerCredits: 3,
      failure: { message: 'The render stopped. 3 credits were charged for what was bought from provider services.' },
    });
    expect(await balance()).toBe(97);
  });

  it('holds more before it buys more than estimated', async () => {
    const { jobId } = await submit(2, 1);
    await claim('a');
    expect(await leases.reserve(jobId, 'a', 1, [speech('one', 30)])).toBeUndefined();
    expect(await balance()).toBe(69);
    await leases.fail(jobId, 'a', failure);
    expect(await balance()).toBe(100);
  });

  it('fails before it buys what the balance does not cover', async () => {
    const { jobId } = await submit(2, 1);
    await claim('a');
    expect(await leases.reserve(jobId, 'a', 1, [speech('one', 100)])).toMatchObject({
      status: 'failed',
      creditsUsed: 0,
      failure: { message: 'The movie costs 101 credits, 99 more than estimated, and the balance does not cover the difference. Nothing was charged.' },
    });
    expect(await balance()).toBe(100);
  });

  it('pays once for an item that two attempts buy', async () => {
    const { jobId } = await submit(10, 8);
    await claim('a');
    await leases.reserve(jobId, 'a', 2, [speech('one', 3), speech('two', 4)]);
    await leases.recordPurchase(jobId, speech('one', 3));
    await leases.interrupt(jobId, 'a');
    await claim('b');
    // The result of the first attempt is cached on another host, or not at all.
    expect(await leases.reserve(jobId, 'b', 2, [speech('one', 3), speech('two', 4)])).toBeUndefined();
    expect(await balance()).toBe(90);
    await leases.recordPurchase(jobId, speech('one', 3));
    await leases.recordPurchase(jobId, speech('two', 4));
    await leases.settle(jobId, 'b', 2);
    expect((await leases.complete(jobId, 'b', output)).creditsUsed).toBe(9);
  });

  it('pays for purchases of an attempt that has lost its lease', async () => {
    const { jobId } = await submit(10, 8);
    await claim('a');
    await leases.recoverExpired(() => true);
    await leases.recordPurchase(jobId, speech('one', 3));
    await claim('b');
    await leases.settle(jobId, 'b', 1);
    expect((await leases.complete(jobId, 'b', output)).creditsUsed).toBe(4);
    await expect(leases.recordPurchase(jobId, speech('two', 3))).rejects.toBeInstanceOf(LeaseLostError);
    await expect(leases.reserve(jobId, 'b', 1, [])).rejects.toBeInstanceOf(LeaseLostError);
  });

  it('never pays more than it holds', async () => {
    const { jobId } = await submit(2, 1);
    await claim('a');
    await leases.recordPurchase(jobId, speech('one', 50));
    expect((await leases.fail(jobId, 'a', failure)).creditsUsed).toBe(2);
  });

  it('pays whole credits for the sum of its purchases', async () => {
    const { jobId } = await submit(10, 8);
    await claim('a');
    for (const item of ['one', 'two', 'three']) await leases.recordPurchase(jobId, speech(item, 0.4));
    await leases.settle(jobId, 'a', 1);
    expect((await leases.complete(jobId, 'a', output)).creditsUsed).toBe(3);
  });

  it('pays nothing in the sandbox', async () => {
    const { jobId } = await submit(10, 8, 'test');
    await claim('a', 'test');
    expect(await leases.reserve(jobId, 'a', 1, [speech('one', 500)])).toBeUndefined();
    await leases.recordPurchase(jobId, speech('one', 500));
    expect(await leases.complete(jobId, 'a', output)).toMatchObject({ creditsUsed: 0, providerCredits: 0 });
  });
});

describe('limits of provider services', () => {
  it('fail a movie that would exceed the limit per movie, before it buys', async () => {
    openStores({ perMovie: 5 });
    const { jobId } = await submit(5, 4);
    await claim('a');
    expect(await leases.reserve(jobId, 'a', 1, [speech('one', 6)])).toMatchObject({
      creditsUsed: 0,
      failure: { message: 'Provider services for this movie cost 6 credits; up to 5 are allowed per movie on this host. Nothing was charged.' },
    });
  });

  it('refuse a submission that would exceed the daily limit of the plan, and change nothing', async () => {
    openStores({ perDay: { pro: 10 } });
    await submit(7, 6);
    await expect(submit(6, 5)).rejects.toMatchObject({
      code: 'PROVIDER_LIMIT_EXCEEDED',
      status: 429,
      message: 'Provider services for this movie cost 5 credits; the account may spend 10 on them within 24 hours and has spent or reserved 6.',
      fields: { required: 5, limit: 10, used: 6 },
    });
    expect(await balance()).toBe(93);
    await submit(5, 4);
    await submit(5, 0);
  });

  it('count what was spent in the last 24 hours', async () => {
    openStores({ perDay: { pro: 10 } });
    const { jobId } = await submit(9, 8);
    await claim('a');
    await leases.recordPurchase(jobId, speech('one', 6));
    await leases.fail(jobId, 'a', failure);
    await expect(submit(6, 5)).rejects.toMatchObject({ fields: { used: 6 } });
    books.clock.advance(24 * 3_600_000 + 1000);
    await submit(6, 5);
  });

  it('apply to concurrent submissions together', async () => {
    openStores({ perDay: { pro: 10 } });
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => submit(4, 4)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });

  it('apply to a job that needs more than it has reserved', async () => {
    openStores({ perDay: { pro: 10 } });
    await submit(6, 5);
    const { jobId } = await submit(6, 5);
    await claim('a');
    const second = await claim('b');
    expect(second?.jobId).toBe(jobId);
    expect(await leases.reserve(jobId, 'b', 1, [speech('one', 5)])).toBeUndefined();
    expect(await leases.reserve(jobId, 'b', 1, [speech('one', 6)])).toMatchObject({
      creditsUsed: 0,
      failure: {
        message: expect.stringContaining('cost 6 credits; the account may spend 10 on them within 24 hours and has spent or reserved 5. Nothing was charged.'),
      },
    });
  });

  it('leave plans without a limit alone', async () => {
    openStores({ perDay: { free: 1 } });
    await submit(50, 50);
  });
});
