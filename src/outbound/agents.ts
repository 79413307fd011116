import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { buildConnector } from 'undici';

interface ConnectOptions {
  /** Implicit TLS with a trusted certificate for the host. */
  tls?: boolean;
  signal?: AbortSignal;
}

/** Opens a socket to an allowed address, for protocols other than HTTP. */
export type Connect = (host: string, port: number, options?: ConnectOptions) => Promise<Socket>;

/** Wraps a connector of undici. */
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

/** HTTP agents whose connections only reach allowed addresses. */
export interface PinnedAgents {
  http: HttpAgent;
  https: HttpsAgent;
}

/** Creates agents for third-party HTTP clients. */
export function createAgents(connect: Connect): PinnedAgents {
  class PinnedHttpAgent extends HttpAgent {
    override createConnection(options: Target, callback?: OnConnected): undefined {
      connectFor(connect, options, false, callback);
    }
  }
  class PinnedHttpsAgent extends HttpsAgent {
    override createConnection(options: Target, callback?: OnConnected): undefined {
      connectFor(connect, options, true, callback);
    }
  }
  return { http: new PinnedHttpAgent({ keepAlive: true, maxSockets: 8 }), https: new PinnedHttpsAgent({ keepAlive: true, maxSockets: 8 }) };
}

interface Target {
  host?: string | null | undefined;
  port?: number | string | null | undefined;
}

type OnConnected = (error: Error | null, stream: Duplex) => void;

function connectFor(connect: Connect, { host, port }: Target, tls: boolean, callback: OnConnected | undefined): void {
  connect(host ?? 'localhost', Number(port ?? (tls ? 443 : 80)), { tls }).then(
    (socket) => callback?.(null, socket),
    // Node's type requires a stream, which does not exist with an error.
    (error: unknown) => (callback as ((error: unknown) => void) | undefined)?.(error),
  );
}
