import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { movie, type Service, startService } from '../../support/service-in-process.js';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('POST /api/render', () => {
  let service: Service;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.stop());

  it('answers 202 with the four fields, debits the estimate and renders the file', async () => {
    const { key, accountId } = await service.createKey({ credits: 10 });
    const accepted = await service.call('POST', '/api/render', { key, body: movie() });
    expect(accepted.status).toBe(202);
    expect(accepted.body).toEqual({ job_id: expect.stringMatching(uuid), status: 'queued', estimated_credits: 2, credits_remaining: 8 });

    const job = await service.waitForEnd(key, String(accepted.body.job_id));
    expect(job).toEqual({
      job_id: accepted.body.job_id,
      status: 'completed',
      progress: 1,
      stage: 'complete',
      output_uri: expect.stringMatching(`^${service.app.address}/outputs/${job.job_id}-[0-9a-f]{64}\\.mp4$`),
      duration_seconds: 2,
      estimated_credits: 2,
      credits_used: 2,
      warnings: [],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      completed_at: expect.stringMatching(/Z$/),
    });
    expect(await service.balance(accountId)).toBe(8);
    expect((await fetch(String(job.output_uri))).status).toBe(200);
  });
  it('shows a queued job without the fields of later stages', async () => {
    const { key } = await service.createKey();
    await service.call('POST', '/api/render', { key, body: movie('ms=2000') });
    const second = await service.call('POST', '/api/render', { key, body: movie() });
    const { body } = await service.call('GET', `/api/jobs/${second.body.job_id}`, { key });
    expect(body).toEqual({
      job_id: second.body.job_id,
      status: 'queued',
      progress: 0,
      estimated_credits: 2,
      created_at: expect.any(String),
      completed_at: null,
    });
  });
});

it('GET /api/credits returns the balance after queued jobs, and the limits', async () => {
  const service = await startService({ workers: 0 });
  const limits = { requestsPerMinute: 1000, concurrentJobs: 3 };
  const { key } = await service.createKey({ credits: 10, limits });
  await service.createKey({ account: 'another', credits: 77 });
  const asked = async () => (await service.call('GET', '/api/credits', { key })).body;
  expect(await asked()).toEqual({ credits_remaining: 10, mode: 'live', requests_per_minute: 1000, concurrent_jobs: 3 });
  expect((await service.call('POST', '/api/render', { key, body: movie() })).status).toBe(202);
  expect(await asked()).toMatchObject({ credits_remaining: 8 });
  const sandbox = await service.createKey({ mode: 'test', credits: 0, limits });
  expect((await service.call('GET', '/api/credits', { key: sandbox.key })).body).toMatchObject({ credits_remaining: 8, mode: 'test' });
  expect((await service.call('GET', '/api/credits')).status).toBe(401);
  await service.stop();
});
