import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  at: number;
  path: string;
  method: string;
  headers: Record<string, string>;
  body: string;
}

export type Responder = (request: IncomingMessage, response: ServerResponse, number: number) => void;

/** An HTTP server that records its requests in order of arrival. */
export interface Receiver {
  url: string;
  received: Received[];
  /** Largest number of concurrent requests so far. */
  maxConcurrent(): number;
  /** Resolves when `count` requests have arrived. */
  waitFor(count: number, timeoutMs?: number): Promise<Received[]>;
  close(): Promise<void>;
}

export const answer =
  (status: number, headers: Record<string, string> = {}): Responder =>
  (_request, response) =>
    response.writeHead(status, headers).end();

/** Accepts the request and never responds. */
export const hang: Responder = () => {};

export async function startReceiver(behave: Responder = answer(204)): Promise<Receiver> {
  const received: Received[] = [];
  let open = 0;
  let maxOpen = 0;
  const server = createServer(async (request, response) => {
    open += 1;
    maxOpen = Math.max(maxOpen, open);
    response.on('close', () => {
      open -= 1;
    });
    const at = performance.now();
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const headers = request.headers as Record<string, string>;
    received.push({ at, path: request.url ?? '', method: request.method ?? '', headers, body: Buffer.concat(chunks).toString('utf8') });
    behave(request, response, received.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    maxConcurrent: () => maxOpen,
    async waitFor(count, timeoutMs = 10_000) {
      const deadline = performance.now() + timeoutMs;
      while (received.length < count) {
        if (performance.now() > deadline) throw new Error(`${received.length} of ${count} requests came within ${timeoutMs} ms`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return received;
    },
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export async function until(condition: () => Promise<boolean> | boolean, timeoutMs = 10_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
