import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { getJobCharge, postEntry } from '../../../src/accounts/index.js';
import { JobLeaseStore, JobStore } from '../../../src/jobs/index.js';
import { openTestAccounts, type TestAccounts } from '../../support/accounting.js';

let books: TestAccounts;
let accountId: string;
beforeEach(async () => {
  books = await openTestAccounts();
  ({ accountId } = await books.accounts.createKey({ accountName: 'acme', plan: 'enterprise', mode: 'live', credits: 100 }));
});
afterEach(async () => {
  expect(await books.imbalances()).toEqual([]);
  await books.close();
});
const entry = (amount: number, over: object = {}) => ({ accountId, jobId: null, kind: 'grant' as const, amount, at: 'now', ...over });
const balance = async () => (await books.db.selectFrom('accounts').select('balance').where('id', '=', accountId).executeTakeFirstOrThrow()).balance;

it('changes the balance with each entry, never below zero', async () => {
  expect(await books.db.transaction().execute((trx) => postEntry(trx, entry(-100)))).toBe(true);
  expect(await books.db.transaction().execute((trx) => postEntry(trx, entry(-1)))).toBe(false);
  expect(await balance()).toBe(0);
});

it('refuses a fractional amount', async () => {
  await expect(books.db.transaction().execute((trx) => postEntry(trx, entry(0.5)))).rejects.toThrow(RangeError);
});

it('records each entry of a job once', async () => {
  const { jobId } = await new JobStore(books.db, books.clock).submit({
    caller: { accountId, mode: 'live', limits: { requestsPerMinute: 1, concurrentJobs: 9 } },
    script: {},
    estimatedCredits: 10,
  });
  const refund = () => books.db.transaction().execute((trx) => postEntry(trx, entry(10, { jobId, kind: 'refund' })));
  await refund();
  await expect(refund()).rejects.toThrow(/unique/i);
  expect(await balance()).toBe(100);
  expect(await books.db.transaction().execute((trx) => getJobCharge(trx, jobId))).toEqual({ credits: 0, settlements: 0 });
});

it('detects a balance that does not add up', async () => {
  await books.db.updateTable('accounts').set({ balance: 99 }).execute();
  expect(await books.imbalances()).toEqual([{ accountId, balance: 99, ledger: 100 }]);
  await books.db.updateTable('accounts').set({ balance: 100 }).execute();
});

type Step = 'submit' | 'claim' | 'plan less' | 'plan more' | 'plan too much' | 'complete' | 'fail' | 'die' | 'give back';

it('adds up after every history, with each job charged at most once', async () => {
  const jobs = new JobStore(books.db, books.clock);
  const leases = new JobLeaseStore(books.db, books.clock, 60_000);
  const caller = { accountId, mode: 'live' as const, limits: { requestsPerMinute: 1, concurrentJobs: 5 } };
  const steps = fc.array(fc.constantFrom<Step>('submit', 'claim', 'plan less', 'plan more', 'plan too much', 'complete', 'fail', 'die', 'give back'), {
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const reserved = new Map<string, string>();
      let claims = 0;
      for (const step of history) {
        const [jobId, owner] = [...reserved][0] ?? [];
        if (step === 'submit')
          await jobs
            .submit({ caller, script: {}, estimatedCredits: 10 })
            .catch((error) => expect(['INSUFFICIENT_CREDITS', 'CONCURRENCY_LIMIT_EXCEEDED']).toContain(error.code));
        if (step === 'claim') {
          claims += 1;
          const leased = await leases.claim('live', `owner ${claims}`, (id) => `${id}.mp4`);
          if (leased !== undefined) reserved.set(leased.jobId, `owner ${claims}`);
        }
        if (jobId === undefined || owner === undefined) continue;
        if (step === 'plan less') await leases.settle(jobId, owner, 7);
        if (step === 'plan more') await leases.settle(jobId, owner, 12).then((failed) => failed && reserved.delete(jobId));
        if (step === 'plan too much') {
          expect((await leases.settle(jobId, owner, 1_000_000))?.status).toBe('failed');
          reserved.delete(jobId);
        }
        if (step === 'complete') await leases.complete(jobId, owner, { durationSeconds: 1, sizeBytes: 1, warnings: [] });
        if (step === 'fail') await leases.fail(jobId, owner, { code: 'RENDER_FAILED', message: 'x' });
        if (step === 'die') await leases.interrupt(jobId, owner);
        if (step === 'give back') await leases.release(jobId, owner);
        if (['complete', 'fail', 'die', 'give back'].includes(step)) reserved.delete(jobId);
      }
      expect(await books.imbalances()).toEqual([]);
      const rows = await books.db.selectFrom('jobs').select(['id', 'status', 'credits_used']).execute();
      for (const row of rows) {
        const { credits } = await books.db.transaction().execute((trx) => getJobCharge(trx, row.id));
        if (row.status === 'completed') expect(credits).toBe(row.credits_used);
        if (row.status === 'failed') expect([credits, row.credits_used]).toEqual([0, 0]);
      }
      // The next history starts with all the work ended and the account full again.
      for (const [jobId, owner] of reserved) await leases.fail(jobId, owner, { code: 'RENDER_FAILED', message: 'x' });
      for (let left = await leases.claim('live', 'last', (id) => id); left !== undefined; left = await leases.claim('live', 'last', (id) => id)) {
        await leases.fail(left.jobId, 'last', { code: 'RENDER_FAILED', message: 'x' });
      }
      await books.accounts.grantCredits('acme', 100 - Math.min(99, await balance()));
    }),
    { numRuns: 40 },
  );
});
