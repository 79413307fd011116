import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startKillableService } from '../../support/killable-service.js';
import { type PostgresProxy, startPostgresProxy } from '../../support/postgres-proxy.js';
import { createPostgresServer, type PostgresServer } from '../../support/postgres-server.js';
import { pause, startReceiver, until } from '../../support/receiver.js';
import { callAt, movie, type Service, startService } from '../../support/service-in-process.js';

let server: PostgresServer;
let proxy: PostgresProxy;
let service: Service;
let key: string;
let accountId: string;
beforeAll(async () => {
  server = await createPostgresServer();
});
afterAll(() => server.remove());
beforeEach(async () => {
  proxy = await startPostgresProxy(server.url);
  service = await startService({ environment: { DATABASE_URL: proxy.url, FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1' } });
  ({ key, accountId } = await service.createKey({ account: `account ${Math.random()}`, credits: 100 }));
});
afterEach(async () => {
  await service.stop();
  await proxy.close();
  await rm(service.dataDir, { recursive: true, force: true });
});

const submit = async (comment = ''): Promise<string> => {
  const { status, body } = await service.call('POST', '/api/render', { key, body: movie(comment) });
  expect(status).toBe(202);
  return body.job_id as string;
};
const attempts = async (jobId: string): Promise<{ attempts: number; interruptions: number }> =>
  service.app.db.selectFrom('jobs').select(['attempts', 'interruptions']).where('id', '=', jobId).executeTakeFirstOrThrow();

for (const fate of ['cut-before', 'cut-after'] as const) {
  it(`keeps the output of a paid job when the connection breaks at the commit of its completion (${fate})`, async () => {
    let cuts = 0;
    proxy.onCommit = (transaction) => {
      const isCompletion = transaction.includes('"duration_seconds" = ') && cuts === 0;
      if (isCompletion) cuts += 1;
      return isCompletion ? fate : 'pass';
    };
    const jobId = await submit();
    const job = await service.waitForEnd(key, jobId);
    await pause(500);
    expect(cuts).toBe(1);
    expect(job.status).toBe('completed');
    const output = await fetch(String(job.output_uri));
    expect(output.status).toBe(200);
    expect((await output.arrayBuffer()).byteLength).toBe(1000);
    expect(await service.balance(accountId)).toBe(98);
    expect(await attempts(jobId)).toEqual({ attempts: 1, interruptions: 0 });
  }, 60_000);
}

/** In the long form, two outages that failed a render when an attempt ended after 15 s without the database. */
const outagesMs = process.env.FRAMEWRIGHT_TEST_LONG === undefined ? [8000] : [36_000, 36_000];
const betweenMs = 5000;

it(`continues renders during database outages of ${outagesMs.map((ms) => ms / 1000).join(' and ')} s without counting an attempt`, async () => {
  const jobId = await submit(`ms=${outagesMs.reduce((sum, ms) => sum + ms + betweenMs, 5000)}`);
  await until(async () => (await service.call('GET', `/api/jobs/${jobId}`, { key })).body.stage === 'rendering_scene_1', 10_000);
  for (const outageMs of outagesMs) {
    proxy.cut();
    await pause(outageMs);
    proxy.restore();
    await pause(betweenMs);
  }
  const job = await service.waitForEnd(key, jobId);
  expect(job).toMatchObject({ status: 'completed', credits_used: 2 });
  expect(await attempts(jobId)).toEqual({ attempts: 1, interruptions: 0 });
  expect((await fetch(String(job.output_uri))).status).toBe(200);
}, 240_000);

it('stores the outcome of a render that ends during an outage', async () => {
  const jobId = await submit('ms=1500');
  await until(async () => (await service.call('GET', `/api/jobs/${jobId}`, { key })).body.stage === 'rendering_scene_1', 10_000);
  proxy.cut();
  await pause(8000);
  proxy.restore();
  expect(await service.waitForEnd(key, jobId)).toMatchObject({ status: 'completed', credits_used: 2 });
  expect(await attempts(jobId)).toEqual({ attempts: 1, interruptions: 0 });
}, 120_000);

it('stores the outcome of a webhook that is accepted during an outage, and does not send it again', async () => {
  const receiver = await startReceiver((_request, response) => {
    proxy.cut();
    response.writeHead(200).end();
  });
  const { body } = await service.call('POST', '/api/render', { key, body: { ...movie(), webhook_uri: receiver.url } });
  await receiver.waitFor(1);
  await pause(5000);
  proxy.restore();
  const delivery = () => service.app.db.selectFrom('deliveries').select(['status', 'token']).where('job_id', '=', String(body.job_id)).execute();
  await expect.poll(delivery, { timeout: 10_000 }).toEqual([{ status: 'delivered', token: 1 }]);
  expect(receiver.received).toHaveLength(1);
  await receiver.close();
}, 120_000);

it('requeues a job at once when the connection breaks at the commit of its claim', async () => {
  let cuts = 0;
  proxy.onCommit = (transaction) => {
    const isClaim = transaction.includes('"started_at" = ') && cuts === 0;
    if (isClaim) cuts += 1;
    return isClaim ? 'cut-after' : 'pass';
  };
  const jobId = await submit();
  const startedAt = performance.now();
  expect(await service.waitForEnd(key, jobId)).toMatchObject({ status: 'completed' });
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(cuts).toBe(1);
}, 120_000);

it('serves all other accounts while a writer stalls inside its transaction', async () => {
  const limits = { requestsPerMinute: 100_000, concurrentJobs: 10_000 };
  const other = await service.createKey({ account: `account ${Math.random()}`, credits: 1_000_000, limits });
  const healthy = await startService({ workers: 0, environment: { DATABASE_URL: server.url } });
  try {
    proxy.onCommit = (transaction) => (transaction.includes('insert into "jobs"') ? 'hold' : 'pass');
    void service.call('POST', '/api/render', { key, body: movie() }).catch(() => {});
    await pause(300);
    const timed = async (
      method: string,
      path: string,
      options: { key?: string; body?: unknown },
    ): Promise<{ status: number; ms: number; retryAfter: string | null }> => {
      const startedAt = performance.now();
      const { status, headers } = await healthy.call(method, path, options);
      return { status, ms: performance.now() - startedAt, retryAfter: headers.get('retry-after') };
    };
    const blocked = timed('POST', '/api/render', { key, body: movie() });
    const reads: number[] = [];
    for (const end = performance.now() + 2500; performance.now() < end; await pause(20)) {
      const read = await timed('GET', '/api/jobs', { key });
      expect(read.status).toBe(200);
      reads.push(read.ms);
      expect((await timed('POST', '/api/render', { key: other.key, body: movie() })).status).toBe(202);
    }
    expect(await timed('GET', '/readyz', {})).toMatchObject({ status: 200 });
    expect(Math.max(...reads)).toBeLessThan(1000);
    expect(await blocked).toMatchObject({ status: 503, retryAfter: '2' });
    expect((await blocked).ms).toBeLessThan(4000);
    // The server ends the transaction of a silent client.
    await until(async () => (await timed('POST', '/api/render', { key, body: movie() })).status === 202, 15_000);
  } finally {
    await healthy.stop();
  }
}, 60_000);

it('starts while another host holds the lock of a job whose lease has expired', async () => {
  const jobId = await submit();
  await service.waitForEnd(key, jobId);
  const stalled = new pg.Client({ connectionString: server.url, idle_in_transaction_session_timeout: 0 });
  await stalled.connect();
  try {
    const expiresAt = new Date(Date.now() + 1500).toISOString();
    await stalled.query("update jobs set status = 'processing', lease_owner = 'nobody', lease_expires_at = $1, finished_at = null where id = $2", [
      expiresAt,
      jobId,
    ]);
    await stalled.query('begin');
    await stalled.query('select id from jobs where id = $1 for update', [jobId]);
    await pause(1600);
    const started = await startService({ workers: 0, environment: { DATABASE_URL: server.url } });
    expect((await started.call('GET', '/readyz')).status).toBe(200);
    await started.stop();
  } finally {
    await stalled.end();
  }
}, 60_000);

it('answers 503 within two seconds and /readyz within one while the database is silent', async () => {
  const jobId = await submit();
  await service.waitForEnd(key, jobId);
  const timed = async (method: string, path: string, body?: unknown) => {
    const startedAt = performance.now();
    const { status, headers } = await service.call(method, path, { ...(path.startsWith('/api') && { key }), ...(body !== undefined && { body }) });
    return { path, status, retryAfter: headers.get('retry-after'), ms: performance.now() - startedAt };
  };
  const askAll = () =>
    Promise.all([
      timed('GET', '/healthz'),
      timed('GET', '/readyz'),
      timed('GET', `/api/jobs/${jobId}`),
      timed('GET', '/api/jobs'),
      timed('POST', '/api/render', movie()),
    ]);
  expect((await askAll()).map(({ status }) => status)).toEqual([200, 200, 200, 200, 202]);
  // The result of the check of the database is cached for a second.
  await pause(1000);
  proxy.drop();
  const rounds: ReturnType<typeof askAll>[] = [];
  for (const end = performance.now() + 6000; performance.now() < end; await pause(100)) rounds.push(askAll());
  const answers = (await Promise.all(rounds)).flat();
  const of = (path: string) => answers.filter((answer) => answer.path === path);
  const slowest = (path: string): number => Math.round(Math.max(...of(path).map(({ ms }) => ms)));
  console.log(
    `while the database is silent: /readyz within ${slowest('/readyz')} ms, GET within ${slowest('/api/jobs')} ms, POST within ${slowest('/api/render')} ms`,
  );
  // A busy machine answers late even where no database is needed.
  const slowMs = 300 + 3 * Math.max(...of('/healthz').map(({ ms }) => ms));
  for (const { path, status, retryAfter, ms } of answers) {
    if (path === '/healthz') expect(status).toBe(200);
    else if (path === '/readyz') expect([status, ms < 1000 + slowMs]).toEqual([503, true]);
    else expect([path, status, retryAfter, ms < 2000 + slowMs]).toEqual([path, 503, '2', true]);
  }
  proxy.restore();
  await until(async () => (await askAll()).every(({ status }) => status < 300), 30_000);
}, 120_000);

it('expires leases by the clock of the database, not of a host', async () => {
  const jobId = await submit('ms=9000');
  await until(async () => (await service.call('GET', `/api/jobs/${jobId}`, { key })).body.status === 'processing', 10_000);
  const skewedDir = await mkdtemp(join(tmpdir(), 'framewright-skewed-'));
  const preload = fileURLToPath(new URL('../../fixtures/shift-clock.mjs', import.meta.url));
  const environment = { DATABASE_URL: server.url, CLOCK_SHIFT_MS: '120000', NODE_OPTIONS: `--import=${preload}` };
  const skewed = await startKillableService(skewedDir, environment);
  try {
    expect((await callAt(skewed.address, 'GET', `/api/jobs/${jobId}`, { key })).body).toMatchObject({ status: 'processing' });
    expect(await service.waitForEnd(key, jobId)).toMatchObject({ status: 'completed' });
    expect(await attempts(jobId)).toEqual({ attempts: 1, interruptions: 0 });
  } finally {
    await skewed.kill();
    await rm(skewedDir, { recursive: true, force: true });
  }
}, 60_000);
