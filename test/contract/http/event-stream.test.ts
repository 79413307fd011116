import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, vi } from 'vitest';
import { EventStream, formatEvent } from '../../../src/http/event-stream.js';

it('disconnects a reader with more than 256 KB of unread events', async () => {
  let sent = 0;
  let buffered = 0;
  const closed = new Promise<void>((resolve) => {
    server.on('request', (_request, response) => {
      const stream = new EventStream(response, { headers: {}, lastEventId: 0, onHeartbeat: () => {}, onClose: resolve });
      const flood = setInterval(() => {
        for (let index = 0; index < 64; index += 1) stream.send(formatEvent('progress', { text: 'x'.repeat(4000) }));
        sent += 64 * 4000;
        buffered = Math.max(buffered, response.writableLength);
        if (response.destroyed) clearInterval(flood);
      }, 1);
    });
  });
  const server2 = server.listen(0, '127.0.0.1');
  await once(server2, 'listening');
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
  reader.on('error', () => {});
  reader.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  reader.pause();
  await closed;
  expect(sent).toBeGreaterThan(256 * 1024);
  expect(buffered).toBeLessThan(256 * 1024 + 64 * 5000);
  reader.destroy();
  server.close();
});
const server = createServer();

it('sends a keep-alive every 15 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const beats: number[] = [];
  const quiet = createServer((_request, response) => {
    const stream = new EventStream(response, { headers: {}, lastEventId: 0, onHeartbeat: () => beats.push(1), onClose: () => {} });
    vi.advanceTimersByTime(14_999);
    expect(beats).toHaveLength(0);
    vi.advanceTimersByTime(15_001);
    stream.end();
    vi.advanceTimersByTime(60_000);
  }).listen(0, '127.0.0.1');
  await once(quiet, 'listening');
  const text = await (await fetch(`http://127.0.0.1:${(quiet.address() as AddressInfo).port}`)).text();
  vi.useRealTimers();
  expect(beats).toHaveLength(2);
  expect(text).toBe(': connected\nretry: 2000\n\n: heartbeat\n\n: heartbeat\n\n');
  quiet.close();
});
