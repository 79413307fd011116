import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManualClock } from '../../support/accounting.js';
import { type Answer, movie, type Service, startService } from '../../support/service-in-process.js';

let service: Service;
let key: string;
beforeAll(async () => {
  service = await startService();
  ({ key } = await service.createKey());
});
afterAll(() => service.stop());

function expectRateHeaders(answer: Answer): void {
  for (const name of ['limit', 'remaining', 'reset']) expect(answer.headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
  expect(answer.headers.get('cache-control')).toBe('no-store');
}

async function readyAgain(of: Service): Promise<Answer> {
  for (;;) {
    const answer = await of.call('GET', '/readyz');
    if (answer.status === 200) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The value of a sample by its name and labels as written. */
async function sample(of: Service, name: string): Promise<number> {
  const { text } = await of.call('GET', '/metrics');
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}

describe('/healthz and /readyz', () => {
  it('respond without a key, outside /api and with the rate headers', async () => {
    const health = await service.call('GET', '/healthz');
    expect([health.status, health.body]).toEqual([200, { status: 'ok' }]);
    const ready = await readyAgain(service);
    expect(ready.body).toEqual({ status: 'ready', checks: { database: 'ok', render_process: 'ok', disk: 'ok', draining: 'ok' } });
    for (const answer of [health, ready, await service.call('GET', '/metrics')]) expectRateHeaders(answer);
    for (const path of ['/api/healthz', '/api/readyz', '/api/metrics']) expect((await service.call('GET', path)).status).toBe(404);
  });

  it('are not rate-limited and use up no rate limit', async () => {
    for (let batch = 0; batch < 35; batch += 1) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => service.call('GET', '/healthz')));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }
    expect((await service.call('GET', '/api/render/schema')).status).toBe(200);
  });

  it('are not ready while no render process can start', async () => {
    const broken = await startService({ workerPath: '/nowhere/worker.mjs' });
    const answer = await broken.call('GET', '/readyz');
    expect([answer.status, answer.body.status]).toEqual([503, 'not ready']);
    expect(answer.body.checks).toMatchObject({ render_process: 'no render process has started', database: 'ok' });
    expectRateHeaders(answer);
    expect((await broken.call('GET', '/healthz')).status).toBe(200);
    await expect.poll(() => sample(broken, 'render_child_exits_total{reason="exit code 1"}')).toBeGreaterThan(0);
    await broken.stop();
  });

  it('are ready without render processes if none are configured', async () => {
    const node = await startService({ workers: 0 });
    expect((await node.call('GET', '/readyz')).status).toBe(200);
    await node.stop();
  });

  it('are not ready while the database cannot be written and recover afterwards', async () => {
    const node = await startService({ workers: 0 });
    await node.app.db.schema.alterTable('probes').renameTo('probes_away').execute();
    const answer = await node.call('GET', '/readyz');
    expect([answer.status, answer.body.checks]).toEqual([503, expect.objectContaining({ database: 'the database cannot be written' })]);
    await node.app.db.schema.alterTable('probes_away').renameTo('probes').execute();
    await readyAgain(node);
    await node.stop();
  });
});

describe('/metrics', () => {
  it('reports events in the Prometheus text format', async () => {
    const [ok, failed] = [
      await service.call('POST', '/api/render', { key, body: movie() }),
      await service.call('POST', '/api/render', { key, body: movie('fail') }),
    ];
    for (const { body } of [ok, failed]) await service.waitForEnd(key, String(body.job_id));
    const answer = await service.call('GET', '/metrics');
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await sample(service, 'render_jobs_total{status="completed",code="none"}')).toBe(1);
    expect(await sample(service, 'render_jobs_total{status="failed",code="RENDER_FAILED"}')).toBe(1);
    expect(await sample(service, 'render_jobs{status="completed"}')).toBe(1);
    expect(await sample(service, 'render_jobs{status="queued"}')).toBe(0);
    expect(await sample(service, 'render_queue_depth')).toBe(0);
    expect(await sample(service, 'render_queue_wait_seconds_count')).toBe(2);
    expect(await sample(service, 'render_duration_seconds_count{encoder="libx264"}')).toBe(1);
    expect(await sample(service, 'render_duration_seconds_count{encoder="none"}')).toBe(1);
    expect(await sample(service, 'render_realtime_ratio_count')).toBe(1);
    await expect.poll(() => sample(service, 'credits_ledger_imbalance')).toBe(0);
    expect(await sample(service, 'sse_streams')).toBe(0);
    expect(await sample(service, 'sqlite_commit_seconds_count')).toBeGreaterThan(4);
    expect(await sample(service, 'http_request_duration_seconds_count{route="/api/render",method="POST",code="202"}')).toBe(2);
  });

  it('has no ids, keys or addresses in labels', async () => {
    const { body } = await service.call('GET', '/api/jobs', { key });
    const [job] = body.jobs as Array<{ job_id: string }>;
    await service.call('GET', `/api/jobs/${job?.job_id}`, { key });
    await service.call('GET', '/api/nothing/secret-path', { key });
    const { text } = await service.call('GET', '/metrics');
    expect(text).toContain('route="(none)"');
    for (const word of [job?.job_id ?? '?', key, 'secret-path', 'acc_', '127.0.0.1']) expect(text).not.toContain(word);
  });

  it('answers callers on this machine that come through no proxy', async () => {
    expect((await service.call('GET', '/metrics', { headers: { 'x-forwarded-for': '192.0.2.1' } })).status).toBe(404);
    expect((await service.call('GET', '/metrics')).status).toBe(200);
  });

  it('requires the token where one is set', async () => {
    const guarded = await startService({ workers: 0, environment: { FRAMEWRIGHT_METRICS_TOKEN: 'a-long-secret' } });
    try {
      const ask = async (authorization?: string) =>
        (await guarded.call('GET', '/metrics', { headers: authorization === undefined ? {} : { authorization } })).status;
      expect([await ask(), await ask('Bearer wrong'), await ask('Bearer a-long-secret')]).toEqual([404, 404, 200]);
      expect(guarded.log.join('')).not.toContain('a-long-secret');
    } finally {
      await guarded.stop();
    }
  });

  it('counts open progress streams', async () => {
    const { body } = await service.call('POST', '/api/render', { key, body: movie('ms=3000') });
    const abort = new AbortController();
    const stream = await fetch(`${service.app.address}/api/jobs/${body.job_id}/progress`, { headers: { 'x-api-key': key }, signal: abort.signal });
    expect(stream.status).toBe(200);
    expect(await sample(service, 'sse_streams')).toBe(1);
    abort.abort();
    await expect.poll(() => sample(service, 'sse_streams')).toBe(0);
    await service.waitForEnd(key, String(body.job_id));
  });

  it('shows the queue as it is now', async () => {
    const node = await startService({ workers: 0 });
    try {
      const { key: live } = await node.createKey();
      await sample(node, 'render_queue_depth');
      await node.call('POST', '/api/render', { key: live, body: movie() });
      expect(await sample(node, 'render_queue_depth')).toBe(1);
      await node.call('POST', '/api/render', { key: live, body: movie() });
      expect(await sample(node, 'render_jobs{status="queued"}')).toBe(2);
    } finally {
      await node.stop();
    }
  });

  it('detects a balance that differs from the ledger', async () => {
    const clock = new ManualClock();
    const node = await startService({ workers: 0, clock });
    const { accountId } = await node.createKey({ credits: 5 });
    const untilImbalance = (count: number) => expect.poll(() => sample(node, 'credits_ledger_imbalance')).toBe(count);
    await untilImbalance(0);
    const setBalance = (balance: number) => node.app.db.updateTable('accounts').set({ balance }).where('id', '=', accountId).execute();
    await setBalance(6);
    // A scrape starts an audit in the background, at most once a minute.
    expect(await sample(node, 'credits_ledger_imbalance')).toBe(0);
    clock.advance(60_000);
    await untilImbalance(1);
    await setBalance(5);
    await node.accounts.grantCredits('someone', 7);
    clock.advance(60_000);
    await untilImbalance(0);
    await node.stop();
  });
});
