import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DeliveryRunner, DeliveryStore } from '../../../../src/delivery/outbox/index.js';
import { DatabaseUnavailableError } from '../../../../src/errors/index.js';
import { JobLeaseStore, JobStore, LeaseOwner } from '../../../../src/jobs/index.js';
import { openTestAccounts, type TestAccounts } from '../../../support/accounting.js';
import { pause, until } from '../../../support/receiver.js';

const policy = { kind: 'export', leaseMs: 400, maxRuns: 3, exhaustedMessage: 'The service stopped.', retryDelaysMs: [] } as const;
let accounting: TestAccounts;
let store: DeliveryStore;
let runner: DeliveryRunner;
let sent: string[];
let aborted: string[];

beforeEach(async () => {
  accounting = await openTestAccounts();
  const { db, clock } = accounting;
  store = new DeliveryStore(db, clock, new LeaseOwner('host-1', 1));
  sent = [];
  aborted = [];
  const send = async ({ jobId }: { jobId: string }, signal: AbortSignal): Promise<void> => {
    sent.push(jobId);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    aborted.push(jobId);
    signal.throwIfAborted();
  };
  const sender = { policy, limits: { total: 3, perAccount: 2, perHost: Number.POSITIVE_INFINITY }, countsStoppedRuns: false, send };
  runner = new DeliveryRunner({ store, senders: [sender], clock, log: { info() {}, warn() {}, error() {} }, pollMs: 20 });
});
afterEach(async () => {
  await runner.stop(0);
  await accounting.close();
});

async function completeJobs(accountName: string, count: number): Promise<string[]> {
  const { db, clock, accounts } = accounting;
  const { accountId } = await accounts.createKey({ accountName, mode: 'live', credits: 10 });
  const jobs = new JobStore(db, clock, [store]);
  const leases = new JobLeaseStore(db, clock, 60_000, [store]);
  const caller = { accountId, mode: 'live', limits: { requestsPerMinute: 1, concurrentJobs: 10 } } as const;
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { jobId } = await jobs.submit({ caller, script: {}, estimatedCredits: 1, exportTargets: [{ type: 's3' }, { type: 'ftp' }] });
    await leases.claim('live', 'owner', (id) => `${id}.mp4`);
    await leases.complete(jobId, 'owner', { durationSeconds: 1, sizeBytes: 1, warnings: [] });
    ids.push(jobId);
  }
  return ids;
}
const rows = () => accounting.db.selectFrom('deliveries').select(['runs', 'token', 'holder']).orderBy('id').execute();

it('claims the deliveries of a job together, within the limits of its sender', async () => {
  const mine = await completeJobs('acme', 4);
  const [other] = await completeJobs('other', 1);
  runner.start();
  await until(() => sent.length === 3);
  await pause(100);
  expect(sent).toEqual([mine[0], mine[1], other]);
});

it('does not count a run that a stop interrupts, and releases its lease', async () => {
  await completeJobs('acme', 1);
  runner.start();
  await until(() => sent.length === 1);
  await runner.stop(0);
  const free = { runs: 0, token: 1, holder: null };
  expect(await rows()).toEqual([free, free]);
});

it('aborts a run whose lease another host has taken', async () => {
  const [jobId = ''] = await completeJobs('acme', 1);
  runner.start();
  await until(() => sent.length === 1);
  const other = new DeliveryStore(accounting.db, accounting.clock, new LeaseOwner('host-2', 1));
  expect(await other.claim(policy, jobId)).toBeUndefined();
  vi.spyOn(store, 'listDue').mockResolvedValue([]);
  accounting.clock.advance(1000);
  // A renewal may come first; then the lease is active again.
  await until(async () => {
    accounting.clock.advance(401);
    return (await other.claim(policy, jobId)) !== undefined;
  });
  await until(() => aborted.length === 1);
  const [first] = await rows();
  expect(first).toMatchObject({ runs: 2, token: 2, holder: expect.stringContaining('host-2') });
});

it('aborts a run before its lease expires if the database is unavailable', async () => {
  await completeJobs('acme', 1);
  runner.start();
  await until(() => sent.length === 1);
  vi.spyOn(store, 'renew').mockRejectedValue(new DatabaseUnavailableError('connection refused'));
  accounting.clock.advance(250);
  await pause(250);
  expect(aborted).toEqual([]);
  accounting.clock.advance(50);
  await until(() => aborted.length === 1, 1000);
});
