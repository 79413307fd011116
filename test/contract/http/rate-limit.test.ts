import { afterEach, beforeEach, expect, it } from 'vitest';
import { ManualClock } from '../../support/accounting.js';
import { movie, type Service, startService } from '../../support/service-in-process.js';

let service: Service;
const clock = new ManualClock();
beforeEach(async () => {
  service = await startService({ workers: 0, clock });
});
afterEach(() => service.stop());

it.each([
  ['free', 10],
  ['starter', 60],
  ['pro', 120],
] as const)('plan %s: %d requests a minute, then 429 with Retry-After, then again', async (plan, limit) => {
  const { key } = await service.createKey({ plan });
  const answers = [];
  for (let index = 0; index <= limit; index += 1) answers.push(await service.call('GET', '/api/jobs', { key }));
  expect(answers.map((answer) => answer.status)).toEqual([...Array(limit).fill(200), 429]);
  expect(answers.map((answer) => answer.headers.get('x-ratelimit-remaining'))).toEqual([
    ...Array.from({ length: limit }, (_, index) => String(limit - 1 - index)),
    '0',
  ]);
  for (const answer of answers) {
    expect(answer.headers.get('x-ratelimit-limit')).toBe(String(limit));
    expect(answer.headers.get('x-ratelimit-reset')).toBe(String(clock.wallMs / 1000 + 60));
    expect(answer.headers.has('retry-after')).toBe(answer.status === 429);
  }
  const last = answers.at(-1);
  expect(last?.body.error).toEqual({ code: 'RATE_LIMIT_EXCEEDED', message: expect.stringContaining(String(limit)) });
  expect(last?.headers.get('retry-after')).toBe('60');
  clock.advance(60_000);
  expect((await service.call('GET', '/api/jobs', { key })).status).toBe(200);
});

it('counts all keys and routes of an account together', async () => {
  const [one, two] = [await service.createKey({ plan: 'free' }), await service.createKey({ plan: 'free', mode: 'test' })];
  const calls: Array<[string, string, string]> = [
    ['GET', '/api/jobs', one.key],
    ['GET', '/api/jobs?page=0', two.key],
    ['GET', '/api/jobs/nothing', one.key],
    ['GET', '/api/nothing', two.key],
    ['DELETE', '/api/jobs', one.key],
    ['GET', '/api/render/schema', two.key],
    ['GET', '/api/jobs/nothing/progress', one.key],
    ['POST', '/api/render', two.key],
  ];
  const seen = [];
  for (const [method, path, key] of calls) seen.push((await service.call(method, path, { key })).headers.get('x-ratelimit-remaining'));
  expect(seen).toEqual(['9', '8', '7', '6', '5', '4', '3', '2']);
});

it('comes before any check of the body', async () => {
  const { key } = await service.createKey({ plan: 'free' });
  for (let index = 0; index < 10; index += 1) await service.call('GET', '/api/jobs', { key });
  for (const request of [{ text: '{', headers: { 'content-type': 'application/json' } }, { body: {} }, { body: movie() }]) {
    expect((await service.call('POST', '/api/render', { key, ...request })).body.error?.code).toBe('RATE_LIMIT_EXCEEDED');
  }
  expect(await service.app.db.selectFrom('jobs').select('id').execute()).toEqual([]);
});

it('holds under 200 concurrent requests', async () => {
  const { key } = await service.createKey({ plan: 'starter' });
  const answers = await Promise.all(Array.from({ length: 200 }, () => service.call('GET', '/api/jobs', { key })));
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(60);
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(140);
});

it('counts requests without a key by their address', async () => {
  const remaining = [];
  for (let index = 0; index < 2; index += 1) remaining.push((await service.call('GET', '/api/render/schema')).headers.get('x-ratelimit-remaining'));
  expect(remaining).toEqual(['599', '598']);
  for (let batch = 0; batch < 30; batch += 1) await Promise.all(Array.from({ length: 20 }, () => service.call('GET', '/api/jobs')));
  expect((await service.call('GET', '/api/render/schema')).status).toBe(429);
  // 401 comes before 429, and other callers at the address do not limit a valid key.
  expect((await service.call('GET', '/api/jobs')).status).toBe(401);
  const { key } = await service.createKey({ plan: 'free' });
  expect((await service.call('GET', '/api/jobs', { key })).status).toBe(200);
});

const wrongKey = (index: number): string => `ve_live_${String(index).padStart(43, '0')}`;

it('refuses wrong keys after 60 a minute without a look at the database, and lets known keys and pages through', async () => {
  const { key } = await service.createKey({ plan: 'free' });
  expect((await service.call('GET', '/api/jobs', { key })).status).toBe(200);
  for (let index = 0; index < 60; index += 1) expect((await service.call('GET', '/api/jobs', { key: wrongKey(index) })).status).toBe(401);
  const refused = await service.call('GET', '/api/jobs', { key: wrongKey(61) });
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('60');
  // The key is new to this process and needs a database lookup.
  const unseen = await service.createKey({ account: 'new', plan: 'free' });
  expect((await service.call('GET', '/api/jobs', { key: unseen.key })).status).toBe(429);
  expect((await service.call('GET', '/api/jobs', { key })).status).toBe(200);
  expect((await service.call('GET', '/docs')).status).toBe(200);
  clock.advance(60_000);
  expect((await service.call('GET', '/api/jobs', { key: unseen.key })).status).toBe(200);
});

it('counts the clients of a trusted proxy by their own addresses, and believes nobody else', async () => {
  const ask = async (through: Service, client: string): Promise<string | null> =>
    (await through.call('GET', '/api/render/schema', { headers: { 'x-forwarded-for': client } })).headers.get('x-ratelimit-remaining');
  expect([await ask(service, '192.0.2.1'), await ask(service, '192.0.2.2')]).toEqual(['599', '598']);
  const proxied = await startService({ workers: 0, clock, environment: { FRAMEWRIGHT_TRUSTED_PROXIES: '127.0.0.0/8' } });
  try {
    expect([await ask(proxied, '192.0.2.1'), await ask(proxied, '192.0.2.2'), await ask(proxied, '192.0.2.1')]).toEqual(['599', '599', '598']);
  } finally {
    await proxied.stop();
  }
});
