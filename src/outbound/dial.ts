import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { buildConnector } from 'undici';

export interface ConnectOptions {
  /** With TLS from the first byte; the certificate must be for the host and trusted. */
  tls?: boolean;
  signal?: AbortSignal;
}

/** A connected socket to a checked address, for clients that speak something other than HTTP. */
export type Connect = (host: string, port: number, options?: ConnectOptions) => Promise<Socket>;

export function createConnect(connector: buildConnector.connector): Connect {
  return (host, port, { tls = false, signal } = {}) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const onAbort = (): void => reject(signal?.reason as Error);
      signal?.addEventListener('abort', onAbort, { once: true });
      connector({ hostname: host, host, port: String(port), protocol: tls ? 'https:' : 'http:' }, (...[error, socket]) => {
        signal?.removeEventListener('abort', onAbort);
        if (error !== null) reject(error);
        else if (signal?.aborted) socket.destroy();
        else resolve(socket as Socket);
      });
    });
}

export interface PinnedAgents {
  http: HttpAgent;
  https: HttpsAgent;
}

/** Agents for HTTP clients of third parties: every connection of theirs is dialled here. */
export function createAgents(connect: Connect): PinnedAgents {
  class PinnedHttpAgent extends HttpAgent {
    override createConnection(options: Dialled, callback?: Connected): undefined {
      connectFor(connect, options, false, callback);
    }
  }
  class PinnedHttpsAgent extends HttpsAgent {
    override createConnection(options: Dialled, callback?: Connected): undefined {
      connectFor(connect, options, true, callback);
    }
  }
  return { http: new PinnedHttpAgent({ keepAlive: true, maxSockets: 8 }), https: new PinnedHttpsAgent({ keepAlive: true, maxSockets: 8 }) };
}

interface Dialled {
  host?: string | null | undefined;
  port?: number | string | null | undefined;
}

type Connected = (error: Error | null, stream: Duplex) => void;

function connectFor(connect: Connect, { host, port }: Dialled, tls: boolean, callback: Connected | undefined): void {
  connect(host ?? 'localhost', Number(port ?? (tls ? 443 : 80)), { tls }).then(
    (socket) => callback?.(null, socket),
    // Node's type asks for a stream although there is none beside an error.
    (error: unknown) => (callback as ((error: unknown) => void) | undefined)?.(error),
  );
}
