import { afterEach, beforeEach, expect, it } from 'vitest';
import { EventReader } from '../../support/event-source.js';
import { movie, type Service, startService } from '../../support/service-in-process.js';

/** Offset of the ids of final events. */
const firstFinalId = 1_000_000_000_000;

let service: Service;
let key: string;
beforeEach(async () => {
  service = await startService();
  ({ key } = await service.createKey());
});
afterEach(() => service.stop());
const submit = async (comment: string) => String((await service.call('POST', '/api/render', { key, body: movie(comment) })).body.job_id);
const open = (jobId: string, headers: Record<string, string> = { 'x-api-key': key }) =>
  EventReader.open(`${service.app.address}/api/jobs/${jobId}/progress`, headers);

it('sends progress with its three fields, then complete with its four, then ends', async () => {
  const jobId = await submit('ms=300');
  const reader = await (await open(jobId)).readToEnd();
  const progress = reader.events.filter((event) => event.event === 'progress').map((event) => event.fields);
  expect(progress.length).toBeGreaterThan(4);
  for (const fields of progress)
    expect(fields).toEqual({ progress: expect.any(Number), stage: expect.stringMatching(/\S/), timestamp: expect.stringMatching(/Z$/) });
  const values = progress.map((fields) => Number(fields.progress));
  expect(values).toEqual([...values].sort((a, b) => a - b));
  expect(new Set(progress.map((fields) => fields.stage))).toEqual(
    new Set(['queued', 'preparing', 'rendering_scene_1', 'stitching'].filter((stage) => progress.some((fields) => fields.stage === stage))),
  );
  expect(progress.some((fields) => fields.stage === 'rendering_scene_1')).toBe(true);
  const job = (await service.call('GET', `/api/jobs/${jobId}`, { key })).body;
  expect(reader.events.at(-1)).toMatchObject({
    event: 'complete',
    fields: { outputUri: job.output_uri, creditsUsed: 2, durationSeconds: 2, fileSizeBytes: 1000 },
  });
  expect(Object.keys(reader.events.at(-1)?.fields ?? {})).toHaveLength(4);
  expect(reader.events.filter((event) => event.event !== 'progress')).toHaveLength(1);
  expect(reader.events.map((event) => Number(event.id) % firstFinalId)).toEqual(reader.events.map((_, index) => index + 1));
});

it('sends headers and first bytes at once, even without progress', async () => {
  await submit('ms=2000');
  const started = performance.now();
  const reader = await open(await submit(''));
  await reader.readUntil(({ events }) => events.length > 0);
  expect(performance.now() - started).toBeLessThan(1500);
  expect(reader.comments).toEqual(['connected']);
  expect(reader.events[0]).toMatchObject({ event: 'progress', fields: { progress: 0, stage: 'queued' } });
  const { headers, status } = reader.response;
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-cache, no-transform');
  expect(headers.get('x-accel-buffering')).toBe('no');
  for (const name of ['limit', 'remaining', 'reset']) expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
  expect(headers.has('retry-after')).toBe(false);
  await reader.close();
});

it('sends the current state to a late reader and ends at once for a finished job', async () => {
  const jobId = await submit('ms=1500');
  const early = await open(jobId);
  await early.readUntil(({ events }) => events.some((event) => Number(event.fields.progress) > 0.3));
  const late = await (await open(jobId)).readUntil(({ events }) => events.length > 0);
  expect(Number(late.events[0]?.fields.progress)).toBeGreaterThan(0.1);
  await Promise.all([early.readToEnd(), late.readToEnd()]);
  const after = await (await open(jobId, { 'x-api-key': key, 'last-event-id': '41' })).readToEnd();
  expect(after.events.map(({ event, id }) => [event, id])).toEqual([['complete', String(firstFinalId + 42)]]);
});

it('sends error with code and message when the job fails', async () => {
  const jobId = await submit('ms=50 fail');
  const reader = await (await open(jobId)).readToEnd();
  expect(reader.events.at(-1)).toMatchObject({ event: 'error', fields: { code: 'RENDER_FAILED', message: 'scenes.0.elements.0.src could not be read.' } });
  const again = await (await open(jobId)).readToEnd();
  expect(again.events).toHaveLength(1);
});

it('accepts the key in the query and never logs it', async () => {
  const jobId = await submit('ms=50');
  const reader = await (await EventReader.open(`${service.app.address}/api/jobs/${jobId}/progress?apiKey=${key}`)).readToEnd();
  expect(reader.events.at(-1)?.event).toBe('complete');
  expect((await service.call('GET', `/api/jobs/${jobId}/progress?apiKey=${key}`, { headers: { 'x-api-key': '' } })).status).toBe(200);
  const wrong = await service.call('GET', `/api/jobs/${jobId}/progress?apiKey=ve_live_wrong`);
  expect(wrong.status).toBe(401);
  expect(service.log.join('')).toContain(jobId);
  expect(service.log.join('')).not.toContain('ve_live_');
});

it('ends its streams when the service stops', async () => {
  const jobId = await submit('ms=60000');
  const reader = await open(jobId);
  await reader.readUntil(({ events }) => events.some((event) => event.fields.stage === 'rendering_scene_1'));
  const ended = reader.readToEnd();
  const closing = service.app.close(0);
  await ended;
  expect(reader.events.every((event) => event.event === 'progress')).toBe(true);
  await closing;
  service = await startService();
});

it('sends all readers the same events, with separate ids', async () => {
  const jobId = await submit('ms=500');
  const early = await open(jobId);
  const late = await open(jobId, { 'x-api-key': key, 'last-event-id': '41' });
  const [first, second] = (await Promise.all([early.readToEnd(), late.readToEnd()])).map(({ events }) => events);
  const reported = (events: typeof first) => events?.map(({ event, fields }) => ({ event, fields })) ?? [];
  // A reader's first event is the current state.
  const both = reported(second).slice(1);
  expect(reported(first).slice(reported(first).length - both.length)).toEqual(both);
  expect(first?.map(({ id }) => Number(id) % firstFinalId)).toEqual(first?.map((_, index) => index + 1));
  expect(second?.map(({ id }) => Number(id) % firstFinalId)).toEqual(second?.map((_, index) => index + 42));
  expect(Number(second?.at(-1)?.id)).toBeGreaterThan(firstFinalId);
});

it('limits the open streams of an account to a hundred per concurrent job', async () => {
  const limits = { requestsPerMinute: 100_000, concurrentJobs: 1 };
  const { key: few } = await service.createKey({ account: 'few', limits });
  const jobId = String((await service.call('POST', '/api/render', { key: few, body: movie('ms=20000') })).body.job_id);
  const address = `${service.app.address}/api/jobs/${jobId}/progress`;
  const stop = new AbortController();
  const opened = await Promise.all(Array.from({ length: 130 }, () => fetch(address, { headers: { 'x-api-key': few }, signal: stop.signal })));
  expect(opened.filter(({ status }) => status === 200)).toHaveLength(100);
  const refused = opened.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(30);
  expect(refused[0]?.headers.get('retry-after')).toBe('5');
  expect(await refused[0]?.json()).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED', message: expect.stringContaining('100 progress streams') } });
  // Other accounts have separate limits, and closed streams free their slots.
  expect((await open(await submit(''))).response.status).toBe(200);
  stop.abort();
  await expect
    .poll(async () => {
      const again = new AbortController();
      const { status } = await fetch(address, { headers: { 'x-api-key': few }, signal: again.signal });
      again.abort();
      return status;
    })
    .toBe(200);
});

it('answers 204 to a reader that has seen the last event, and does not count its reconnects', async () => {
  const free = await service.createKey({ account: 'free', plan: 'free' });
  const { body } = await service.call('POST', '/api/render', { key: free.key, body: movie('ms=50') });
  const url = `/api/jobs/${String(body.job_id)}/progress`;
  const seen = await (await EventReader.open(service.app.address + url, { 'x-api-key': free.key })).readToEnd();
  for (let reconnect = 0; reconnect < 30; reconnect += 1) {
    const answer = await service.call('GET', url, { key: free.key, headers: { 'last-event-id': seen.events.at(-1)?.id ?? '' } });
    expect([answer.status, answer.text]).toEqual([204, '']);
  }
  expect((await service.call('GET', '/api/jobs', { key: free.key })).status).toBe(200);
  // A reader that was disconnected before the end receives it.
  const missed = await (await EventReader.open(service.app.address + url, { 'x-api-key': free.key, 'last-event-id': '1' })).readToEnd();
  expect(missed.events.map(({ event }) => event)).toEqual(['complete']);
});
