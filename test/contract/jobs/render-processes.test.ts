import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LeaseOwner } from '../../../src/jobs/index.js';
import { EventReader } from '../../support/event-source.js';
import { movie, type Service, type ServiceOptions, startService } from '../../support/service-in-process.js';

let folder: string;
let service: Service;
let key: string;
let accountId: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framewright-processes-'));
});
afterEach(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

async function start(options: ServiceOptions = {}): Promise<void> {
  service = await startService(options);
  ({ key, accountId } = await service.createKey({ credits: 100 }));
}
const submit = async (comment: string) => String((await service.call('POST', '/api/render', { key, body: movie(comment) })).body.job_id);
const jobOf = async (jobId: string) => (await service.call('GET', `/api/jobs/${jobId}`, { key })).body;
async function waitFor(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}
const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
const attempts = (): string[] => readFileSync(join(folder, 'log'), 'utf8').trim().split('\n');

describe('an idle render process', () => {
  it('yields processor time to the service', async () => {
    await start();
    expect(await service.waitForEnd(key, await submit(''))).toMatchObject({ status: 'completed' });
    const [pid = 0] = service.app.pool.pids;
    const below = constants.priority.PRIORITY_BELOW_NORMAL;
    expect(getPriority(pid)).toBe(below);
    const session = `/proc/${pid}/autogroup`;
    if (existsSync(session)) expect(readFileSync(session, 'utf8')).toMatch(new RegExp(` nice ${below}\\n`));
  });
});

describe('a render process that dies', () => {
  it('uses up one attempt of its job', async () => {
    await start();
    const jobId = await submit(`die-once log=${folder}/log`);
    expect(await service.waitForEnd(key, jobId)).toMatchObject({ status: 'completed', credits_used: 2 });
    expect(attempts()).toEqual([`${jobId} 1 false`, `${jobId} 2 false`]);
    expect(await service.balance(accountId)).toBe(98);
  });

  it('fails the job with a full refund the second time, and the next job runs', async () => {
    await start();
    const [bad, good] = [await submit(`die log=${folder}/log`), await submit('')];
    expect(await service.waitForEnd(key, bad)).toMatchObject({ status: 'failed', credits_used: 0, error: { code: 'RENDER_FAILED' } });
    expect(attempts().filter((line) => line.startsWith(bad))).toHaveLength(2);
    expect(await service.waitForEnd(key, good)).toMatchObject({ status: 'completed' });
    expect(await service.balance(accountId)).toBe(98);
  });

  it('uses up no attempt if it dies before it acknowledges the job', async () => {
    await start({ timing: { restartMaxMs: 10 } });
    const jobId = await submit(`unbegun=3 deaths=${folder}/deaths die-once log=${folder}/log`);
    expect(await service.waitForEnd(key, jobId)).toMatchObject({ status: 'completed', credits_used: 2 });
    expect(attempts()).toEqual([`${jobId} 1 false`, `${jobId} 2 false`]);
    expect(readFileSync(join(folder, 'deaths'), 'utf8')).toBe('...');
  });

  it('leaves no child process, and progress streams of the job continue', async () => {
    await start();
    const jobId = await submit(`ms=400 child=${folder}/child`);
    const reader = await EventReader.open(`${service.app.address}/api/jobs/${jobId}/progress`, { 'x-api-key': key });
    await reader.readUntil(({ events }) => events.some((event) => event.fields.stage === 'rendering_scene_1'));
    const [pid] = service.app.pool.pids;
    const child = Number(readFileSync(join(folder, 'child'), 'utf8'));
    expect([pid !== undefined && isRunning(pid), isRunning(child)]).toEqual([true, true]);
    process.kill(pid ?? 0, 'SIGKILL');
    await waitFor(() => !isRunning(child));
    await reader.readToEnd();
    expect(reader.events.at(-1)?.event).toBe('complete');
    expect(service.app.pool.pids).not.toContain(pid);
  });
});

it('a silent render process is killed, and its job fails the second time', async () => {
  await start({ timing: { silentMs: 400 } });
  const jobId = await submit('hang');
  expect(await service.waitForEnd(key, jobId)).toMatchObject({ status: 'failed', error: { code: 'RENDER_FAILED' } });
  expect(await service.waitForEnd(key, await submit(''))).toMatchObject({ status: 'completed' });
});

it('a slow render process is not killed', async () => {
  await start({ timing: { silentMs: 400 } });
  expect(await service.waitForEnd(key, await submit('ms=1500'))).toMatchObject({ status: 'completed' });
});

describe('a lost lease', () => {
  /** Another service takes the job, and this one notices at its next renewal. */
  async function loseLease(jobId: string): Promise<void> {
    await waitFor(async () => Number((await jobOf(jobId)).progress) > 0.1);
    await service.app.db
      .updateTable('jobs')
      .set({ lease_owner: new LeaseOwner('another host').createId(), lease_expires_at: '2999-01-01T00:00:00.000Z' })
      .where('id', '=', jobId)
      .execute();
    await waitFor(() => service.log.some((line) => line.includes('the lease of a job is lost')));
  }

  it('cancels the render, and the process goes on with the next job', async () => {
    await start();
    const { pids } = service.app.pool;
    const lost = await submit('ms=60000');
    await loseLease(lost);
    expect(await service.waitForEnd(key, await submit(''))).toMatchObject({ status: 'completed' });
    expect(service.app.pool.pids).toEqual(pids);
    expect(service.log.filter((line) => line.includes('a render process stopped'))).toEqual([]);
    // It left the job to its new owner, and nothing of its own.
    expect(await jobOf(lost)).toMatchObject({ status: 'processing' });
    await expect.poll(() => readdir(join(service.dataDir, 'work')), { timeout: 20_000 }).toEqual([]);
  });

  it('kills a process that does not stop rendering in time', async () => {
    await start({ timing: { cancelMs: 500 } });
    const { pids } = service.app.pool;
    await loseLease(await submit('deaf ms=60000'));
    expect(await service.waitForEnd(key, await submit(''))).toMatchObject({ status: 'completed' });
    expect(service.app.pool.pids).not.toEqual(pids);
  });
});

it('a missing output file fails the job with a refund', async () => {
  await start();
  expect(await service.waitForEnd(key, await submit('no-file'))).toMatchObject({ status: 'failed', credits_used: 0, error: { code: 'INTERNAL_ERROR' } });
  expect(await service.balance(accountId)).toBe(100);
});

it('a render process that cannot start does not affect the service or the queue', async () => {
  await start({ workerPath: join(folder, 'missing.mjs') });
  const jobId = await submit('');
  await waitFor(() => service.log.filter((line) => line.includes('a render process stopped')).length >= 3);
  expect(await jobOf(jobId)).toMatchObject({ status: 'queued' });
});

describe('the cost of the plan', () => {
  it.each([
    ['less', 1, 99],
    ['the same', 2, 98],
    ['more', 60, 40],
  ])('of %s than the estimate is what is paid', async (_name, planned, balance) => {
    await start();
    expect(await service.waitForEnd(key, await submit(`planned=${planned}`))).toMatchObject({
      status: 'completed',
      estimated_credits: 2,
      credits_used: planned,
    });
    expect(await service.balance(accountId)).toBe(balance);
  });

  it('fails the job if it exceeds the balance, and the process continues with the next job', async () => {
    await start();
    const [dear, next] = [await submit('planned=101'), await submit('')];
    const job = await service.waitForEnd(key, dear);
    expect(job).toMatchObject({
      status: 'failed',
      credits_used: 0,
      error: { code: 'INSUFFICIENT_CREDITS', message: expect.stringContaining('balance does not cover') },
    });
    const pids = service.app.pool.pids;
    expect(await service.waitForEnd(key, next)).toMatchObject({ status: 'completed' });
    expect(service.app.pool.pids).toEqual(pids);
    expect(await service.balance(accountId)).toBe(98);
  });
});

describe('the sandbox', () => {
  it('runs whole jobs for free, even without credits', async () => {
    await start();
    const sandbox = await service.createKey({ account: 'poor', mode: 'test', credits: 0 });
    const accepted = await service.call('POST', '/api/render', { key: sandbox.key, body: movie('', 7) });
    expect(accepted.body).toMatchObject({ status: 'queued', estimated_credits: 7, credits_remaining: 0 });
    const job = await service.waitForEnd(sandbox.key, String(accepted.body.job_id));
    expect(job).toMatchObject({ status: 'completed', credits_used: 0, estimated_credits: 7 });
    expect(await (await fetch(String(job.output_uri))).text()).toMatch(/^mock/);
    expect((await service.call('POST', '/api/render', { key: sandbox.key, body: {} })).status).toBe(400);
  });

  it('does not wait for live renders', async () => {
    await start();
    await submit('ms=60000');
    const sandbox = await service.createKey({ mode: 'test', credits: 0 });
    const { body } = await service.call('POST', '/api/render', { key: sandbox.key, body: movie() });
    expect(await service.waitForEnd(sandbox.key, String(body.job_id))).toMatchObject({ status: 'completed' });
  });
});

it('a render process gets no secrets of the service', async () => {
  await start({ environment: { AWS_SECRET_ACCESS_KEY: 'hidden', DATABASE_URL: `file:${folder}/elsewhere.db` } });
  await service.waitForEnd(key, await submit(`env=${folder}/env`));
  const environment = JSON.parse(readFileSync(join(folder, 'env'), 'utf8')) as Record<string, string>;
  expect(Object.keys(environment)).toContain('FRAMEWRIGHT_DATA_DIR');
  expect(JSON.stringify(environment)).not.toMatch(/hidden|elsewhere/);
});

describe('stopping and starting', () => {
  it('finishes the running job', async () => {
    const dataDir = join(folder, 'data');
    await start({ dataDir });
    const jobId = await submit('ms=600');
    await waitFor(async () => (await jobOf(jobId)).status === 'processing');
    const { pids } = service.app.pool;
    await service.stop(10_000);
    expect(pids.some(isRunning)).toBe(false);
    service = await startService({ dataDir, workers: 0 });
    expect(await jobOf(jobId)).toMatchObject({ status: 'completed' });
  });

  it('requeues a job that does not finish in time, without counting the attempt', async () => {
    const dataDir = join(folder, 'data');
    await start({ dataDir });
    const comment = `ms=1000 log=${folder}/log`;
    const jobId = await submit(comment);
    for (let round = 0; round < 2; round += 1) {
      await waitFor(async () => Number((await jobOf(jobId)).progress) > 0.1);
      await service.stop(50);
      expect(await readdir(join(dataDir, 'work'))).toEqual([]);
      service = await startService({ dataDir });
    }
    expect(await service.waitForEnd(key, jobId)).toMatchObject({ status: 'completed', credits_used: 2 });
    expect(attempts()).toEqual(Array(3).fill(`${jobId} 1 false`));
    expect(await service.balance(accountId)).toBe(98);
  });

  it('stops at once when the grace period is skipped, before or during the stop', async () => {
    const dataDir = join(folder, 'data');
    let jobId = '';
    for (const early of [true, false]) {
      await start({ dataDir });
      // The second round renders the job that the first released.
      jobId ||= await submit('ms=60000');
      await waitFor(async () => (await jobOf(jobId)).status === 'processing');
      const started = performance.now();
      if (early) service.app.pool.skipGracePeriod();
      const stopped = service.stop(30_000);
      if (!early) setTimeout(() => service.app.pool.skipGracePeriod(), 100);
      await stopped;
      expect(performance.now() - started).toBeLessThan(3000);
    }
    service = await startService({ dataDir, workers: 0 });
  });

  it('resumes the jobs of a killed service at once', async () => {
    const dataDir = join(folder, 'data');
    await start({ dataDir, workers: 0 });
    const jobId = await submit('');
    const gone = new LeaseOwner(undefined, 2 ** 22 + 1).createId();
    await service.app.db
      .updateTable('jobs')
      .set({ status: 'processing', attempts: 1, lease_owner: gone, lease_expires_at: '2999-01-01T00:00:00.000Z', output_name: 'left-over.mp4' })
      .execute();
    await service.stop();
    service = await startService({ dataDir });
    expect(await service.waitForEnd(key, jobId)).toMatchObject({ status: 'completed' });
  });
});

it('200 concurrent submissions never overdraw the balance or exceed the concurrency', async () => {
  await start({ workers: 0 });
  const many = await service.createKey({ account: 'many', credits: 61, limits: { requestsPerMinute: 1000, concurrentJobs: 25 } });
  const poor = await service.createKey({ account: 'poor', credits: 31, limits: { requestsPerMinute: 1000, concurrentJobs: 100 } });
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => service.call('POST', '/api/render', { key: index % 2 === 0 ? many.key : poor.key, body: movie() })),
  );
  const count = (code: string) => answers.filter((answer) => (answer.body.error?.code ?? 'accepted') === code).length;
  expect([count('accepted'), count('CONCURRENCY_LIMIT_EXCEEDED'), count('INSUFFICIENT_CREDITS')]).toEqual([25 + 15, 75, 85]);
  expect([await service.balance(many.accountId), await service.balance(poor.accountId)]).toEqual([11, 1]);
});
