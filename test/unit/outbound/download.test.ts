import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer as createRawServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors/index.js';
import { createOutbound, type DownloadOptions, type Outbound } from '../../../src/outbound/index.js';
import { type LocalServer, startServer } from './local-server.js';

const body = randomBytes(300_000);
const limits: DownloadOptions = { maxBytes: 1_000_000, timeoutMs: 10_000, stallMs: 5_000 };
let folder: string;
let server: LocalServer;
/** Listens on the loopback interface and is not on the allow list. */
let canary: LocalServer;
let outbound: Outbound;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'outbound-'));
  canary = await startServer((_request, response) => response.end('secret'));
  server = await startServer((request, response) => {
    const path = request.url ?? '';
    const redirect = /^\/redirect\/(\d+)\?to=(.*)$/.exec(path);
    const shaky = /^\/(busy|cut)\/(\d)$/.exec(path);
    if (shaky !== null && (server.hits.get(path) ?? 0) <= Number(shaky[2])) {
      if (shaky[1] === 'busy') response.writeHead(503).end();
      else response.writeHead(200, { 'content-length': body.length }).write(body.subarray(0, 1000), () => response.destroy());
    } else if (redirect !== null) response.writeHead(Number(redirect[1]), { location: decodeURIComponent(redirect[2] ?? '') }).end('elsewhere');
    else if (path.startsWith('/status/')) response.writeHead(Number(path.slice(8, 11))).end('no');
    else if (path === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(20_000_000)));
    else if (path === '/endless') {
      const chunk = Buffer.alloc(65_536);
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    } else if (path === '/announced') response.writeHead(200, { 'content-length': '2000000' }).write('x');
    else if (path === '/broken') {
      response.writeHead(200, { 'content-length': '5000' }).write('half');
      setTimeout(() => response.destroy(), 50);
    } else if (path === '/silent') request.on('close', () => {});
    else if (path === '/drip') {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(timer));
    } else if (path === '/empty') response.end();
    else if (path === '/loop') response.writeHead(302, { location: '/loop' }).end();
    else response.writeHead(200, { 'content-type': 'Image/PNG; charset=x', 'content-length': body.length }).end(body);
  });
  outbound = createOutbound({ allowPrivateHosts: [server.host] });
});

afterAll(async () => {
  await outbound.close();
  await server.close();
  await canary.close();
  rmSync(folder, { recursive: true });
});

const destination = (): string => join(folder, randomBytes(6).toString('hex'));

async function failure(url: string, options: Partial<DownloadOptions> = {}, door = outbound): Promise<AppError> {
  const path = destination();
  const error = await door.download(url, path, { ...limits, ...options }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(existsSync(path), 'no file is left behind').toBe(false);
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
}

describe('a download', () => {
  test('stores the bytes and returns hash, size and type', async () => {
    const path = destination();
    const seen: Array<[number, number | undefined]> = [];
    const downloaded = await outbound.download(`${server.origin}/ok.png`, path, { ...limits, onProgress: (...progress) => seen.push(progress) });
    expect(downloaded).toEqual({ sha256: createHash('sha256').update(body).digest('hex'), sizeBytes: body.length, contentType: 'image/png' });
    expect(readFileSync(path).equals(body)).toBe(true);
    expect(seen.at(-1)).toEqual([body.length, body.length]);
    expect(server.requests.at(-1)?.headers['accept-encoding']).toBe('identity');
  });

  test.each([301, 302, 303, 307, 308])('follows a %i', async (status) => {
    const downloaded = await outbound.download(`${server.origin}/redirect/${status}?to=/ok.png`, destination(), limits);
    expect(downloaded.sizeBytes).toBe(body.length);
  });

  test.each(['/busy', '/cut'])('of %s is tried again, three times in all', async (kind) => {
    const downloaded = await outbound.download(`${server.origin}${kind}/2`, destination(), limits);
    expect(downloaded.sha256).toBe(createHash('sha256').update(body).digest('hex'));
    expect(server.hits.get(`${kind}/2`)).toBe(3);
    await failure(`${server.origin}${kind}/9`);
    expect(server.hits.get(`${kind}/9`)).toBe(3);
  });

  test.each(['end', 'resetAndDestroy'] as const)('of half of the announced length is refused, also when the connection is closed by %s', async (close) => {
    const whole = Buffer.alloc(8_000_000, 7);
    const half = createRawServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${whole.length}\r\n\r\n`);
        socket.write(whole.subarray(0, whole.length / 2), () => socket[close]());
      });
    });
    await new Promise<void>((resolve) => half.listen(0, '127.0.0.1', resolve));
    const { port } = half.address() as AddressInfo;
    const door = createOutbound({ allowPrivateHosts: [`127.0.0.1:${port}`] });
    try {
      const error = await failure(`http://127.0.0.1:${port}/half.mp4`, { maxBytes: 1e9 }, door);
      expect(error).toMatchObject({ code: 'RENDER_FAILED', message: `http://127.0.0.1:${port}/half.mp4 broke off the connection` });
    } finally {
      await door.close();
      half.close();
    }
  });

  test('of a missing file is not retried', async () => {
    await failure(`${server.origin}/status/410`);
    expect(server.hits.get('/status/410')).toBe(1);
  });

  test('sends the credentials of a URL to its host only', async () => {
    const target = encodeURIComponent(`http://localhost:${server.port}/ok.png`);
    await outbound.download(`http://user:p%40ss@${server.host}/redirect/302?to=${target}`, destination(), limits);
    const [asked, followed] = server.requests.slice(-2);
    expect(asked?.headers.authorization).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
    expect(followed?.headers.host).toBe(`localhost:${server.port}`);
    expect(followed?.headers.authorization).toBeUndefined();
  });

  test.each<[path: string, reason: string]>([
    ['/status/404', 'answered 404'],
    ['/status/500', 'answered 500'],
    ['/status/204', 'answered 204'],
    ['/gzip', 'answered with a compressed body, which is not accepted'],
    ['/endless', 'is larger than the 1000000 bytes allowed'],
    ['/announced', 'is larger than the 1000000 bytes allowed'],
    ['/broken', 'broke off the connection'],
    ['/empty', 'answered with an empty body'],
    ['/loop', 'redirects more than 5 times'],
    ['/redirect/302?to=http%3A%2F%2F', 'redirects to something that is no URL'],
    ['/redirect/302?to=file%3A%2F%2F%2Fetc%2Fpasswd', 'redirects to an address that is refused: it must be an http or https URL'],
    ['/redirect/302?to=http%3A%2F%2F169.254.169.254%2F', 'redirects to an address that is refused: 169.254.169.254 is not a public address'],
  ])('of %s fails: %s', async (path, reason) => {
    const error = await failure(`${server.origin}${path}`);
    expect(error.code).toBe('RENDER_FAILED');
    expect(error.message).toBe(`${server.origin}${path.replace(/\?.*/, '')} ${reason}`);
  });

  test('that never ends is aborted within a second of its limit', async () => {
    const started = Date.now();
    const error = await failure(`${server.origin}/drip`, { timeoutMs: 400 });
    expect(error.message).toBe(`${server.origin}/drip did not arrive within 0.4 s`);
    expect(Date.now() - started).toBeLessThan(1_400);
  });

  test('that stalls is aborted, with or without a response', async () => {
    for (const path of ['/drip', '/silent']) {
      const error = await failure(`${server.origin}${path}`, { stallMs: 300 });
      expect(error.message).toBe(`${server.origin}${path} sent almost nothing for 0.3 s`);
    }
  });

  test('rejects with the reason of its signal', async () => {
    const controller = new AbortController();
    const cancelled = new Error('cancelled');
    const path = destination();
    setTimeout(() => controller.abort(cancelled), 100);
    await expect(outbound.download(`${server.origin}/silent`, path, { ...limits, signal: controller.signal })).rejects.toBe(cancelled);
    await expect(outbound.download(`${server.origin}/ok.png`, path, { ...limits, signal: controller.signal })).rejects.toBe(cancelled);
    expect(existsSync(path)).toBe(false);
  });

  test('hides query and credentials in its messages', async () => {
    const error = await failure(`http://user:secret@${server.host}/status/403?signature=secret`);
    expect(error.message).toBe(`${server.origin}/status/403 answered 403`);
  });

  test('reports a refused connection', async () => {
    const gone = await startServer(() => {});
    await gone.close();
    const door = createOutbound({ allowPrivateHosts: ['127.0.0.1'] });
    const error = await failure(`${gone.origin}/a`, {}, door);
    await door.close();
    expect(error.message).toBe(`${gone.origin}/a refused the connection`);
  });

  test('over TLS sends the name and checks its certificate', async () => {
    const key = join(folder, 'key.pem');
    const certificate = join(folder, 'certificate.pem');
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=media.example', '-keyout', key, '-out', certificate],
      { stdio: 'ignore' },
    );
    const names: string[] = [];
    const secure = createSecureServer(
      {
        key: readFileSync(key),
        cert: readFileSync(certificate),
        SNICallback: (name, done) => {
          names.push(name);
          done(null);
        },
      },
      (_request, response) => response.end('x'),
    );
    await new Promise<void>((listening) => secure.listen(0, '127.0.0.1', listening));
    const { port } = secure.address() as AddressInfo;
    const door = createOutbound({ allowPrivateHosts: ['media.example'], resolve: async () => ['127.0.0.1'] });
    const error = await failure(`https://media.example:${port}/a`, {}, door);
    await door.close();
    secure.close();
    expect(names).toEqual(['media.example']);
    expect(error.message).toBe(`https://media.example:${port}/a has no certificate that can be trusted`);
  });

  test('from a server without HTTP fails', async () => {
    const raw: Server = createRawServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
    await new Promise<void>((listening) => raw.listen(0, '127.0.0.1', listening));
    const { port } = raw.address() as AddressInfo;
    const door = createOutbound({ allowPrivateHosts: ['127.0.0.1'] });
    const error = await failure(`http://127.0.0.1:${port}/a`, {}, door);
    await door.close();
    raw.close();
    expect(error.message).toBe(`http://127.0.0.1:${port}/a did not answer with valid HTTP`);
  });
});

describe('names', () => {
  const withNames = (names: Record<string, string[] | (() => string[])>, allowPrivateHosts: string[] = []): Outbound =>
    createOutbound({
      allowPrivateHosts,
      resolve: async (hostname) => {
        const addresses = names[hostname];
        if (addresses === undefined) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });
        return typeof addresses === 'function' ? addresses() : addresses;
      },
    });

  test.each<[string, string[]]>([
    ['a private address', ['127.0.0.1']],
    ['a private address among public ones', ['93.184.215.14', '10.0.0.1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['nothing', []],
  ])('that resolve to %s are not dialled', async (_what, addresses) => {
    const door = withNames({ 'evil.example': addresses });
    const error = await failure(`http://evil.example:${canary.port}/`, {}, door);
    await door.close();
    expect(error.message).toBe(`http://evil.example:${canary.port}/ does not lead to a public address`);
    expect(canary.requests).toHaveLength(0);
  });

  test('that do not exist are reported', async () => {
    const door = withNames({});
    const error = await failure('http://nowhere.example/a.png', {}, door);
    await door.close();
    expect(error.message).toBe('http://nowhere.example/a.png has a host name that does not exist');
  });

  test('on the allow list may resolve to private addresses, and the checked address is used', async () => {
    const door = withNames({ 'media.internal': ['127.0.0.1'] }, ['media.internal']);
    const downloaded = await door.download(`http://media.internal:${server.port}/ok.png`, destination(), limits);
    await door.close();
    expect(downloaded.sizeBytes).toBe(body.length);
    expect(server.requests.at(-1)?.headers.host).toBe(`media.internal:${server.port}`);
  });

  test('that change between two lookups never reach a private address', async () => {
    let asked = 0;
    // Check and connection use one lookup, so a change between them has no effect.
    const door = withNames({ 'flip.example': () => (asked++ % 2 === 0 ? ['127.0.0.1'] : ['10.255.255.1', '127.0.0.1']) });
    for (let attempt = 0; attempt < 50; attempt += 1) await failure(`http://flip.example:${canary.port}/`, {}, door);
    await door.close();
    expect(asked).toBe(50);
    expect(canary.requests).toHaveLength(0);
  });

  test('in a redirect pass the same checks', async () => {
    const door = withNames({ 'evil.example': ['127.0.0.1'] }, [server.host]);
    const target = encodeURIComponent(`http://evil.example:${canary.port}/`);
    const error = await failure(`${server.origin}/redirect/307?to=${target}`, {}, door);
    await door.close();
    expect(error.message).toContain('does not lead to a public address');
    expect(canary.requests).toHaveLength(0);
  });
});
