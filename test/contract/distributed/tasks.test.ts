import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ClaimKey, TaskStore } from '../../../src/distributed/queue/task-store.js';
import { type Claimed, startTaskFarm, type TaskFarm } from '../../support/task-farm.js';

let farm: TaskFarm;
beforeAll(async () => {
  farm = await startTaskFarm();
});
beforeEach(() => farm.clear());
afterAll(() => farm?.stop());

const rows = (jobId: string) =>
  farm.db.selectFrom('tasks').select(['kind', 'segment', 'open_segments', 'claim', 'host_losses']).where('job_id', '=', jobId).orderBy('segment').execute();
const jobOf = (jobId: string) => farm.db.selectFrom('jobs').select(['status', 'progress', 'lease_owner']).where('id', '=', jobId).executeTakeFirstOrThrow();

describe('a movie', () => {
  it('is planned, rendered in segments, stitched and removed', async () => {
    const jobId = await farm.submit('acme');
    await farm.plan('run', 3);
    expect(await rows(jobId)).toHaveLength(4);
    const segments = [await farm.claim(), await farm.claim(), await farm.claim()];
    expect(segments.map((task) => [task?.kind, task?.run, JSON.parse(task?.plan ?? '').index])).toEqual([
      ['segment', 'run', 0],
      ['segment', 'run', 1],
      ['segment', 'run', 2],
    ]);
    expect(await farm.claim()).toBeUndefined();
    const left = [];
    for (const task of segments) left.push((await farm.complete(task))?.openSegments);
    expect(left).toEqual([2, 1, 0]);
    expect((await jobOf(jobId)).progress).toBeCloseTo(0.3);
    const stitch = await farm.claim();
    expect(stitch).toMatchObject({ jobId, kind: 'stitch' });
    await farm.leases.complete(jobId, '@farm|run|first', { durationSeconds: 1, warnings: [], sizeBytes: 1 });
    // Its objects are deleted next.
    expect((await rows(jobId)).map(({ kind }) => kind)).toEqual(['cleanup']);
    expect(await farm.claim()).toBeUndefined();
    await farm.tasks.removeEnded(jobId);
    expect(await rows(jobId)).toEqual([]);
  });

  it('is ready once, however many hosts end its last segments at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const jobId = await farm.submit('acme');
      await farm.plan(`run${round}`, 12);
      const segments = await Promise.all(Array.from({ length: 12 }, () => farm.claim()));
      expect(new Set(segments.map((task) => task?.id)).size).toBe(12);
      const ends = await Promise.all(segments.map((task) => farm.complete(task)));
      expect(ends.map((end) => end?.openSegments).sort((a = 0, b = 0) => a - b)).toEqual(Array.from({ length: 12 }, (_none, left) => left));
      expect(await farm.claim()).toMatchObject({ jobId, kind: 'stitch' });
      expect(await farm.claim()).toBeUndefined();
      expect((await jobOf(jobId)).progress).toBeCloseTo(0.97);
    }
  });

  it('without missing segments is stitched at once', async () => {
    const jobId = await farm.submit('acme');
    await farm.plan('run', 0);
    expect(await farm.claim()).toMatchObject({ jobId, kind: 'stitch' });
  });

  it('that fails loses its segments, and a host that still renders one cannot end it', async () => {
    const jobId = await farm.submit('acme');
    await farm.plan('run', 3);
    const segment = await farm.claim();
    await farm.leases.fail(jobId, '@farm|run|first', { code: 'RENDER_FAILED', message: 'It failed.' });
    expect((await rows(jobId)).map(({ kind }) => kind)).toEqual(['cleanup']);
    expect(await farm.complete(segment)).toBeUndefined();
    expect(await jobOf(jobId)).toMatchObject({ status: 'failed' });
  });

  it('that is queued again is planned again', async () => {
    const jobId = await farm.submit('acme');
    await farm.plan('run', 3);
    const segment = await farm.claim();
    await farm.leases.release(jobId, '@farm|run|first');
    expect(await farm.complete(segment)).toBeUndefined();
    expect(await rows(jobId)).toEqual([{ kind: 'plan', segment: -1, open_segments: 0, claim: null, host_losses: 0 }]);
    await farm.plan('next', 1);
    expect(await farm.claim()).toMatchObject({ run: 'next' });
  });

  it('that is queued again while a host queues its segments keeps none of them', async () => {
    const jobId = await farm.submit('acme');
    const movie = await farm.claim();
    await farm.leases.claimJob(jobId, '@farm|run|first', (id) => `${id}.mp4`);
    const range = { first: 0, end: 1 };
    const segment = { kind: 'picture' as const, stage: 'rendering', weight: 1, share: 1, packets: '', sources: [], document: '', range, index: 0 };
    let released: Promise<unknown> | undefined;
    await farm.db.transaction().execute(async (trx) => {
      expect(await new TaskStore(trx).queueSegments(movie?.key as ClaimKey, 'run', 'one', [segment])).toBe(true);
      released = farm.leases.release(jobId, '@farm|run|first');
      await sleep(300);
    });
    await released;
    expect(await rows(jobId)).toEqual([{ kind: 'plan', segment: -1, open_segments: 0, claim: null, host_losses: 0 }]);
  });

  it('that is restarted for another encoder drops the segments of the old run', async () => {
    const jobId = await farm.submit('acme');
    await farm.plan('run', 3);
    const segment = await farm.claim();
    await farm.db.transaction().execute((trx) => farm.tasks.restart(trx, jobId));
    expect(await farm.complete(segment)).toBeUndefined();
    expect(await farm.claim()).toMatchObject({ kind: 'stitch', jobId });
    expect(await farm.claim()).toBeUndefined();
  });
});

describe('a claim', () => {
  it('is given to one host, however many ask', async () => {
    await farm.submit('acme');
    await farm.plan('run', 40);
    const claimed: Claimed[] = [];
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let task = await farm.claim(); task !== undefined; task = await farm.claim()) claimed.push(task);
      }),
    );
    expect(claimed).toHaveLength(40);
    expect(new Set(claimed.map(({ id }) => id)).size).toBe(40);
  });

  it('that expired is taken over, and its host can change nothing any more', async () => {
    const jobId = await farm.submit('acme');
    await farm.plan('run', 1);
    const stale = await farm.claim('one', 1);
    await sleep(20);
    expect(await farm.tasks.recoverExpired()).toBe(1);
    const next = await farm.claim();
    expect(next).toMatchObject({ id: stale?.id, hostLosses: 1 });
    expect(await farm.complete(stale)).toBeUndefined();
    await farm.tasks.requeue(stale?.key as Claimed['key'], { isFailure: true });
    await farm.tasks.remove(stale?.key as Claimed['key']);
    expect(await farm.tasks.renew([stale?.key.claim ?? '', next?.key.claim ?? ''], 60_000)).toEqual([next?.key.claim]);
    expect((await rows(jobId)).at(-1)).toMatchObject({ kind: 'segment', claim: next?.key.claim });
    expect(await farm.complete(next)).toMatchObject({ openSegments: 0 });
    // Also after the task has ended.
    expect(await farm.complete(stale)).toBeUndefined();
  });

  it('of a movie that expired cannot queue segments', async () => {
    await farm.submit('acme');
    const stale = await farm.claim('one', 1);
    await sleep(20);
    await farm.tasks.recoverExpired();
    expect(await farm.tasks.queueSegments(stale?.key as Claimed['key'], 'run', 'one', [])).toBe(false);
  });

  it('lasts as long as it is renewed', async () => {
    await farm.submit('acme');
    const task = await farm.claim('one', 300);
    for (let round = 0; round < 4; round += 1) {
      await sleep(150);
      expect(await farm.tasks.renew([task?.key.claim ?? ''], 300)).toHaveLength(1);
      expect(await farm.tasks.recoverExpired()).toBe(0);
    }
    await sleep(400);
    expect(await farm.tasks.recoverExpired()).toBe(1);
  });

  it('is not lost to a renewal that meets a locked row', async () => {
    await farm.submit('acme');
    const task = await farm.claim();
    await farm.db.transaction().execute(async (trx) => {
      await trx
        .selectFrom('tasks')
        .select('id')
        .where('id', '=', task?.id ?? 0)
        .forUpdate()
        .execute();
      expect(await farm.tasks.renew([task?.key.claim ?? ''], 60_000)).toHaveLength(1);
    });
  });

  it('of a failed attempt is retried after a delay', async () => {
    await farm.submit('acme');
    await farm.plan('run', 1);
    const first = await farm.claim();
    await farm.tasks.requeue(first?.key as Claimed['key'], { isFailure: true, delayMs: 300 });
    expect(await farm.claim()).toBeUndefined();
    await sleep(350);
    expect(await farm.claim()).toMatchObject({ failures: 1, hostLosses: 0 });
  });

  it('of a segment goes to hosts of its group only', async () => {
    await farm.submit('acme');
    await farm.plan('run', 2, 'with-card');
    expect(await farm.claim('without')).toBeUndefined();
    expect(await farm.claim('with-card')).toMatchObject({ kind: 'segment' });
  });
});

describe('the fair order', () => {
  const account = async (jobId: string | undefined): Promise<string> =>
    (
      await farm.db
        .selectFrom('jobs')
        .innerJoin('accounts', 'accounts.id', 'jobs.account_id')
        .select('accounts.name')
        .where('jobs.id', '=', jobId ?? '')
        .executeTakeFirstOrThrow()
    ).name;

  it('serves an account with few movies as often as one with a backlog', async () => {
    for (let order = 0; order < 30; order += 1) await farm.submit('many', 5);
    for (let order = 0; order < 10; order += 1) await farm.submit('few', 5);
    const served: string[] = [];
    for (let order = 0; order < 20; order += 1) {
      const task = await farm.claim();
      served.push(await account(task?.jobId));
      await farm.db
        .deleteFrom('tasks')
        .where('id', '=', task?.id ?? 0)
        .execute();
    }
    expect(served.filter((name) => name === 'few')).toHaveLength(10);
  });

  it('puts another account between the segments of a long movie', async () => {
    const long = await farm.submit('many', 3600);
    await farm.plan('long', 36);
    const running = [await farm.claim(), await farm.claim()];
    expect(running.every((task) => task?.jobId === long)).toBe(true);
    const short = await farm.submit('few', 10);
    expect(await farm.claim()).toMatchObject({ jobId: short, kind: 'plan' });
  });

  it('does not let a newcomer catch up with the past of the others', async () => {
    await farm.submit('many', 1000);
    await farm.plan('long', 10);
    for (let segment = 0; segment < 8; segment += 1) await farm.complete(await farm.claim());
    const running = await farm.claim();
    const shorts: string[] = [];
    for (let order = 0; order < 5; order += 1) shorts.push(await farm.submit('few', 100));
    await farm.complete(running);
    const next = [await farm.claim(), await farm.claim(), await farm.claim()];
    // The first short movie, the last segment and the second short movie have about the same tag; the other three wait.
    expect(next.map((task) => task?.jobId === shorts[0] || task?.jobId === shorts[1] || task?.kind === 'segment')).toEqual([true, true, true]);
    expect(next.filter((task) => task?.kind === 'segment')).toHaveLength(1);
  });

  it('stitches a movie before the account begins the next one', async () => {
    const first = await farm.submit('acme');
    await farm.submit('acme');
    await farm.plan('run', 1);
    await farm.complete(await farm.claim());
    expect(await farm.claim()).toMatchObject({ jobId: first, kind: 'stitch' });
  });
});

describe('maintenance', () => {
  const times = (): Parameters<TaskFarm['maintenance']['reconcile']>[0] => {
    const at = (ms: number): string => new Date(Date.now() + ms).toISOString();
    return { now: at(0), leaseExpiresAt: at(75_000), renewBefore: at(40_000) };
  };

  it('gives queued jobs of other programs a task, and continues movies whose queue was lost', async () => {
    const [queued, lost, alive] = [await farm.submit('acme'), await farm.submit('acme'), await farm.submit('acme')];
    await farm.db.deleteFrom('tasks').execute();
    for (const jobId of [lost, alive]) await farm.leases.claimJob(jobId, '@farm|run|claim', (id) => `${id}.mp4`);
    await farm.db.updateTable('jobs').set({ lease_expires_at: '2020-01-01T00:00:00.000Z' }).where('id', '=', lost).execute();
    expect(await farm.maintenance.reconcile(times())).toBe(2);
    expect(await farm.maintenance.reconcile(times())).toBe(0);
    expect((await Promise.all([queued, lost, alive].map(rows))).map((all) => all.map(({ kind }) => kind))).toEqual([['plan'], ['stitch'], []]);
  });

  it('renews the leases of movies that wait for hosts', async () => {
    const jobId = await farm.submit('acme');
    await farm.plan('run', 2);
    await farm.db.updateTable('jobs').set({ lease_expires_at: '2020-01-01T00:00:00.000Z' }).execute();
    await farm.maintenance.reconcile(times());
    const { lease_expires_at: at } = await farm.db.selectFrom('jobs').select('lease_expires_at').where('id', '=', jobId).executeTakeFirstOrThrow();
    expect(Date.parse(at ?? '')).toBeGreaterThan(Date.now() + 60_000);
  });

  it('ends the tasks of jobs that another program ended', async () => {
    const jobId = await farm.submit('acme');
    await farm.plan('run', 2);
    await farm.db.updateTable('jobs').set({ status: 'failed' }).where('id', '=', jobId).execute();
    await farm.maintenance.reconcile(times());
    expect((await rows(jobId)).map(({ kind }) => kind)).toEqual(['cleanup']);
    expect(await farm.maintenance.listEnded()).toEqual([jobId]);
  });

  it('plans movies that a program without tasks has queued again, without their segments', async () => {
    const jobId = await farm.submit('acme');
    await farm.plan('run', 2);
    const segment = await farm.claim();
    await farm.db.updateTable('jobs').set({ status: 'queued', lease_owner: null }).where('id', '=', jobId).execute();
    expect(await farm.complete(segment)).toBeUndefined();
    await farm.maintenance.reconcile(times());
    expect(await rows(jobId)).toEqual([{ kind: 'plan', segment: -1, open_segments: 0, claim: null, host_losses: 0 }]);
  });

  it('finds movies whose hosts are gone once hosts of another group are there', async () => {
    const jobId = await farm.submit('acme');
    const { owner } = await farm.plan('run', 2, 'gone');
    await sleep(120);
    expect(await farm.maintenance.listOrphaned(100)).toEqual([]);
    const host = { host: '{}', seen_at: new Date() };
    await farm.db
      .insertInto('render_hosts')
      .values({ id: 'other', host_group: 'other', ...host })
      .execute();
    expect(await farm.maintenance.listOrphaned(100)).toEqual([{ jobId, leaseOwner: owner, group: 'gone' }]);
    expect(await farm.maintenance.listOrphaned(60_000)).toEqual([]);
    await farm.db
      .insertInto('render_hosts')
      .values({ id: 'back', host_group: 'gone', ...host })
      .execute();
    expect(await farm.maintenance.listOrphaned(5000)).toEqual([]);
  });
});
