import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ExportTarget } from '../../../../src/delivery/exports/index.js';
import { ExportStore } from '../../../../src/delivery/outbox/index.js';
import { JobLeaseStore, JobStore, LeaseOwner } from '../../../../src/jobs/index.js';
import { openTestAccounts, type TestAccounts } from '../../../support/accounting.js';

let books: TestAccounts;
let jobId: string;
// Two stores represent two hosts.
let first: ExportStore;
let second: ExportStore;
beforeEach(async () => {
  books = await openTestAccounts();
  first = new ExportStore(books.db, books.clock, new LeaseOwner('host-1', 1));
  second = new ExportStore(books.db, books.clock, new LeaseOwner('host-2', 1));
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

const delivered = { status: 'delivered', attempts: 1, location: 'https://example.com/1', message: '' } as const;
const failed = { status: 'failed', attempts: 5, location: '', message: 'The server does not answer.' } as const;

it('gives a job to one run at a time under concurrent claims', async () => {
  const runs = await Promise.all([first.beginRun(jobId), second.beginRun(jobId), first.beginRun(jobId), second.beginRun(jobId)]);
  expect(runs.filter((run) => run !== undefined)).toHaveLength(1);
  expect(await first.listDue({ accountIds: [] }, 10)).toEqual([]);
});

it('does not let a run whose lease has expired overwrite the result of the next one', async () => {
  const stalled = await first.beginRun(jobId);
  books.clock.advance(61_000);
  const next = await second.beginRun(jobId);
  if (stalled === undefined || next === undefined) throw new Error('Both runs must have begun.');
  expect(await first.recordResult(stalled.lease, 0, failed)).toBe(false);
  expect(await first.listFor(jobId)).toMatchObject([{ status: 'pending', attempts: 0 }]);
  expect(await second.recordResult(next.lease, 0, delivered)).toBe(true);
  expect(await first.recordResult(stalled.lease, 0, failed)).toBe(false);
  expect(await first.listFor(jobId)).toMatchObject([{ status: 'delivered', location: 'https://example.com/1' }]);
});

it('keeps the first final result of a run that records twice', async () => {
  const run = await first.beginRun(jobId);
  if (run === undefined) throw new Error('The run must have begun.');
  expect(await first.recordResult(run.lease, 0, delivered)).toBe(true);
  expect(await first.recordResult(run.lease, 0, failed)).toBe(false);
  expect(await first.listFor(jobId)).toMatchObject([{ status: 'delivered' }]);
});
