import { expect, it } from 'vitest';
import { OutputRecordStore } from '../../../src/jobs/index.js';
import { movie, startService } from '../../support/service-in-process.js';

const halfMib = { ...movie(), comment: 'x'.repeat(512 * 1024) };

it('refuses sandbox jobs beyond the quota of their account until older ones have expired', async () => {
  const service = await startService({ environment: { FRAMEWRIGHT_SANDBOX_QUOTA_MB: '1' } });
  try {
    const sandbox = await service.createKey({ mode: 'test' });
    const other = await service.createKey({ account: 'other@example.com', mode: 'test' });
    const live = await service.createKey({ mode: 'live' });
    const submit = (key: string, body: unknown = halfMib) => service.call('POST', '/api/render', { key, body });
    const first = await submit(sandbox.key);
    expect(first.status).toBe(202);
    await service.waitForEnd(sandbox.key, String(first.body.job_id));
    const refused = await submit(sandbox.key);
    expect(refused.status).toBe(429);
    expect(refused.body.error).toMatchObject({ code: 'SANDBOX_QUOTA_EXCEEDED', message: expect.stringContaining('may occupy 1 MiB') });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await service.call('GET', '/api/jobs', { key: sandbox.key })).body.total).toBe(1);
    for (const { key } of [other, live, live]) expect((await submit(key)).status).toBe(202);
    await new OutputRecordStore(service.app.db).clearSandboxScripts(new Date(Date.now() + 1000).toISOString(), 10);
    expect((await submit(sandbox.key)).status).toBe(202);
  } finally {
    await service.stop();
  }
});

it('counts finished videos until they are removed', async () => {
  const service = await startService({ environment: { FRAMEWRIGHT_SANDBOX_QUOTA_MB: '1' } });
  try {
    const { key } = await service.createKey({ mode: 'test' });
    const { body } = await service.call('POST', '/api/render', { key, body: movie() });
    const jobId = String(body.job_id);
    await service.waitForEnd(key, jobId);
    await service.app.db
      .updateTable('jobs')
      .set({ size_bytes: 1024 ** 2 })
      .where('id', '=', jobId)
      .execute();
    expect((await service.call('POST', '/api/render', { key, body: movie() })).status).toBe(429);
    await new OutputRecordStore(service.app.db).markRemoved([jobId], new Date().toISOString());
    expect((await service.call('POST', '/api/render', { key, body: movie() })).status).toBe(202);
  } finally {
    await service.stop();
  }
});

it('stores client data once', async () => {
  const service = await startService();
  try {
    const { key } = await service.createKey({ mode: 'live' });
    for (const name of ['client-data', 'client_data']) {
      const { body } = await service.call('POST', '/api/render', { key, body: { ...movie(), [name]: { order: 'once' } } });
      const job = await service.waitForEnd(key, String(body.job_id));
      expect(job.client_data).toEqual({ order: 'once' });
    }
    const rows = await service.app.db.selectFrom('jobs').select(['script', 'client_data']).execute();
    expect(rows.map(({ script, client_data }) => [script.includes('once'), client_data])).toEqual([
      [false, '{"order":"once"}'],
      [false, '{"order":"once"}'],
    ]);
  } finally {
    await service.stop();
  }
});
