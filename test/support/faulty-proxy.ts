import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Fate of a request: it passes; it is lost; it arrives but the response is lost; the proxy responds itself; or the response is
 * cut off after a number of bytes.
 */
export type Fate = 'through' | 'lost' | 'answer-lost' | { status: number; headers?: Record<string, string>; body?: string } | { cutAfter: number };

export interface Passed {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
}

/** An HTTP server between a client and a service; `decide` chooses the fate of each request by method, path and count. */
export interface FaultyProxy {
  url: string;
  passed: Passed[];
  /** Requests whose method and path start with this text. */
  of(start: string): Passed[];
  close(): Promise<void>;
}

export async function startFaultyProxy(target: () => string, decide: (request: Passed, number: number) => Fate): Promise<FaultyProxy> {
  const passed: Passed[] = [];
  const of = (start: string): Passed[] => passed.filter(({ method, path }) => `${method} ${path}`.startsWith(start));
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const seen = { method: request.method ?? '', path: request.url ?? '', headers: request.headers };
    passed.push(seen);
    const fate = decide(seen, of(`${seen.method} ${seen.path}`).length);
    if (fate === 'lost') request.socket.destroy();
    else if (typeof fate === 'object' && 'status' in fate) response.writeHead(fate.status, fate.headers).end(fate.body);
    else forward(target(), seen, Buffer.concat(chunks), request, response, fate);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    of,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function forward(
  target: string,
  { method, path, headers }: Passed,
  body: Buffer,
  from: IncomingMessage,
  to: ServerResponse,
  fate: 'through' | 'answer-lost' | { cutAfter: number },
): void {
  const onward = send(target + path, { method, headers: { ...headers, connection: 'close' } }, async (answer) => {
    if (typeof fate === 'string') to.writeHead(answer.statusCode ?? 500, answer.headers);
    else to.writeHead(answer.statusCode ?? 500, { ...answer.headers, connection: 'close' });
    if (fate === 'through') {
      to.on('close', () => answer.destroy());
      answer.on('error', () => to.destroy()).pipe(to);
      return;
    }
    let room = fate === 'answer-lost' ? 0 : fate.cutAfter;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      if (fate !== 'answer-lost' && room > 0) to.write(chunk.subarray(0, room));
      room -= chunk.length;
      if (fate !== 'answer-lost' && room <= 0) break;
    }
    // Flush before the connection closes.
    setTimeout(() => from.socket.destroy(), 20);
  });
  onward.on('error', () => from.socket.destroy());
  onward.end(body);
}
