import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from '../../support/raw-http.js';
import { type Answer, movie, type Service, startService } from '../../support/service-in-process.js';

let service: Service;
let key: string;
let accountId: string;
beforeAll(async () => {
  service = await startService();
  ({ key, accountId } = await service.createKey({ credits: 100 }));
});
afterAll(() => service.stop());

function expectError(answer: Answer, status: number, code: string): Record<string, unknown> {
  expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(Object.keys(answer.body)).toEqual(['error']);
  expect(answer.body.error?.message).toMatch(/\S/);
  for (const name of ['limit', 'remaining', 'reset']) expect(answer.headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
  expect(answer.headers.has('retry-after')).toBe(status === 429);
  return answer.body.error ?? {};
}
const render = (options: object) => service.call('POST', '/api/render', { key, ...options });
const jsonType = { 'content-type': 'application/json' };

describe('401 UNAUTHORIZED', () => {
  const routes = [
    ['POST', '/api/render'],
    ['GET', '/api/jobs'],
    ['GET', '/api/jobs/2b0c5c5e-0000-4000-8000-000000000000'],
    ['GET', '/api/jobs/2b0c5c5e-0000-4000-8000-000000000000/progress'],
  ] as const;
  it.each(routes)('%s %s without a key', async (method, path) => {
    expectError(await service.call(method, path), 401, 'UNAUTHORIZED');
  });

  it('a key that is wrong, revoked, sent twice or in the wrong place', async () => {
    const revoked = await service.createKey({ account: 'leaver' });
    expect((await service.call('GET', '/api/jobs', { key: revoked.key })).status).toBe(200);
    await service.accounts.revokeKey(revoked.key);
    for (const wrong of ['x', 've_live_', `${key}x`, key.replace('ve_live', 've_test'), revoked.key, `${key}, ${key}`]) {
      expectError(await service.call('GET', '/api/jobs', { key: wrong }), 401, 'UNAUTHORIZED');
    }
    expectError(await service.call('GET', `/api/jobs?apiKey=${key}`), 401, 'UNAUTHORIZED');
    expectError(await service.call('POST', `/api/render?apiKey=${key}`, { body: movie() }), 401, 'UNAUTHORIZED');
    expectError(await service.call('GET', '/api/jobs', { headers: { authorization: `Bearer ${key}` } }), 401, 'UNAUTHORIZED');
  });

  it('comes before any check of the body', async () => {
    expectError(await service.call('POST', '/api/render', { text: '{', headers: jsonType }), 401, 'UNAUTHORIZED');
    expectError(await service.call('POST', '/api/render', { text: 'x', headers: { 'content-type': 'text/plain' } }), 401, 'UNAUTHORIZED');
  });
});

describe('400 INVALID_JSON', () => {
  it('names the position and the error', async () => {
    const text = '{\n  "scenes": [\n    { "duration": 1 },\n  ]\n}';
    expect(expectError(await render({ text, headers: jsonType }), 400, 'INVALID_JSON').message).toBe(
      'The request body is not valid JSON: line 4, column 3: expected a value, but there is "]".',
    );
  });

  const texts = ['', ' ', '{', '{"scenes":[],}', "{'scenes':[]}", 'undefined', '[1,]', '{"a":01}', 'NaN', '"\u0001"', '['.repeat(100_000), '{"a":"\\x"}'];
  it.each(texts.map((text) => [text.slice(0, 20), text]))('%j', async (_name, text) => {
    expectError(await render({ text, headers: jsonType }), 400, 'INVALID_JSON');
  });

  it('bytes that are not UTF-8', async () => {
    expectError(await render({ text: new Uint8Array([0x22, 0xff, 0xfe, 0x22]), headers: jsonType }), 400, 'INVALID_JSON');
  });

  it('no body at all', async () => {
    expectError(await render({}), 400, 'INVALID_JSON');
  });
});

describe('400 SCHEMA_VALIDATION_ERROR', () => {
  const scripts: Array<[string, unknown, string]> = [
    ['an array', [], ''],
    ['null', null, ''],
    ['a string', 'scenes', ''],
    ['no scenes', {}, 'scenes'],
    ['empty scenes', { scenes: [] }, 'scenes'],
    ['a width as text', { width: '1920', scenes: [{ duration: 1 }] }, 'width'],
    ['a deep field', { scenes: [{ duration: 1 }, { duration: 1, elements: [{ type: 'text', text: 'a' }, { type: 'image' }] }] }, 'scenes.1.elements.1.src'],
    ['an unknown key', { scenes: [{ duration: 1, elemnts: [] }] }, 'scenes.0.elemnts'],
  ];
  it.each(scripts)('%s', async (_name, body, path) => {
    expect(expectError(await render({ body }), 400, 'SCHEMA_VALIDATION_ERROR').path).toBe(path);
  });

  it('a key that could pollute a prototype', async () => {
    const error = expectError(await render({ text: '{"scenes":[{"__proto__":{"duration":1}}]}', headers: jsonType }), 400, 'SCHEMA_VALIDATION_ERROR');
    expect(error.path).toBe('scenes.0.__proto__');
    expectError(await render({ text: '{"\\u005f_proto__":1}', headers: jsonType }), 400, 'SCHEMA_VALIDATION_ERROR');
  });

  it('media on a private address, unless the operator allows it', async () => {
    const body = (src: string) => ({ scenes: [{ duration: 1, elements: [{ type: 'image', src }] }] });
    for (const src of ['http://127.0.0.1/a.png', 'http://[::1]/a.png', 'http://169.254.169.254/latest', 'file:///etc/passwd', 'http://2130706433/']) {
      expect(expectError(await render({ body: body(src) }), 400, 'SCHEMA_VALIDATION_ERROR').path).toBe('scenes.0.elements.0.src');
    }
    const open = await startService({ workers: 0, environment: { FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1:9000' } });
    const mine = await open.createKey();
    const statuses = [];
    for (const port of [9000, 9001])
      statuses.push((await open.call('POST', '/api/render', { key: mine.key, body: body(`http://127.0.0.1:${port}/a.png`) })).status);
    expect(statuses).toEqual([202, 400]);
    await open.stop();
  });

  it('excessively nested JSON', async () => {
    const text = '['.repeat(200_000) + ']'.repeat(200_000);
    expect(expectError(await render({ text, headers: jsonType }), 400, 'SCHEMA_VALIDATION_ERROR').path).toBe('');
  });
});

describe('402 and 429 by concurrency', () => {
  it('402 INSUFFICIENT_CREDITS carries required and balance as numbers', async () => {
    const error = expectError(await render({ body: movie('', 101) }), 402, 'INSUFFICIENT_CREDITS');
    expect(error).toMatchObject({ required: 101, balance: 100 });
  });

  it('429 CONCURRENCY_LIMIT_EXCEEDED comes after the check of credits', async () => {
    const small = await service.createKey({ account: 'small', credits: 6, limits: { requestsPerMinute: 1000, concurrentJobs: 2 } });
    const submit = (seconds: number) => service.call('POST', '/api/render', { key: small.key, body: movie('ms=400', seconds) });
    const accepted = [await submit(2), await submit(2)];
    expect(accepted.map((answer) => answer.status)).toEqual([202, 202]);
    expectError(await submit(3), 402, 'INSUFFICIENT_CREDITS');
    expectError(await submit(2), 429, 'CONCURRENCY_LIMIT_EXCEEDED');
    for (const { body } of accepted) await service.waitForEnd(small.key, String(body.job_id));
  });
});

describe('refusals of HTTP', () => {
  it('404 for unknown paths, with or without a key', async () => {
    for (const path of [
      '/',
      '/api',
      '/api/render/',
      '/api/nothing',
      '/API/JOBS',
      '/outputs',
      '/outputs/x',
      '/outputs/..%2f..%2fframewright.db',
      '/api/jobs/a/b/c',
      `/api/jobs/${'a'.repeat(500)}`,
    ]) {
      expectError(await service.call('GET', path, { key }), 404, 'NOT_FOUND');
    }
    expectError(await service.call('GET', '/api/nothing'), 404, 'NOT_FOUND');
  });

  it('405 for unsupported methods, with the supported ones in Allow', async () => {
    const table: Array<[string, string, string]> = [
      ['GET', '/api/render', 'POST'],
      ['DELETE', '/api/render?x=1', 'POST'],
      ['POST', '/api/render/schema', 'GET, HEAD'],
      ['PUT', '/api/jobs', 'GET, HEAD'],
      ['DELETE', '/api/jobs/2b0c5c5e-0000-4000-8000-000000000000', 'GET, HEAD'],
      ['POST', '/api/jobs/2b0c5c5e-0000-4000-8000-000000000000/progress', 'GET'],
      ['OPTIONS', '/api/jobs', 'GET, HEAD'],
    ];
    for (const [method, path, allow] of table) {
      const answer = await service.call(method, path, { key });
      expectError(answer, 405, 'INVALID_REQUEST');
      expect(answer.headers.get('allow')).toBe(allow);
    }
  });

  it('413 for a body over 5 MiB', async () => {
    expectError(await render({ text: `{"comment":"${'x'.repeat(5 * 1024 * 1024)}"}`, headers: jsonType }), 413, 'INVALID_REQUEST');
    const ok = await render({ body: { ...movie(), _padding: 'x'.repeat(5 * 1024 * 1024 - 1000) } });
    expect(ok.status).toBe(202);
    await service.waitForEnd(key, String(ok.body.job_id));
  });

  it('415 for bodies with another type, without one, or compressed', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'multipart/form-data; boundary=x',
      'application/problem+json',
      '',
    ]) {
      expectError(await render({ text: JSON.stringify(movie()), headers: { 'content-type': type } }), 415, 'INVALID_REQUEST');
    }
    expectError(await render({ text: JSON.stringify(movie()), headers: { ...jsonType, 'content-encoding': 'gzip' } }), 415, 'INVALID_REQUEST');
    const { status } = await sendRaw(
      service.app.address,
      `POST /api/render HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    );
    expect(status).toBe(415);
  });

  it('accepts application/json with parameters', async () => {
    const answer = await render({ text: JSON.stringify(movie()), headers: { 'content-type': 'Application/JSON; charset=utf-8' } });
    expect(answer.status).toBe(202);
    await service.waitForEnd(key, String(answer.body.job_id));
  });

  it.each([
    ['no request at all', 'hello\r\n\r\n', 400],
    ['headers too large', `GET /api/jobs HTTP/1.1\r\nHost: x\r\nx-big: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
    ['a path that can not be decoded', 'GET /api/jobs/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['two lengths', 'POST /api/render HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}', 400],
    ['no Host, which we do not need', 'GET /api/nothing HTTP/1.1\r\nConnection: close\r\n\r\n', 404],
    ['an unknown expectation', 'GET /api/nothing HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n', 404],
  ])('%s has the error shape and the rate headers too', async (_name, bytes, status) => {
    const answer = await sendRaw(service.app.address, bytes);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({ error: { code: status === 404 ? 'NOT_FOUND' : 'INVALID_REQUEST', message: expect.any(String) } });
    for (const name of ['limit', 'remaining', 'reset']) expect(answer.headers[`x-ratelimit-${name}`]).toMatch(/^\d+$/);
  });
});

it('a refused request changes nothing', async () => {
  const jobs = await service.app.db.selectFrom('jobs').select('id').where('account_id', '=', accountId).execute();
  const before = { count: jobs.length, balance: await service.balance(accountId) };
  await render({ body: { scenes: [] } });
  await render({ text: '{', headers: jsonType });
  await render({ body: movie('', 5000) });
  const after = await service.app.db.selectFrom('jobs').select('id').where('account_id', '=', accountId).execute();
  expect({ count: after.length, balance: await service.balance(accountId) }).toEqual(before);
});

it('500 INTERNAL_ERROR reveals no internals and has the rate headers', async () => {
  const other = await startService({ workers: 0 });
  const mine = await other.createKey();
  const drop = (name: string): Promise<void> => {
    const dropping = other.app.db.schema.dropTable(name);
    // PostgreSQL does not drop a table that others reference.
    return ('url' in other.database ? dropping.cascade() : dropping).execute();
  };
  for (const name of ['ledger_entries', 'jobs', 'job_counts']) await drop(name);
  for (const path of ['/api/jobs', '/api/jobs/x', '/api/jobs/x/progress']) {
    const answer = await other.call('GET', path, { key: mine.key });
    expect(expectError(answer, 500, 'INTERNAL_ERROR').message).not.toMatch(/sql|table|jobs/i);
  }
  await drop('api_keys');
  expectError(await other.call('GET', '/api/jobs', { key: mine.key }), 500, 'INTERNAL_ERROR');
  expect(other.log.some((line) => /no such table|relation .* does not exist/.test(line))).toBe(true);
  await other.app.close(0);
});
