import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type PostgresProxy, startPostgresProxy } from '../../support/postgres-proxy.js';
import { createPostgresServer, type PostgresServer } from '../../support/postgres-server.js';
import { pause, until } from '../../support/receiver.js';
import { movie, type Service, startService } from '../../support/service-in-process.js';

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
  service = await startService({ environment: { DATABASE_URL: proxy.url } });
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

it('renders on through database outages without counting an attempt', async () => {
  const jobId = await submit('ms=45000');
  await until(async () => (await service.call('GET', `/api/jobs/${jobId}`, { key })).body.stage === 'rendering_scene_1', 10_000);
  proxy.cut();
  await pause(20_000);
  proxy.restore();
  const job = await service.waitForEnd(key, jobId);
  expect(job).toMatchObject({ status: 'completed', credits_used: 2 });
  expect(await attempts(jobId)).toEqual({ attempts: 1, interruptions: 0 });
  expect((await fetch(String(job.output_uri))).status).toBe(200);
}, 120_000);

it('stores the outcome of a render that ends during an outage', async () => {
  const jobId = await submit('ms=1500');
  await until(async () => (await service.call('GET', `/api/jobs/${jobId}`, { key })).body.stage === 'rendering_scene_1', 10_000);
  proxy.cut();
  await pause(18_000);
  proxy.restore();
  expect(await service.waitForEnd(key, jobId)).toMatchObject({ status: 'completed', credits_used: 2 });
  expect(await attempts(jobId)).toEqual({ attempts: 1, interruptions: 0 });
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
