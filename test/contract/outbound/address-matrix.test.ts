import { rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliverExports, type ExportFile, parseExports } from '../../../src/delivery/exports/index.js';
import { sendWebhook } from '../../../src/delivery/webhooks/webhook-request.js';
import { createAgents, createOutbound, type Outbound } from '../../../src/outbound/index.js';
import { createAssets } from '../../../src/render/assets/index.js';
import { parseMovie } from '../../../src/script/index.js';
import { hostileAddresses, hostileHosts } from '../../support/hostile-addresses.js';
import { type ConnectionWatch, watchConnections } from '../../support/watch-connections.js';
import { type LocalServer, startServer } from '../../unit/outbound/local-server.js';
import { type Folder, localParts, makeFile, temporaryFolder } from '../delivery/exports/fixtures.js';

let folder: Folder;
let file: ExportFile;
/** The only allowed server: it redirects to the URL in its query. */
let front: LocalServer;
let watch: ConnectionWatch;
/** Why each case failed: only the address policy may be the reason. */
const reasons: string[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  file = await makeFile(folder.path, 100);
  front = await startServer((request, response) => {
    const to = new URL(request.url ?? '/', 'http://x').searchParams.get('to') ?? '';
    redirect(response, 307, to);
  });
  watch = watchConnections();
});
afterAll(async () => {
  watch.stop();
  await front.close();
  await folder.remove();
});

/** A raw server: Node's HTTP server refuses to send some hostile headers. */
function redirect(response: ServerResponse, status: number, location: string): void {
  response.socket?.end(`HTTP/1.1 ${status} Elsewhere\r\nLocation: ${location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}

const signal = new AbortController().signal;
const bareHost = (url: string): string => /^\w+:\/\/([^/]*?):\d+\//.exec(url)?.[1]?.replace(/^\[|\]$/g, '') ?? '';
const failing = (result: { status: string; message: string | null } | undefined): void => {
  if (result?.status === 'failed') throw new Error(result.message ?? '');
};
const assetsOf = (outbound: Outbound) => createAssets({ folder: folder.path, outbound, probe: () => Promise.reject(new Error('a file came')) });
const refused = (reason: string | undefined): void => {
  if (reason !== undefined) throw new Error(reason);
};
const exported = async (outbound: Outbound, target: object): Promise<void> => {
  const [result] = await deliverExports(parseExports([target]), file, localParts({ outbound, idleMs: 2000 }));
  failing(result);
};

/** Every function of the service and its render processes that connects to an address from outside. */
const sinks: Record<string, (url: string, outbound: Outbound) => Promise<unknown>> = {
  'an image': (url, outbound) => assetsOf(outbound).fetchAsset(url, 'scenes.0', 'image', signal),
  'a video': (url, outbound) => assetsOf(outbound).fetchAsset(url, 'scenes.0', 'video', signal),
  'a sound': (url, outbound) => assetsOf(outbound).fetchAsset(url, 'scenes.0', 'audio', signal),
  'a font': (url, outbound) => assetsOf(outbound).fetchFile(url, 'scenes.0', 'font', 1000, signal),
  'a captions file': (url, outbound) => assetsOf(outbound).fetchFile(url, 'scenes.0', 'captions file', 1000, signal),
  'a redirect of a download': (url, outbound) =>
    outbound.download(`${front.origin}/?to=${encodeURIComponent(url)}`, `${folder.path}/x`, { maxBytes: 1000, timeoutMs: 5000, stallMs: 5000 }),
  'a webhook': async (url, outbound) =>
    refused((await sendWebhook({ id: 'msg_1', url, body: '{}', at: 0, secrets: [], timeoutMs: 5000 }, outbound, signal)).error ?? undefined),
  'the check of a webhook': async (url, outbound) => refused(await outbound.checkResolved(url)),
  'an export to a webhook': (url, outbound) => exported(outbound, { type: 'webhook', endpoint: url }),
  'an export to S3': (url, outbound) =>
    exported(outbound, { type: 's3', endpoint: url, region: 'eu-west-1', bucket: 'films', access_key_id: 'a', secret_access_key: 's', key: 'k' }),
  'an export by FTP': (url, outbound) => exported(outbound, { type: 'ftp', host: bareHost(url), username: 'u', password: 'p', secure: false }),
  'an export by FTPS': (url, outbound) => exported(outbound, { type: 'ftp', host: bareHost(url), username: 'u', password: 'p', secure: 'implicit' }),
  'an export by SFTP': (url, outbound) => exported(outbound, { type: 'sftp', host: bareHost(url), username: 'u', password: 'p' }),
  'a service of voices': (url, outbound) => outbound.send(url, { method: 'POST', headers: {}, body: '{}', idleMs: 2000, maxResponseBytes: 1000 }),
  'a WebSocket': (url, outbound) =>
    outbound.withWebSocket(url.replace(/^http/, 'ws'), { headers: {}, idleMs: 2000, maxBytes: 1000, signal }, async () => 'reached'),
  'a socket with TLS': (url, outbound) => outbound.connect(bareHost(url), 443, { tls: true }),
  "another client's agent": (url, outbound) => {
    const agents = createAgents(outbound.connect);
    return new Promise((resolve, reject) => {
      const request = (agents.http as unknown as { createConnection: (options: object, done: (error: unknown) => void) => void }).createConnection;
      request.call(agents.http, { host: bareHost(url), port: 80 }, (error) => (error === null ? resolve('reached') : reject(error)));
    });
  },
};

const refusal = /not a public address|not lead to a public address|must be (an http or https|a host name)|(is|no) URL|Invalid URL/;

/** Expects the address policy to refuse the address. */
async function expectRefused(url: string, outbound: Outbound, sink: (url: string, outbound: Outbound) => Promise<unknown>): Promise<void> {
  const reason = await sink(url, outbound).then(
    (value) => `it was reached: ${String(value)}`,
    (error: unknown) => wholeMessage(error),
  );
  if (!refusal.test(reason)) reasons.push(`${url}: ${reason}`);
}

function wholeMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} / ${wholeMessage(error.cause)}`;
}

function expectNoConnection(): void {
  const elsewhere = watch.attempts().filter((address) => address !== front.host);
  expect(elsewhere).toEqual([]);
  expect(reasons.splice(0)).toEqual([]);
}

describe('a private address', () => {
  it.each(Object.entries(sinks))('is never connected to for %s', async (_name, sink) => {
    const strict = createOutbound({ allowPrivateHosts: [front.host], resolve: async () => ['127.0.0.1'] });
    for (const host of hostileHosts) for (const scheme of ['http', 'HTTP', 'https']) await expectRefused(`${scheme}://${host}:9/a`, strict, sink);
    await strict.close();
    expectNoConnection();
  });

  it.each(Object.entries(sinks))('is never connected to for %s by a name that leads there, alone or among public ones', async (_name, sink) => {
    for (const address of hostileAddresses) {
      for (const answers of [[address], ['93.184.215.14', address], [address, '2606:4700:4700::1111']]) {
        const outbound = createOutbound({ allowPrivateHosts: [front.host], resolve: async () => answers });
        await expectRefused('http://files.example.com:9/a', outbound, sink);
        await outbound.close();
      }
    }
    expectNoConnection();
  });
});

it('the connection counter counts connections', async () => {
  const before = watch.attempts().length;
  const open = createOutbound({ allowPrivateHosts: ['127.0.0.1'] });
  (await open.connect('127.0.0.1', front.port)).destroy();
  await open.send(front.origin, { method: 'GET', headers: {}, idleMs: 1000 });
  expect(watch.attempts().slice(before)).toEqual([front.host, front.host]);
  await open.close();
});

describe('a script with a private address is refused at the path of the field', () => {
  const { checkUrl, checkHost } = createOutbound({ allowPrivateHosts: [] });
  const element = (fields: object): object => ({ scenes: [{ duration: 1, elements: [fields] }] });
  const fields: Record<string, [path: string, script: (url: string) => object]> = {
    image: ['scenes.0.elements.0.src', (src) => element({ type: 'image', src })],
    video: ['scenes.0.elements.0.src', (src) => element({ type: 'video', src })],
    audio: ['scenes.0.elements.0.src', (src) => element({ type: 'audio', src })],
    page: ['scenes.0.elements.0.src', (src) => element({ type: 'html', src })],
    mask: ['scenes.0.elements.0.mask', (mask) => element({ type: 'image', src: 'https://example.com/a.png', mask })],
    captions: ['scenes.0.elements.0.captions', (captions) => element({ type: 'subtitles', captions })],
    font: ['scenes.0.elements.0.font-url', (url) => element({ type: 'text', text: 'a', 'font-url': url })],
    'font of captions': ['scenes.0.elements.0.settings.font-url', (url) => element({ type: 'subtitles', settings: { 'font-url': url } })],
    webhook: ['webhook_uri', (webhook_uri) => ({ scenes: [{ duration: 1 }], webhook_uri })],
    'export to a webhook': ['exports.0.endpoint', (endpoint) => ({ scenes: [{ duration: 1 }], exports: [{ type: 'webhook', endpoint }] })],
    'export by SFTP': [
      'exports.0.host',
      (url) => ({ scenes: [{ duration: 1 }], exports: [{ type: 'sftp', host: bareHost(url), username: 'u', password: 'p' }] }),
    ],
  };
  it.each(Object.entries(fields))('%s', (_name, [path, script]) => {
    for (const host of hostileHosts) {
      const submit = (): void => {
        const movie = parseMovie(script(`http://${host}:9/a`), { checkUrl });
        parseExports(movie.exports, { checkUrl, checkHost });
      };
      expect(submit, host).toThrow(expect.objectContaining({ code: 'SCHEMA_VALIDATION_ERROR', path }));
    }
  });
});

describe('redirects', () => {
  const targets: Array<[name: string, to: (host: string) => string]> = [
    ['to a literal', () => 'http://127.0.0.1:9/'],
    ['in capitals', () => 'HTTP://LOCALHOST:9/'],
    ['without a scheme', () => '//127.0.0.1:9/'],
    ['with backslashes', () => 'http:\\\\127.0.0.1:9\\'],
    ['with one slash and a backslash', () => '/\\127.0.0.1:9/'],
    ['with our host as the user', (host) => `http://${host}@127.0.0.1:9/`],
    ['with our host behind the fragment', (host) => `http://127.0.0.1:9#@${host}/`],
    ['with a tab in the scheme', () => 'ht\ttp://127.0.0.1:9/'],
    ['with spaces around', () => '  http://127.0.0.1:9/  '],
    ['to a mapped address', () => 'http://[::ffff:127.0.0.1]:9/'],
    ['to a number', () => 'http://2130706433:9/'],
    ['to a name that leads inside', () => 'http://inside.example.com:9/'],
    ['to a file', () => 'file:///etc/passwd'],
    ['to FTP', () => 'ftp://127.0.0.1/'],
    ['to data', () => 'data:text/plain,x'],
    ['to a blob', () => 'blob:http://127.0.0.1:9/x'],
    ['to gopher', () => 'gopher://127.0.0.1:9/_x'],
    ['by way of ourselves', (host) => `http://${host}/?to=${encodeURIComponent('http://169.254.169.254/latest')}`],
  ];
  it.each(targets)('%s are not followed with any status', async (_name, to) => {
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await startServer((_request, response) => {
        redirect(response, status, to(front.host));
      });
      const open = createOutbound({ allowPrivateHosts: [front.host, server.host], resolve: async () => ['127.0.0.1'] });
      const before = watch.attempts().length;
      await expect(open.download(`${server.origin}/`, `${folder.path}/x`, { maxBytes: 1000, timeoutMs: 5000, stallMs: 5000 })).rejects.toThrow(
        /address that is refused|does not lead to a public address|something that is no URL/,
      );
      const answer = await open.send(`${server.origin}/`, { method: 'POST', headers: {}, body: 'x', idleMs: 2000 });
      expect(answer.status).toBe(status);
      const dialled = new Set(watch.attempts().slice(before));
      dialled.delete(server.host);
      dialled.delete(front.host);
      expect([...dialled]).toEqual([]);
      await open.close();
      await server.close();
    }
  });
});

describe('a name whose address changes', () => {
  /** Both are this host; only the first is on the allow list. */
  const allowed = '127.0.0.2';
  const forbidden = '127.0.0.1';

  it('a thousand times reaches only allowed addresses', async () => {
    const server = createServer((_request, response) => response.writeHead(200, { connection: 'close' }).end('x'));
    await new Promise<void>((listening) => server.listen(0, '0.0.0.0', listening));
    const port = (server.address() as { port: number }).port;
    let state = 7;
    const flips = { allowed: 0, forbidden: 0, mixed: 0 };
    const outbound = createOutbound({
      allowPrivateHosts: [`${allowed}:${port}`],
      resolve: async () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        const kind = (['allowed', 'forbidden', 'mixed'] as const)[(state >>> 24) % 3] ?? 'mixed';
        flips[kind] += 1;
        return kind === 'mixed' ? [allowed, forbidden] : [kind === 'allowed' ? allowed : forbidden];
      },
    });
    const url = `http://flip.example.com:${port}/`;
    const before = watch.attempts().length;
    let reached = 0;
    const count = (): void => {
      reached += 1;
    };
    for (let turn = 0; turn < 250; turn += 1) {
      // An earlier check, as at submission, must not affect the connection.
      await outbound.checkResolved(url);
      const path = `${folder.path}/flip`;
      await outbound.download(url, path, { maxBytes: 10, timeoutMs: 5000, stallMs: 5000 }).then(count, () => {});
      await outbound.send(url, { method: 'POST', headers: {}, body: 'x', idleMs: 2000, newConnection: true }).then(count, () => {});
      await outbound.connect('flip.example.com', port).then(
        (socket) => {
          count();
          socket.destroy();
        },
        () => {},
      );
      await rm(path, { force: true });
    }
    const dialled = watch.attempts().slice(before);
    expect(flips.allowed + flips.forbidden + flips.mixed).toBeGreaterThanOrEqual(1000);
    expect(new Set(dialled)).toEqual(new Set([`${allowed}:${port}`]));
    // Most lookups that find only the allowed address lead to a connection; the others are checks.
    expect(dialled.length).toBe(reached);
    expect(reached).toBeGreaterThan(150);
    await outbound.close();
    server.closeAllConnections();
    server.close();
  });
});
