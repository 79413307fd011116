import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAnswerOfOurs } from '../../support/error-answer.js';
import { exchange, type RawAnswer } from '../../support/raw-http.js';
import { movie, type Service, startService } from '../../support/service-in-process.js';

let service: Service;
let key: string;
beforeAll(async () => {
  service = await startService({ workers: 0 });
  ({ key } = await service.createKey({ credits: 100_000 }));
});
afterAll(() => service.stop());

const ask = (bytes: string | Buffer | readonly (string | Buffer)[]): Promise<RawAnswer[]> => exchange(service.app.address, bytes);
const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`;
/** A request hidden in the body of another, which must never get a response. */
const smuggled = 'GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
const post = (headers: string, body: string): string => `POST /api/render HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;

describe('ambiguous framing', () => {
  const chunked = `0\r\n\r\n${smuggled}`;
  const cases: Array<[name: string, bytes: string]> = [
    ['a length and chunks', post(`Content-Length: ${chunked.length}\r\nTransfer-Encoding: chunked\r\n`, chunked)],
    ['chunks and a length', post('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', chunked)],
    ['two lengths', post('Content-Length: 2\r\nContent-Length: 40\r\n', `{}${smuggled}`)],
    ['the same length twice', post('Content-Length: 2\r\nContent-Length: 2\r\n', `{}${smuggled}`)],
    ['a list of lengths', post('Content-Length: 2, 2\r\n', `{}${smuggled}`)],
    ['a signed length', post('Content-Length: +2\r\n', `{}${smuggled}`)],
    ['a negative length', post('Content-Length: -2\r\n', `{}${smuggled}`)],
    ['a hexadecimal length', post('Content-Length: 0x2\r\n', `{}${smuggled}`)],
    ['a length with a space in it', post('Content-Length: 2 2\r\n', `{}${smuggled}`)],
    ['a length beyond all numbers', post('Content-Length: 99999999999999999999999\r\n', `{}${smuggled}`)],
    ['an empty length', post('Content-Length:\r\n', `{}${smuggled}`)],
    ['an unknown encoding', post('Transfer-Encoding: xchunked\r\n', chunked)],
    ['chunks that are not last', post('Transfer-Encoding: chunked, identity\r\n', chunked)],
    ['a space before the colon', post('Transfer-Encoding : chunked\r\nContent-Length: 5\r\n', chunked)],
    ['a folded header', post('Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n', chunked)],
    ['a vertical tab', post('Transfer-Encoding: \x0bchunked\r\n', chunked)],
    ['a chunk size that is none', post('Transfer-Encoding: chunked\r\n', `zz\r\n{}\r\n${chunked}`)],
    ['a chunk size with a sign', post('Transfer-Encoding: chunked\r\n', `+2\r\n{}\r\n${chunked}`)],
    ['a chunk size beyond all numbers', post('Transfer-Encoding: chunked\r\n', `fffffffffffffffff\r\n{}\r\n${chunked}`)],
    ['a chunk that is longer than its size', post('Transfer-Encoding: chunked\r\n', `1\r\n{}\r\n${chunked}`)],
    ['a bare line feed in a chunk', post('Transfer-Encoding: chunked\r\n', `2\n{}\n0\n\n${smuggled}`)],
    ['a bare carriage return', `POST /api/render HTTP/1.1\rHost: x\r\n\r\n${smuggled}`],
    ['a header without a colon', `GET /api/jobs HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n${smuggled}`],
    ['a header without a name', `GET /api/jobs HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n${smuggled}`],
    ['a zero byte in a header', `GET /api/jobs HTTP/1.1\r\nHost: x\r\nX-A: a\x00b\r\n\r\n${smuggled}`],
    ['a space in a header name', `GET /api/jobs HTTP/1.1\r\nHost: x\r\nX A: b\r\n\r\n${smuggled}`],
  ];
  it.each(cases)('%s closes the connection, and the bytes after it are not parsed as a request', async (_name, bytes) => {
    const answers = await ask(bytes);
    expect(answers).toHaveLength(1);
    for (const answer of answers) {
      expectAnswerOfOurs(answer);
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
  });
});

describe('unusual requests', () => {
  const long = 'a'.repeat(15_000);
  const cases: Array<[name: string, bytes: string | Buffer, statuses: number[]]> = [
    ['no version', 'GET /api/jobs\r\n\r\n', [400, 401]],
    ['HTTP/1.0', 'GET /api/jobs HTTP/1.0\r\n\r\n', [401]],
    ['a version that does not exist', 'GET /api/jobs HTTP/3.7\r\nHost: x\r\n\r\n', [400]],
    ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
    ['TLS', Buffer.from('16030100a5010000a10303', 'hex'), [400]],
    ['a method in small letters', 'get /api/jobs HTTP/1.1\r\nHost: x\r\n\r\n', [400]],
    ['a method that does not exist', 'STEAL /api/jobs HTTP/1.1\r\nHost: x\r\n\r\n', [400]],
    ['TRACE', 'TRACE /api/jobs HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', [404, 405]],
    ['PROPFIND', 'PROPFIND /api/jobs HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', [404, 405]],
    ['CONNECT', 'CONNECT 169.254.169.254:80 HTTP/1.1\r\nHost: x\r\n\r\n', [405]],
    ['an upgrade', get('/api/jobs', 'Upgrade: websocket\r\nSec-WebSocket-Key: x\r\n'), [401]],
    ['an upgrade to HTTP/2', get('/api/jobs', 'Upgrade: h2c\r\nHTTP2-Settings: x\r\n'), [401]],
    ['another server in the request line', get('http://169.254.169.254/latest/meta-data'), [404]],
    ['a path that looks like a host', get('//169.254.169.254/api/jobs'), [404]],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', [404]],
    ['a path without a slash', get('api/jobs'), [400, 404]],
    ['a fragment', get('/api/jobs#x'), [400, 401, 404]],
    ['a zero byte in the path', get('/api/jobs/%00', `x-api-key: KEY\r\n`), [404]],
    ['half an escape', get('/api/jobs/%e0%a4%a', `x-api-key: KEY\r\n`), [400]],
    ['bytes that are not UTF-8', get('/api/jobs/%ff%fe', `x-api-key: KEY\r\n`), [400, 404]],
    ['raw bytes in the path', get('/api/jobs/\xff\xfe', `x-api-key: KEY\r\n`), [400, 404]],
    ['a quotation mark and SQL', get("/api/jobs/'%20OR%201=1--", `x-api-key: KEY\r\n`), [404]],
    ['a path up the tree', get('/api/jobs/../../etc/passwd', `x-api-key: KEY\r\n`), [404]],
    ['a path up the tree, escaped', get('/api/templates/..%2f..%2fetc%2fpasswd', `x-api-key: KEY\r\n`), [404]],
    ['a very long path', get(`/${long}`), [404]],
    ['a longer path than fits', get(`/${'a'.repeat(70_000)}`), [431]],
    ['ten thousand headers', get('/api/jobs', Array.from({ length: 10_000 }, (_, index) => `x-${index}: y\r\n`).join('')), [431]],
    ['two thousand short headers', get('/api/jobs', 'a:b\r\n'.repeat(2000)), [401, 431]],
    ['one long header', get('/api/jobs', `x-long: ${'y'.repeat(20_000)}\r\n`), [431]],
    ['a key twice', get('/api/jobs', `x-api-key: KEY\r\nx-api-key: KEY\r\n`), [401]],
    ['a key of nothing', get('/api/jobs', `x-api-key:\r\n`), [401]],
    ['a key of bytes', get('/api/jobs', `x-api-key: ve_live_\xff\xff\r\n`), [401]],
    ['a long key', get('/api/jobs', `x-api-key: ve_live_${'a'.repeat(10_000)}\r\n`), [401]],
    ['a foreign host', `GET /api/openapi.json HTTP/1.1\r\nHost: evil.example"><script>\r\nConnection: close\r\n\r\n`, [200]],
    ['two hosts', 'GET /api/jobs HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n', [400, 401]],
    ['an idempotency key of bytes', post(`x-api-key: KEY\r\nIdempotency-Key: \xe9\xff\r\nContent-Length: 2\r\nConnection: close\r\n`, '{}'), [400]],
    ['an encoded body', post(`x-api-key: KEY\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\nConnection: close\r\n`, '{}'), [415]],
    [
      'a character set',
      post(`x-api-key: KEY\r\nContent-Length: 2\r\nConnection: close\r\n`, '{}').replace('application/json', 'application/json; charset=utf-16'),
      [400, 415],
    ],
    [
      'tricks with the content type',
      post(`x-api-key: KEY\r\nContent-Length: 2\r\nConnection: close\r\n`, '{}').replace('application/json', 'application/json\t; a'),
      [400, 415],
    ],
    ['queries without end', get(`/api/jobs?${'page=1&'.repeat(1500)}`, `x-api-key: KEY\r\n`), [200, 400]],
    ['a query for a prototype', get('/api/jobs?__proto__[limit]=5&constructor.prototype=1&page[]=2', `x-api-key: KEY\r\n`), [200, 400]],
    ['a limit of many digits', get(`/api/jobs?limit=${'9'.repeat(400)}`, `x-api-key: KEY\r\n`), [400]],
    ['a limit in exponents', get('/api/jobs?limit=1e1', `x-api-key: KEY\r\n`), [400]],
    ['SQL as a status', get("/api/jobs?status=queued'--", `x-api-key: KEY\r\n`), [400]],
    ['a key in the query where it does not belong', get('/api/jobs?apiKey=KEY'), [401]],
    ['a list of keys in the query', get('/api/jobs/x/progress?apiKey=KEY&apiKey=KEY'), [401]],
    ['output names of other shapes', get('/outputs/....//....//etc/passwd'), [404]],
    ['an output name with a zero byte', get('/outputs/a.mp4%00.png'), [404]],
  ];
  it.each(cases)('%s', async (_name, bytes, statuses) => {
    const answers = await ask(typeof bytes === 'string' ? bytes.replaceAll('KEY', key) : bytes);
    expect(answers.map(({ status }) => status)).toEqual([expect.toSatisfy((status: number) => statuses.includes(status), statuses.join(' or '))]);
    for (const answer of answers) {
      expectAnswerOfOurs(answer);
      expect(answer.body).not.toContain('evil.example');
    }
  });
});

describe('chunked bodies', () => {
  const keyed = (headers: string): string => post(`x-api-key: ${key}\r\n${headers}`, '');

  it('without an end are cut off at the size limit', async () => {
    const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const answers = await ask([keyed('Transfer-Encoding: chunked\r\n'), ...Array.from({ length: 90 }, () => piece)]);
    expect(answers.map(({ status }) => status)).toEqual([413]);
    expectAnswerOfOurs(answers[0] as RawAnswer);
  });

  it('with one byte per chunk form one body', async () => {
    const script = JSON.stringify(movie());
    const pieces = [...script].map((character) => `1\r\n${character}\r\n`).join('');
    const answers = await ask(`${keyed('Transfer-Encoding: chunked\r\nConnection: close\r\n')}${pieces}0\r\n\r\n`);
    expect(answers.map(({ status }) => status)).toEqual([202]);
  });

  it('with an endless chunk extension are refused', async () => {
    const answers = await ask(`${keyed('Transfer-Encoding: chunked\r\n')}2;${'a=b;'.repeat(10_000)}\r\n{}\r\n0\r\n\r\n`);
    expect(answers.map(({ status }) => status)).toEqual([413]);
    expectAnswerOfOurs(answers[0] as RawAnswer);
  });

  it('with a key in their trailers are unauthorized', async () => {
    const answers = await ask(`${post('Transfer-Encoding: chunked\r\nConnection: close\r\n', '')}2\r\n{}\r\n0\r\nx-api-key: ${key}\r\n\r\n`);
    expect(answers.map(({ status }) => status)).toEqual([401]);
  });

  it('that exceed their Content-Length get one response', async () => {
    const script = JSON.stringify(movie());
    const answers = await ask(`${keyed(`Content-Length: ${script.length}\r\n`)}${script}trailing rubbish\r\n\r\n`);
    expect(answers.map(({ status, headers }) => [status, headers.connection])).toEqual([[202, 'close']]);
  });
});

it('fifty pipelined requests are answered in order', async () => {
  const one = `GET /api/jobs HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\n\r\n`;
  const answers = await ask(one.repeat(50));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
  expect(new Set(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).size).toBe(50);
});

describe('stalled clients', () => {
  const waiting = 45_000;
  let hasty: Service;
  beforeAll(async () => {
    hasty = await startService({ workers: 0, httpTiming: { headersMs: 1500, requestMs: 3000, checkIntervalMs: 200 } });
  });
  afterAll(() => hasty.stop());

  it('do not block others, even three hundred at once', async () => {
    const idle = Array.from({ length: 300 }, () => exchange(hasty.app.address, 'GET /api/', waiting));
    const before = Date.now();
    expect((await hasty.call('GET', '/healthz')).status).toBe(200);
    expect(Date.now() - before).toBeLessThan(2000);
    for (const answers of await Promise.all(idle)) expect(answers.map(({ status }) => status)).toEqual([408]);
  });

  it('get a timeout response and are disconnected', async () => {
    const { key: own } = await hasty.createKey();
    const answers = await Promise.all([
      exchange(hasty.app.address, 'GET /api/jobs HTTP/1.1\r\nHost: x\r\nX-Slow: ', waiting),
      exchange(hasty.app.address, post(`x-api-key: ${own}\r\nContent-Length: 100\r\n`, '{"sc'), waiting),
      exchange(hasty.app.address, post(`x-api-key: ${own}\r\nTransfer-Encoding: chunked\r\n`, '5\r\n{"sce'), waiting),
      // Refused at once without a key; the server still waits for the missing bytes, but sends no second response.
      exchange(hasty.app.address, post('Content-Length: 100\r\n', '{"sc'), waiting),
    ]);
    expect(answers.flat().map(({ status }) => status)).toEqual([408, 408, 408, 401]);
    for (const answer of answers.flat()) expectAnswerOfOurs(answer);
  });
});

it('the service still works and has logged no error', async () => {
  expect(({} as Record<string, unknown>).limit).toBeUndefined();
  expect((await service.call('GET', '/readyz')).status).toBe(200);
  expect(service.log.filter((line) => line.includes('"level":50'))).toEqual([]);
});
