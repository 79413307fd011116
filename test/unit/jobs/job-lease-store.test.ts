import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JobLeaseStore, JobStore, LeaseLostError, LeaseOwner } from '../../../src/jobs/index.js';
import { openTestAccounts, type TestAccounts } from '../../support/accounting.js';

let books: TestAccounts;
let accountId: string;
let jobs: JobStore;
let leases: JobLeaseStore;
beforeEach(async () => {
  books = await openTestAccounts();
  ({ accountId } = await books.accounts.createKey({ accountName: 'acme', plan: 'enterprise', mode: 'live', credits: 100 }));
  jobs = new JobStore(books.db, books.clock);
  leases = new JobLeaseStore(books.db, books.clock, 60_000);
});
afterEach(async () => {
  expect(await books.imbalances()).toEqual([]);
  await books.close();
});

const submit = (over: { mode?: 'live' | 'test'; credits?: number; concurrentJobs?: number } = {}) =>
  jobs.submit({
    caller: { accountId, mode: over.mode ?? 'live', limits: { requestsPerMinute: 1, concurrentJobs: over.concurrentJobs ?? 50 } },
    script: { scenes: [] },
    estimatedCredits: over.credits ?? 10,
  });
const claim = (owner: string, mode: 'live' | 'test' = 'live') => leases.claim(mode, owner, (id) => `${id}.mp4`);
const balance = async () => (await books.db.selectFrom('accounts').select('balance').where('id', '=', accountId).executeTakeFirstOrThrow()).balance;
const output = { durationSeconds: 9.5, sizeBytes: 77, warnings: ['a font is missing'] };

it('leases jobs oldest first, each once, to processes of the right kind', async () => {
  const [first, second, sandbox] = [await submit(), await submit(), await submit({ mode: 'test' })];
  const oldest = await claim('a');
  const both = await Promise.all([claim('b'), claim('c')]);
  expect(oldest?.jobId).toBe(first.jobId);
  // Either of two concurrent claims may win.
  expect(both.flatMap((job) => job?.jobId ?? [])).toEqual([second.jobId]);
  expect(oldest).toMatchObject({ attempt: 1, script: { scenes: [] }, accountId, mode: 'live' });
  expect((await claim('d', 'test'))?.jobId).toBe(sandbox.jobId);
});

it('alternates between accounts and prefers those without running jobs', async () => {
  const other = await books.accounts.createKey({ accountName: 'other', plan: 'enterprise', mode: 'live', credits: 100 });
  const third = await books.accounts.createKey({ accountName: 'third', plan: 'enterprise', mode: 'live', credits: 100 });
  const mine = [await submit(), await submit(), await submit()];
  const submitFor = (account: string) =>
    jobs.submit({ caller: { accountId: account, mode: 'live', limits: { requestsPerMinute: 1, concurrentJobs: 9 } }, script: {}, estimatedCredits: 1 });
  const others = [await submitFor(other.accountId), await submitFor(other.accountId)];
  const thirds = [await submitFor(third.accountId)];
  const taken: Array<string | undefined> = [];
  // With one render process, each job ends before the next is claimed.
  for (let turn = 0; turn < 4; turn += 1) {
    const job = await claim('a');
    taken.push(job?.jobId);
    await leases.complete(job?.jobId ?? '', 'a', output);
  }
  expect(taken).toEqual([mine[0], others[0], thirds[0], mine[1]].map((job) => job?.jobId));
  // With two, accounts without a running job come first.
  expect((await claim('b'))?.jobId).toBe(others[1]?.jobId);
  const late = await submitFor(third.accountId);
  await submitFor(other.accountId);
  expect([(await claim('c'))?.jobId, (await claim('d'))?.jobId]).toEqual([late.jobId, mine[2]?.jobId]);
});

it('does not take a lease that is renewed while expired ones are recovered', async () => {
  const { jobId } = await submit();
  await claim('a');
  books.clock.advance(60_001);
  let renewing: Promise<boolean> | undefined;
  const recovered = await leases.recoverExpired(
    () => false,
    (owner) => {
      // Called between the query and the lock.
      renewing = leases.renew(jobId, owner, 0.5, 'x');
      return false;
    },
  );
  expect(await renewing).toBe(true);
  expect(recovered).toEqual([]);
  await leases.complete(jobId, 'a', output);
});

it('refuses changes of a job without its lease', async () => {
  const { jobId } = await submit();
  await claim('a');
  expect(await leases.renew(jobId, 'b', 0.5, 'x')).toBe(false);
  for (const change of [
    () => leases.settle(jobId, 'b', 1),
    () => leases.complete(jobId, 'b', output),
    () => leases.fail(jobId, 'b', { code: 'RENDER_FAILED', message: '' }),
    () => leases.interrupt(jobId, 'b'),
    () => leases.release(jobId, 'b'),
  ]) {
    await expect(change()).rejects.toBeInstanceOf(LeaseLostError);
  }
  await leases.complete(jobId, 'a', output);
  await expect(leases.fail(jobId, 'a', { code: 'RENDER_FAILED', message: '' })).rejects.toBeInstanceOf(LeaseLostError);
});

it('shows the states and progress of a job', async () => {
  const { jobId } = await submit();
  expect(await jobs.find(accountId, jobId)).toMatchObject({
    status: 'queued',
    progress: 0,
    stage: null,
    creditsUsed: null,
    outputName: null,
    finishedAt: null,
  });
  await claim('a');
  await leases.renew(jobId, 'a', 0.4, 'rendering_scene_1');
  expect(await jobs.find(accountId, jobId)).toMatchObject({ status: 'processing', progress: 0.4, stage: 'rendering_scene_1', outputName: null });
  await leases.complete(jobId, 'a', output);
  expect(await jobs.find(accountId, jobId)).toMatchObject({
    status: 'completed',
    progress: 1,
    stage: 'complete',
    creditsUsed: 10,
    durationSeconds: 9.5,
    sizeBytes: 77,
    outputName: `${jobId}.mp4`,
  });
  expect(await jobs.find('acc_other', jobId)).toBeUndefined();
});

describe('settlement of credits', () => {
  it('refunds the difference if the plan is cheaper', async () => {
    const { jobId } = await submit({ credits: 10 });
    await claim('a');
    expect(await leases.settle(jobId, 'a', 4)).toBeUndefined();
    expect(await balance()).toBe(96);
    expect((await leases.complete(jobId, 'a', output)).creditsUsed).toBe(4);
  });

  it('debits the difference before rendering if the plan is dearer', async () => {
    const { jobId } = await submit({ credits: 10 });
    await claim('a');
    expect(await leases.settle(jobId, 'a', 100)).toBeUndefined();
    expect(await balance()).toBe(0);
    expect((await leases.complete(jobId, 'a', output)).creditsUsed).toBe(100);
  });

  it('refunds in full if the balance does not cover the plan', async () => {
    const { jobId } = await submit({ credits: 10 });
    await claim('a');
    const failed = await leases.settle(jobId, 'a', 101);
    expect(failed).toMatchObject({ status: 'failed', creditsUsed: 0, failure: { code: 'INSUFFICIENT_CREDITS' } });
    expect(failed?.failure?.message).toContain('101 credits, 91 more than estimated');
    expect(await balance()).toBe(100);
  });

  it('settles again for a second attempt', async () => {
    const { jobId } = await submit({ credits: 10 });
    await claim('a');
    await leases.settle(jobId, 'a', 12);
    await leases.interrupt(jobId, 'a');
    await claim('b');
    await leases.settle(jobId, 'b', 12);
    await leases.settle(jobId, 'b', 3);
    expect(await balance()).toBe(97);
    await leases.fail(jobId, 'b', { code: 'RENDER_FAILED', message: 'x' });
    expect(await balance()).toBe(100);
  });

  it('is skipped in the sandbox', async () => {
    const accepted = await submit({ mode: 'test', credits: 5000 });
    expect(accepted).toMatchObject({ estimatedCredits: 5000, creditsRemaining: 100 });
    await claim('a', 'test');
    expect(await leases.settle(accepted.jobId, 'a', 9000)).toBeUndefined();
    expect((await leases.complete(accepted.jobId, 'a', output)).creditsUsed).toBe(0);
    expect(await balance()).toBe(100);
  });
});

describe('refused submissions', () => {
  it('name the required credits and the balance and change nothing', async () => {
    await expect(submit({ credits: 101 })).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS', fields: { required: 101, balance: 100 } });
    expect(await books.db.selectFrom('jobs').select('id').execute()).toEqual([]);
  });

  it('report missing credits before the concurrency limit', async () => {
    await submit({ credits: 95, concurrentJobs: 1 });
    await expect(submit({ credits: 10, concurrentJobs: 1 })).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
    await expect(submit({ credits: 5, concurrentJobs: 1 })).rejects.toMatchObject({ code: 'CONCURRENCY_LIMIT_EXCEEDED' });
    expect(await balance()).toBe(5);
  });
});

describe('lost render processes', () => {
  it('requeue a job once, then fail it', async () => {
    const { jobId } = await submit();
    await claim('a');
    expect(await leases.interrupt(jobId, 'a')).toMatchObject({ job: { status: 'queued', progress: 0 }, orphanedOutput: `${jobId}.mp4` });
    expect(await claim('b')).toMatchObject({ jobId, attempt: 2 });
    expect(await leases.interrupt(jobId, 'b')).toMatchObject({ job: { status: 'failed', failure: { code: 'RENDER_FAILED' } } });
    expect(await balance()).toBe(100);
  });

  it('are detected when their lease expires', async () => {
    const { jobId } = await submit();
    await claim('a');
    books.clock.advance(59_000);
    expect(await leases.recoverExpired(() => false)).toEqual([]);
    await leases.renew(jobId, 'a', 0, 'x');
    books.clock.advance(59_000);
    expect(await leases.recoverExpired(() => false)).toEqual([]);
    books.clock.advance(2000);
    expect(await leases.recoverExpired(() => false)).toMatchObject([{ job: { id: jobId, status: 'queued' } }]);
    await expect(leases.complete(jobId, 'a', output)).rejects.toBeInstanceOf(LeaseLostError);
  });

  it('do not count if the service died with them', async () => {
    const { jobId } = await submit();
    for (let round = 1; round <= 5; round += 1) {
      expect(await claim(`owner ${round}`)).toMatchObject({ attempt: 1 });
      expect(await leases.recoverExpired(() => true)).toMatchObject([{ job: { id: jobId, status: 'queued' }, orphanedOutput: `${jobId}.mp4` }]);
    }
    await claim('a');
    await leases.interrupt(jobId, 'a');
    expect(await claim('b')).toMatchObject({ attempt: 2 });
    await leases.recoverExpired(() => true);
    expect(await claim('c')).toMatchObject({ attempt: 2 });
    expect(await leases.interrupt(jobId, 'c')).toMatchObject({ job: { status: 'failed' } });
  });

  it('do not count if the render process died before it started the job', async () => {
    const { jobId } = await submit();
    for (let round = 1; round <= 3; round += 1) {
      expect(await claim(`owner ${round}`)).toMatchObject({ attempt: 1 });
      expect(await leases.requeue(jobId, `owner ${round}`)).toMatchObject({ job: { id: jobId, status: 'queued' }, orphanedOutput: `${jobId}.mp4` });
    }
    await claim('a');
    await expect(leases.requeue(jobId, 'b')).rejects.toBeInstanceOf(LeaseLostError);
  });

  it('fail a job after 20 deaths of the service or of processes that had not started it', async () => {
    const { jobId } = await submit();
    for (let round = 1; round < 20; round += 1) {
      await claim(`owner ${round}`);
      const lost = round % 2 === 0 ? await leases.requeue(jobId, `owner ${round}`) : (await leases.recoverExpired(() => true))[0];
      expect(lost?.job.status).toBe('queued');
    }
    await claim('the last');
    const [last] = await leases.recoverExpired(() => true);
    expect(last?.job.failure).toEqual({
      code: 'RENDER_FAILED',
      message: 'The service stopped unexpectedly 20 times while it rendered this movie. Nothing was charged.',
    });
    expect(await balance()).toBe(100);
    expect(await leases.recoverExpired(() => true)).toEqual([]);
  });

  it('do not count if the job was released', async () => {
    const { jobId } = await submit();
    for (let round = 0; round < 5; round += 1) {
      expect(await claim(`owner ${round}`)).toMatchObject({ attempt: 1 });
      await leases.release(jobId, `owner ${round}`);
    }
  });
});

describe('LeaseOwner', () => {
  it('distinguishes its own claims, those of dead processes and those of other hosts and containers', () => {
    const here = new LeaseOwner('boot-1/1', process.pid);
    expect(here.isGone(here.createId())).toBe(false);
    expect(here.isGone(new LeaseOwner('boot-1/1', process.pid).createId())).toBe(true);
    expect(here.isGone(new LeaseOwner('boot-1/1', 1).createId())).toBe(false);
    expect(here.isGone(new LeaseOwner('boot-1/1', 2 ** 22 + 1).createId())).toBe(true);
    expect(here.isGone(new LeaseOwner('boot-1/2', 2 ** 22 + 1).createId())).toBe(false);
  });
});
