import { createServer, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createAgents, createOutbound, RefusedConnectionError } from '../../../src/outbound/index.js';
import { type LocalServer, startServer } from './local-server.js';

const open: LocalServer[] = [];

async function server(answer: Parameters<typeof startServer>[0] = (_request, response) => response.end('hello')): Promise<LocalServer> {
  const started = await startServer(answer);
  open.push(started);
  return started;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

const local = createOutbound({ allowPrivateHosts: ['127.0.0.1'], resolve: async () => ['127.0.0.1'] });
const strict = createOutbound({ allowPrivateHosts: [], resolve: async () => ['127.0.0.1'] });

describe('checkHost', () => {
  it.each([
    ['files.example.com', undefined],
    ['93.184.216.34', undefined],
    ['2606:2800:220:1::1', undefined],
    ['10.1.2.3', '10.1.2.3 is not a public address'],
    ['0x7f.1', '127.0.0.1 is not a public address'],
    ['::1', '[::1] is not a public address'],
    ['localhost', 'localhost is not a public address'],
    ['files.example.com/path', 'it must be a host name or an IP address'],
    ['user@files.example.com', 'it must be a host name or an IP address'],
    ['', 'it must be a host name or an IP address'],
  ])('%j', (host, reason) => {
    const rejection = strict.checkHost(host, 21);
    if (reason === undefined) expect(rejection).toBeUndefined();
    else expect(rejection?.replaceAll(/[[\]]/g, '')).toBe(reason.replaceAll(/[[\]]/g, ''));
  });

  it('allows hosts of the allow list, on their port', () => {
    const outbound = createOutbound({ allowPrivateHosts: ['10.1.2.3:2121'] });
    expect(outbound.checkHost('10.1.2.3', 2121)).toBeUndefined();
    expect(outbound.checkHost('10.1.2.3', 21)).toMatch(/not a public address/);
  });
});

describe('connect', () => {
  it('returns a connected socket', async () => {
    const { port } = await server();
    const socket = await local.connect('anything.example.com', port);
    expect(socket.remotePort).toBe(port);
    socket.destroy();
  });

  it('refuses private addresses without connecting', async () => {
    const { port, requests } = await server();
    await expect(strict.connect('anything.example.com', port)).rejects.toThrow(RefusedConnectionError);
    await expect(strict.connect('127.0.0.1', port)).rejects.toThrow(RefusedConnectionError);
    expect(requests).toEqual([]);
  });

  it('rejects with the reason of its signal', async () => {
    const never = createOutbound({ allowPrivateHosts: [], resolve: () => new Promise(() => {}) });
    const stop = new AbortController();
    const connecting = never.connect('slow.example.com', 21, { signal: stop.signal });
    stop.abort(new Error('no longer wanted'));
    await expect(connecting).rejects.toThrow('no longer wanted');
    await expect(never.connect('slow.example.com', 21, { signal: stop.signal })).rejects.toThrow('no longer wanted');
  });
});

describe('agents for other HTTP clients', () => {
  const ask = (agent: ReturnType<typeof createAgents>['http'], url: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request(url, { agent }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });

  it('connect to allowed addresses only', async () => {
    const { port, requests } = await server();
    const allowed = createAgents(local.connect);
    await expect(ask(allowed.http, `http://store.example.com:${port}/a`)).resolves.toBe(200);
    expect(requests.map(({ headers }) => headers.host)).toEqual([`store.example.com:${port}`]);
    const refused = createAgents(strict.connect);
    await expect(ask(refused.http, `http://store.example.com:${port}/b`)).rejects.toThrow(RefusedConnectionError);
    expect(requests).toHaveLength(1);
    allowed.http.destroy();
  });
});

describe('send', () => {
  const options = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'hello', idleMs: 1_000 } as const;

  it('does not follow redirects, and reads only the head of a long response', async () => {
    const { origin, hits } = await server((asked, response) => {
      if (asked.url === '/moved') response.writeHead(307, { location: '/target' }).end();
      else response.end('x'.repeat(200_000));
    });
    const moved = await local.send(`${origin}/moved`, options);
    expect(moved).toMatchObject({ status: 307, headers: { location: '/target' } });
    expect(hits.get('/target')).toBeUndefined();
    expect((await local.send(`${origin}/long`, options)).text).toHaveLength(65_536);
  });

  it('refuses private addresses', async () => {
    const { port, requests } = await server();
    await expect(strict.send(`http://hooks.example.com:${port}/`, options)).rejects.toThrow(RefusedConnectionError);
    expect(requests).toEqual([]);
  });

  it('times out on a receiver that never answers', async () => {
    const sockets: Socket[] = [];
    const silent = createServer(() => {}).on('connection', (socket) => sockets.push(socket));
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
    const { port } = silent.address() as AddressInfo;
    await expect(local.send(`http://127.0.0.1:${port}/`, { ...options, idleMs: 100 })).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' });
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
});

describe('checkResolved', () => {
  const leadingTo = (...addresses: string[]) => createOutbound({ allowPrivateHosts: ['10.9.9.9'], resolve: async () => addresses });
  it.each([
    [['93.184.216.34'], undefined],
    [['127.0.0.1'], 'it does not lead to a public address'],
    [['93.184.216.34', '10.0.0.1'], 'it does not lead to a public address'],
    [['10.9.9.9'], undefined],
    [[], 'it does not lead to a public address'],
  ])('a name with the addresses %j', async (addresses, reason) => {
    expect(await leadingTo(...addresses).checkResolved('https://hooks.example.com/x')).toBe(reason);
  });

  it('allows a name that does not resolve, or not in time', async () => {
    const failing = createOutbound({ allowPrivateHosts: [], resolve: () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' })) });
    expect(await failing.checkResolved('https://hooks.example.com/')).toBeUndefined();
    const silent = createOutbound({ allowPrivateHosts: [], resolve: () => new Promise(() => {}) });
    expect(await silent.checkResolved('https://hooks.example.com/')).toBeUndefined();
  });

  it('refuses what checkUrl refuses', async () => {
    expect(await strict.checkResolved('http://10.0.0.1/')).toBe('10.0.0.1 is not a public address');
  });
});
