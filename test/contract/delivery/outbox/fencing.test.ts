import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ExportTarget } from '../../../../src/delivery/exports/index.js';
import { type Claim, DeliveryRecordStore, DeliveryStore } from '../../../../src/delivery/outbox/index.js';
import { JobLeaseStore, JobStore, LeaseOwner } from '../../../../src/jobs/index.js';
import { openTestAccounts, type TestAccounts } from '../../../support/accounting.js';

let books: TestAccounts;
let jobId: string;
// Two stores represent two hosts.
let first: DeliveryStore;
let second: DeliveryStore;
let records: DeliveryRecordStore;
beforeEach(async () => {
  books = await openTestAccounts();
  first = new DeliveryStore(books.db, books.clock, new LeaseOwner('host-1', 1));
  second = new DeliveryStore(books.db, books.clock, new LeaseOwner('host-2', 1));
  records = new DeliveryRecordStore(books.db, books.clock);
  const { accountId } = await books.accounts.createKey({ accountName: 'acme', mode: 'live', credits: 10 });
  const jobs = new JobStore(books.db, books.clock, [first]);
  const leases = new JobLeaseStore(books.db, books.clock, 60_000, [first]);
  const target = { type: 'webhook', endpoint: 'https://example.com/' } as unknown as ExportTarget;
  const caller = { accountId, mode: 'live', limits: { requestsPerMinute: 1, concurrentJobs: 5 } } as const;
  ({ jobId } = await jobs.submit({ caller, script: {}, estimatedCredits: 1, exportTargets: [target] }));
  await leases.claim('live', 'owner', (id) => `${id}.mp4`);
  await leases.complete(jobId, 'owner', { durationSeconds: 1, sizeBytes: 1, warnings: [] });
});
afterEach(() => books.close());

const policy = { kind: 'export', leaseMs: 60_000, maxRuns: 3, exhaustedMessage: 'The service stopped.', retryDelaysMs: [] } as const;
const claim = async (store: DeliveryStore): Promise<Claim> => {
  const { claim } = (await store.claim(policy, jobId)) ?? {};
  if (claim === undefined) throw new Error('The job must be claimable.');
  return claim;
};
const delivered = { status: 'delivered', attempts: 1, location: 'https://example.com/1', message: '' } as const;
const failed = { status: 'failed', attempts: 5, location: '', message: 'The server does not answer.' } as const;

it('gives a job to one run at a time under concurrent claims', async () => {
  const claims = await Promise.all([first, second, first, second].map((store) => store.claim(policy, jobId)));
  expect(claims.filter((claimed) => claimed !== undefined)).toHaveLength(1);
  expect(await first.listDue(policy, { hosts: [], accountIds: [] }, 10)).toEqual([]);
});

it('leaves a fresh lease alone whose holder has a clock a little ahead', async () => {
  const behind = new DeliveryStore(books.db, { now: () => books.clock.now() - 300 }, new LeaseOwner('host-3', 1));
  books.clock.advance(1000);
  const run = await claim(first);
  expect(await behind.listDue(policy, { hosts: [], accountIds: [] }, 10)).toEqual([]);
  expect(await behind.claim(policy, jobId)).toBeUndefined();
  expect(await first.record(run, 0, delivered)).toBe(true);
});

it('does not let a run whose lease has expired overwrite the result of the next one', async () => {
  const stalled = await claim(first);
  books.clock.advance(61_000);
  const next = await claim(second);
  expect(await first.record(stalled, 0, failed)).toBe(false);
  expect(await records.listExports(jobId)).toMatchObject([{ status: 'pending', attempts: 0 }]);
  expect(await second.record(next, 0, delivered)).toBe(true);
  expect(await first.record(stalled, 0, failed)).toBe(false);
  expect(await records.listExports(jobId)).toMatchObject([{ status: 'delivered', location: 'https://example.com/1' }]);
});

it('lets a run store its result after its lease has expired if no other has begun', async () => {
  const stalled = await claim(first);
  books.clock.advance(61_000);
  expect(await first.record(stalled, 0, delivered)).toBe(true);
  expect(await second.claim(policy, jobId)).toBeUndefined();
});

it('keeps the first final result of a run that records twice', async () => {
  const run = await claim(first);
  expect(await first.record(run, 0, delivered)).toBe(true);
  expect(await first.record(run, 0, failed)).toBe(false);
  expect(await records.listExports(jobId)).toMatchObject([{ status: 'delivered' }]);
});

it('erases the credentials of an export that has ended; it is sent again to a target given anew', async () => {
  expect(await first.record(await claim(first), 0, failed)).toBe(true);
  const [row] = await books.db.selectFrom('deliveries').select(['id', 'target', 'status']).execute();
  expect(row).toMatchObject({ target: null, status: 'failed' });
  const id = row?.id ?? 0;
  expect(await records.resend(id)).toBe(false);
  expect(await records.resend(id, '{"type":"webhook"}')).toBe(true);
  expect(await records.resend(id, '{"type":"webhook"}')).toBe(false);
  const again = await claim(second);
  expect(again.deliveries).toEqual([{ ordinal: 0, type: 'webhook', target: '{"type":"webhook"}', run: 1 }]);
  expect(await second.record(again, 0, delivered)).toBe(true);
  expect(await records.listExports(jobId)).toMatchObject([{ status: 'delivered' }]);
});

it('does not take the other exports of a job from a run when one is sent again', async () => {
  const rows = books.db.selectFrom('deliveries').select(['id', 'ordinal']).orderBy('ordinal');
  const [{ id } = { id: 0 }] = await rows.execute();
  const copied = {
    job_id: jobId,
    kind: 'export',
    ordinal: 1,
    type: 'webhook',
    target: '{}',
    status: 'pending',
    next_attempt_at: new Date(books.clock.now()).toISOString(),
  } as const;
  const { account_id } = await books.db.selectFrom('deliveries').select('account_id').executeTakeFirstOrThrow();
  await books.db
    .insertInto('deliveries')
    .values({ ...copied, account_id, host: null })
    .execute();
  const run = await claim(first);
  expect(await first.record(run, 0, failed)).toBe(true);
  expect(await records.resend(id, '{}')).toBe(true);
  expect(await second.claim(policy, jobId)).toBeUndefined();
  expect(await first.record(run, 1, delivered)).toBe(true);
  expect((await claim(second)).deliveries.map(({ ordinal }) => ordinal)).toEqual([0]);
});
