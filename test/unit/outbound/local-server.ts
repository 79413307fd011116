import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LocalServer {
  /** http://127.0.0.1:port */
  origin: string;
  host: string;
  port: number;
  /** Requests so far, by path. */
  hits: Map<string, number>;
  requests: IncomingMessage[];
  close(): Promise<void>;
}

/** A real HTTP server on a free port of the loopback interface. */
export async function startServer(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<LocalServer> {
  const hits = new Map<string, number>();
  const requests: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    const path = request.url ?? '';
    hits.set(path, (hits.get(path) ?? 0) + 1);
    requests.push(request);
    response.on('error', () => {});
    answer(request, response);
  };
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    port,
    hits,
    requests,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}
