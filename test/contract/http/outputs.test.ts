import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseRange } from '../../../src/http/byte-range.js';
import { sendRaw } from '../../support/raw-http.js';
import { movie, type Service, startService } from '../../support/service-in-process.js';

let service: Service;
let uri: string;
let whole: string;
beforeAll(async () => {
  service = await startService();
  const { key } = await service.createKey();
  const { body } = await service.call('POST', '/api/render', { key, body: movie() });
  uri = String((await service.waitForEnd(key, String(body.job_id))).output_uri);
  whole = await (await fetch(uri)).text();
});
afterAll(() => service.stop());
const get = (headers: Record<string, string> = {}, method = 'GET') => fetch(uri, { headers, method });

it('serves the whole file to anyone who knows its name', async () => {
  const answer = await get();
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'video/mp4',
    'content-length': '1000',
    'accept-ranges': 'bytes',
    'content-disposition': expect.stringMatching(/^inline; filename="[0-9a-f-]{36}\.mp4"$/),
    'cache-control': expect.stringContaining('immutable'),
    etag: expect.stringMatching(/^"[0-9a-f]+-[0-9a-f]+"$/),
    'last-modified': expect.stringMatching(/GMT$/),
    'x-ratelimit-limit': '600',
  });
  expect(await answer.text()).toHaveLength(1000);
});

it.each([
  ['bytes=0-0', 0, 0],
  ['bytes=0-499', 0, 499],
  ['bytes=500-', 500, 999],
  ['bytes=-10', 990, 999],
  ['bytes=-5000', 0, 999],
  ['bytes=990-5000', 990, 999],
  ['bytes=999-999', 999, 999],
])('206 for %s', async (range, first, last) => {
  const answer = await get({ range });
  expect(answer.status).toBe(206);
  expect(answer.headers.get('content-range')).toBe(`bytes ${first}-${last}/1000`);
  expect(answer.headers.get('content-length')).toBe(String(last - first + 1));
  expect(await answer.text()).toBe(whole.slice(first, last + 1));
});

it.each(['bytes=1000-', 'bytes=5000-6000', 'bytes=-0'])('416 for %s', async (range) => {
  const answer = await get({ range });
  expect(answer.status).toBe(416);
  expect(answer.headers.get('content-range')).toBe('bytes */1000');
  expect(answer.headers.get('cache-control')).toBeNull();
  expect(await answer.json()).toEqual({ error: { code: 'INVALID_REQUEST', message: 'The file has 1000 bytes.' } });
});

it.each(['bytes=0-1,5-6', 'bytes=9-3', 'lines=1-2', 'bytes=a-b', 'bytes=-', ''])('200 with everything for %j', async (range) => {
  const answer = await get({ range });
  expect([answer.status, (await answer.text()).length]).toEqual([200, 1000]);
});

it('HEAD returns the same headers without the body', async () => {
  const answer = await get({}, 'HEAD');
  expect([answer.status, answer.headers.get('content-length'), answer.headers.get('content-type'), await answer.text()]).toEqual([
    200,
    '1000',
    'video/mp4',
    '',
  ]);
});

it('answers 304 and If-Range by ETag', async () => {
  const etag = String((await get()).headers.get('etag'));
  expect((await get({ 'if-none-match': etag })).status).toBe(304);
  expect((await get({ 'if-none-match': `"x", W/${etag}` })).status).toBe(304);
  expect((await get({ 'if-none-match': '"x"' })).status).toBe(200);
  expect((await get({ range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
  expect((await get({ range: 'bytes=0-1', 'if-range': '"older"' })).status).toBe(200);
});

it('answers 304 by date for clients without an ETag', async () => {
  const modified = String((await get()).headers.get('last-modified'));
  const earlier = new Date(Date.parse(modified) - 1000).toUTCString();
  expect((await get({ 'if-modified-since': modified })).status).toBe(304);
  expect((await get({ 'if-modified-since': earlier })).status).toBe(200);
  expect((await get({ 'if-modified-since': 'yesterday' })).status).toBe(200);
  expect((await get({ 'if-modified-since': modified, 'if-none-match': '"x"' })).status).toBe(200);
});

describe('other paths', () => {
  const paths = [
    '/outputs/',
    '/outputs/framewright.db',
    '/outputs/../framewright.db',
    '/outputs/..%2fframewright.db',
    '/outputs/%2e%2e/framewright.db',
    '/outputs/..%5cframewright.db',
    '/outputs//etc/passwd',
    '/outputs/%00',
    `/outputs/${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}-${'0'.repeat(64)}.mp4`,
  ];
  it.each(paths)('%s is 404', async (path) => {
    const answer = await sendRaw(service.app.address, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer.status).toBe(404);
    expect(answer.body).toContain('NOT_FOUND');
  });

  it('a name without its random part, or with another one, is 404', async () => {
    expect((await fetch(uri.replace(/-[0-9a-f]{64}\.mp4/, '.mp4'))).status).toBe(404);
    expect((await fetch(uri.replace(/[0-9a-f]{64}\.mp4/, `${'0'.repeat(64)}.mp4`))).status).toBe(404);
  });
});

it('is not rate-limited, because players make many requests', async () => {
  const before = (await service.call('GET', '/api/render/schema')).headers.get('x-ratelimit-remaining');
  for (let batch = 0; batch < 31; batch += 1) await Promise.all(Array.from({ length: 20 }, () => get({ range: 'bytes=0-0' }).then((answer) => answer.text())));
  const answer = await get({ range: 'bytes=0-0' });
  expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([206, '0']);
  expect((await service.call('GET', '/api/render/schema')).headers.get('x-ratelimit-remaining')).toBe(String(Number(before) - 1));
});

it('an empty file has no ranges', () => {
  expect(parseRange('bytes=0-', 0)).toBe('unsatisfiable');
  expect(parseRange('bytes=-1', 0)).toBe('unsatisfiable');
  expect(parseRange(undefined, 0)).toBeUndefined();
});

it('output URLs follow FRAMEWRIGHT_PUBLIC_URL, never the Host header', async () => {
  const other = await startService({ environment: { FRAMEWRIGHT_PUBLIC_URL: 'https://videos.example.org/base/' } });
  const { key } = await other.createKey();
  const { body } = await other.call('POST', '/api/render', { key, body: movie(), headers: { 'x-forwarded-host': 'evil.example' } });
  const job = await other.waitForEnd(key, String(body.job_id));
  expect(job.output_uri).toMatch(/^https:\/\/videos\.example\.org\/base\/outputs\/[0-9a-f-]+\.mp4$/);
  await other.stop();
});
