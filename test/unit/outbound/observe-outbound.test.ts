import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createOutbound, type OutboundObserver, observeOutbound } from '../../../src/outbound/index.js';
import { temporaryFolder } from '../../support/cli.js';
import { startServer } from './local-server.js';

function watched(): { seen: string[]; watch: OutboundObserver } {
  const seen: string[] = [];
  return { seen, watch: { blocked: () => seen.push('blocked'), fetched: (result, bytes) => seen.push(`${result} ${bytes}`) } };
}
const limits = { maxBytes: 100, timeoutMs: 5000, stallMs: 5000 };

it('reports every refused request to a forbidden address', async () => {
  const folder = await temporaryFolder();
  const { seen, watch } = watched();
  const outbound = observeOutbound(createOutbound({ allowPrivateHosts: [], resolve: async () => ['10.0.0.1'] }), watch);
  const url = 'http://name.example/';
  expect(outbound.checkUrl(url)).toBeUndefined();
  expect(seen).toEqual([]);
  const calls: Array<() => unknown> = [
    () => outbound.withWebSocket('ws://name.example/', { headers: {}, idleMs: 1000, maxBytes: 1, signal: new AbortController().signal }, async () => {}),
    () => outbound.checkUrl('http://10.0.0.1/'),
    () => outbound.checkHost('10.0.0.1', 21),
    () => outbound.checkResolved(url),
    () => outbound.send(url, { method: 'POST', headers: {}, body: '', idleMs: 1000 }),
    () => outbound.connect('name.example', 22),
  ];
  for (const [index, call] of calls.entries()) {
    await Promise.resolve(call()).catch(() => {});
    expect(seen).toHaveLength(index + 1);
  }
  await expect(outbound.download(url, join(folder.path, 'x'), limits)).rejects.toThrow('does not lead to a public address');
  expect(seen.slice(calls.length)).toEqual(['blocked 0', 'blocked']);
  await outbound.close();
  await folder.remove();
});

it('reports how downloads end, except cancelled ones', async () => {
  const folder = await temporaryFolder();
  const server = await startServer((request, response) => response.end('x'.repeat(request.url === '/large' ? 200 : 7)));
  const { seen, watch } = watched();
  const outbound = observeOutbound(createOutbound({ allowPrivateHosts: [server.host] }), watch);
  const to = join(folder.path, 'x');
  await outbound.download(`${server.origin}/small`, to, limits);
  await expect(outbound.download(`${server.origin}/large`, to, limits)).rejects.toThrow('larger than');
  await expect(outbound.download(`${server.origin}/small`, to, { ...limits, signal: AbortSignal.abort() })).rejects.toThrow();
  expect(outbound.checkUrl('no URL at all')).toBeDefined();
  expect(seen).toEqual(['ok 7', 'failed 0']);
  await outbound.close();
  await server.close();
  await folder.remove();
});
