import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DeliveryRunner, DeliveryStore, type Sender } from '../../../../src/delivery/outbox/index.js';
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
/** What the sender does. */
let send: Sender['send'];

beforeEach(async () => {
  accounting = await openTestAccounts();
  const { db, clock } = accounting;
  store = new DeliveryStore(db, clock, new LeaseOwner('host-1', 1));
  sent = [];
  aborted = [];
  send = async ({ jobId }, signal) => {
    sent.push(jobId);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    aborted.push(jobId);
    signal.throwIfAborted();
  };
  const sender = {
    policy,
    limits: { total: 3, perAccount: 2, perHost: Number.POSITIVE_INFINITY },
    countsStoppedRuns: false,
    send: ((...sending) => send(...sending)) as Sender['send'],
  };
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

it('does not count runs that cannot send because the database is unavailable', async () => {
  await completeJobs('acme', 1);
  const outages = 5;
  send = async ({ jobId, deliveries }, _signal, record) => {
    sent.push(jobId);
    if (sent.length <= outages) throw new DatabaseUnavailableError('connection refused');
    for (const { ordinal } of deliveries) await record(ordinal, { status: 'delivered', attempts: 1, message: '' });
  };
  runner.start();
  await until(() => sent.length > outages);
  await until(async () => (await rows()).every(({ holder }) => holder === null));
  expect(await rows()).toEqual([expect.objectContaining({ runs: 1 }), expect.objectContaining({ runs: 1 })]);
  const states = await accounting.db.selectFrom('deliveries').select('status').execute();
  expect(states).toEqual([{ status: 'delivered' }, { status: 'delivered' }]);
});

it('releases a run after an outage once, also when the answer to the first release was lost', async () => {
  await completeJobs('acme', 1);
  const release = store.release.bind(store);
  let releases = 0;
  vi.spyOn(store, 'release').mockImplementation(async (claim, isUncounted) => {
    await release(claim, isUncounted);
    releases += 1;
    if (releases === 1) throw new DatabaseUnavailableError('connection reset');
  });
  runner.start();
  await until(() => sent.length === 1);
  vi.spyOn(store, 'listDue').mockResolvedValue([]);
  accounting.clock.advance(401);
  vi.spyOn(store, 'renew').mockRejectedValue(new DatabaseUnavailableError('connection refused'));
  await until(() => releases === 2);
  const free = { runs: 0, token: 1, holder: null };
  expect(await rows()).toEqual([free, free]);
});

it('claims again at once when the answer to its claim was lost', async () => {
  const [jobId = ''] = await completeJobs('acme', 1);
  const claim = store.claim.bind(store);
  vi.spyOn(accounting.db, 'transaction').mockImplementationOnce(() => {
    vi.mocked(accounting.db.transaction).mockRestore();
    const builder = accounting.db.transaction();
    const execute = builder.execute.bind(builder);
    builder.execute = async (work) => {
      await execute(work);
      throw new DatabaseUnavailableError('connection reset');
    };
    return builder;
  });
  await expect(claim(policy, jobId)).rejects.toThrow('connection reset');
  expect(await store.claim(policy, jobId)).toMatchObject({ claim: { token: 2 } });
});
