import { afterAll, beforeAll, expect, it } from 'vitest';
import { movie, type Service, startService } from '../../support/service-in-process.js';

let service: Service;
let key: string;
const ids: string[] = [];
beforeAll(async () => {
  service = await startService();
  ({ key } = await service.createKey());
  for (let index = 0; index < 23; index += 1) {
    const { body } = await service.call('POST', '/api/render', { key, body: movie(index % 5 === 0 ? 'ms=1 fail' : 'ms=1') });
    ids.unshift(String(body.job_id));
  }
  for (const id of ids) await service.waitForEnd(key, id);
});
afterAll(() => service.stop());
const list = async (query: string) =>
  (await service.call('GET', `/api/jobs${query}`, { key })).body as { jobs: Array<Record<string, unknown>>; total: number; page: number; limit: number };

it('lists newest first, 20 a page by default', async () => {
  const first = await list('');
  expect({ ...first, jobs: first.jobs.map((job) => job.job_id) }).toEqual({ jobs: ids.slice(0, 20), total: 23, page: 1, limit: 20 });
  const second = await list('?page=2');
  expect(second.jobs.map((job) => job.job_id)).toEqual(ids.slice(20));
  expect(await list('?page=3')).toEqual({ jobs: [], total: 23, page: 3, limit: 20 });
  expect((await list('?page=4&limit=5')).jobs.map((job) => job.job_id)).toEqual(ids.slice(15, 20));
  expect((await list('?limit=100')).jobs).toHaveLength(23);
});

it('filters by status', async () => {
  expect(await list('?status=failed')).toMatchObject({ total: 5 });
  expect((await list('?status=completed&limit=100')).jobs.every((job) => job.status === 'completed')).toBe(true);
  expect(await list('?status=queued')).toEqual({ jobs: [], total: 0, page: 1, limit: 20 });
});

it('shows items exactly as the single job', async () => {
  for (const job of (await list('?limit=6')).jobs) {
    expect((await service.call('GET', `/api/jobs/${job.job_id}`, { key })).body).toEqual(job);
  }
});

it('shows a failed job with its error, its refund and no output', async () => {
  const [failed] = (await list('?status=failed')).jobs;
  expect(failed).toEqual({
    job_id: expect.any(String),
    status: 'failed',
    progress: expect.any(Number),
    stage: expect.any(String),
    estimated_credits: 2,
    credits_used: 0,
    error: { code: 'RENDER_FAILED', message: 'scenes.0.elements.0.src could not be read.' },
    warnings: [],
    created_at: expect.any(String),
    completed_at: null,
  });
});

it.each([
  ['page=0', 'page'],
  ['page=-1', 'page'],
  ['page=1.5', 'page'],
  ['page=', 'page'],
  ['page=one', 'page'],
  ['page=1&page=2', 'page'],
  ['page=99999999999999999999', 'page'],
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=1e1', 'limit'],
  ['limit[]=1&limit=%00', 'limit'],
  ['status=done', 'status'],
  ['status=', 'status'],
  ['status=queued&status=failed', 'status'],
])('refuses ?%s with VALIDATION_ERROR', async (query, path) => {
  const answer = await service.call('GET', `/api/jobs?${query}`, { key });
  expect([answer.status, answer.body.error?.code, answer.body.error?.path]).toEqual([400, 'VALIDATION_ERROR', path]);
});

it('hides jobs of other accounts', async () => {
  const other = await service.createKey({ account: 'other' });
  expect((await service.call('GET', '/api/jobs', { key: other.key })).body).toEqual({ jobs: [], total: 0, page: 1, limit: 20 });
  for (const path of [`/api/jobs/${ids[0]}`, `/api/jobs/${ids[0]}/progress`, '/api/jobs/not-a-uuid', `/api/jobs/${String(ids[0]).toUpperCase()}`]) {
    const answer = await service.call('GET', path, { key: other.key });
    expect([answer.status, answer.body.error?.code]).toEqual([404, 'NOT_FOUND']);
  }
});

it('serves the schema of a render to anyone', async () => {
  const answer = await service.call('GET', '/api/render/schema');
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' });
  expect((await service.call('HEAD', '/api/render/schema')).status).toBe(200);
});

it('returns the client-data of the script with the single job', async () => {
  const { key: other } = await service.createKey();
  for (const data of [{ order: 17, tags: ['a', null] }, 'text', 0, false]) {
    const { body } = await service.call('POST', '/api/render', { key: other, body: { ...(movie('ms=1') as object), 'client-data': data } });
    expect((await service.call('GET', `/api/jobs/${body.job_id}`, { key: other })).body).toMatchObject({ client_data: data });
    await service.waitForEnd(other, String(body.job_id));
  }
});
