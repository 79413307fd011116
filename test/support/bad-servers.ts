import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** How a faulty media server responds; `whole` is a valid PNG. */
const behaviours: Readonly<Record<string, (response: ServerResponse, whole: Buffer) => void>> = {
  'no-length': (response, whole) => response.writeHead(200, { 'transfer-encoding': 'chunked' }).end(whole),
  'longer-than-said': (response, whole) => {
    response.socket?.write(`HTTP/1.1 200 OK\r\nContent-Length: ${whole.length - 50}\r\n\r\n`);
    response.socket?.end(whole);
  },
  'shorter-than-said': (response, whole) => {
    response.writeHead(200, { 'content-length': whole.length + 100 }).write(whole);
    setTimeout(() => response.destroy(), 50);
  },
  reset: (response, whole) => {
    response.writeHead(200, { 'content-length': whole.length }).write(whole.subarray(0, 20));
    setTimeout(() => response.socket?.resetAndDestroy(), 50);
  },
  'html-error': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<!doctype html><h1>Out of order</h1>'),
  'gzip-bomb': (response) => response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'image/png' }).end(gzipSync(Buffer.alloc(64 * 1024 ** 2))),
  empty: (response) => response.writeHead(200, { 'content-length': 0 }).end(),
  'redirect-loop': (response) => response.writeHead(302, { location: '/redirect-loop' }).end(),
  'to-metadata': (response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
  silent: () => {},
  trickle: (response, whole) => {
    response.writeHead(200, { 'content-length': whole.length });
    let at = 0;
    const drip = setInterval(() => response.write(whole.subarray(at, ++at)), 1000);
    response.on('close', () => clearInterval(drip));
  },
  endless: (response) => {
    const chunk = Buffer.alloc(1 << 20, 1);
    const pour = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.writeHead(200, { 'content-type': 'image/png' });
    response.on('drain', pour);
    pour();
  },
};

/** `quickFaults` fail a download at once, `slowFaults` only at its time limit. */
export const quickFaults = Object.keys(behaviours).filter((name) => !['silent', 'trickle', 'endless'].includes(name));
export const slowFaults = ['silent', 'trickle', 'endless'];
/** Faults in spite of which the image arrives completely. */
export const harmlessFaults: ReadonlySet<string> = new Set(['no-length']);

export async function startBadServer(whole: Buffer): Promise<{ url: string; close(): Promise<void> }> {
  const server: Server = createServer((request, response) => {
    const act = behaviours[(request.url ?? '/').slice(1)];
    if (act === undefined) response.writeHead(404).end();
    else act(response, whole);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
