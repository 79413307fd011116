import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from 'undici';
import { AllowList } from './addresses.js';
import { type Connect, createConnect } from './agents.js';
import { createConnector, RefusedConnectionError, type ResolveName, resolveByDns, resolveChecked } from './connect.js';
import { type Downloaded, type DownloadOptions, downloadFile } from './download.js';
import { RefusedUrlError } from './failures.js';
import { type OutboundResponse, type SendOptions, sendRequest } from './send.js';
import { undici } from './undici.js';
import { hostRejectionReason, portOf, rejectionReason } from './url-policy.js';
import { runWebSocket, type WebSocketOptions, type WebSocketSession } from './web-socket.js';

/** Access to other hosts, restricted by the address policy. */
export interface Outbound {
  /** Checks a URL without resolving its name. Returns the reason for a refusal, or undefined. */
  checkUrl(url: string): string | undefined;
  /** As checkUrl, and also checks the addresses of the name; a name that does not resolve now is allowed. */
  checkResolved(url: string): Promise<string | undefined>;
  /** As checkUrl, for a host and port. */
  checkHost(host: string, port: number): string | undefined;
  /** Downloads a URL to a file. Throws AppError RENDER_FAILED whose message starts with the URL without query and credentials. */
  download(url: string, destinationPath: string, options: DownloadOptions): Promise<Downloaded>;
  /** Sends one request to a URL that checkUrl allows. Throws errors that failureText describes. */
  send(url: string, options: SendOptions): Promise<OutboundResponse>;
  /** Connects a WebSocket (ws: or wss:), runs `use`, and closes the connection. Throws errors that failureText describes. */
  withWebSocket<T>(url: string, options: WebSocketOptions, use: (socket: WebSocketSession) => Promise<T>): Promise<T>;
  connect: Connect;
  close(): Promise<void>;
}

/** Settings of createOutbound. */
export interface OutboundSettings {
  /** Private hosts that are allowed, as host, host:port or CIDR. */
  allowPrivateHosts: readonly string[];
  /** Default: the system's resolver. */
  resolve?: ResolveName;
}

const connectTimeoutMs = 10_000;
/** A name that takes longer to resolve is checked when it is used. */
const resolveTimeoutMs = 2000;

/** Creates the access to other hosts; everything that leaves the service passes through it. */
export function createOutbound(settings: OutboundSettings): Outbound {
  const allowed = new AllowList(settings.allowPrivateHosts);
  const resolve = settings.resolve ?? resolveByDns;
  const connector = createConnector(allowed, resolve, connectTimeoutMs);
  let agent: Agent | undefined;
  const dispatcher = (): Agent => {
    agent ??= new (undici().Agent)({
      connect: connector,
      connections: 8,
      pipelining: 1,
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: 10_000,
    });
    return agent;
  };
  const checkUrl = (url: string): string | undefined => rejectionReason(url, allowed);
  const checkResolved = async (url: string): Promise<string | undefined> => checkUrl(url) ?? resolvedRefusal(new URL(url), { allowed, resolve });
  return {
    checkUrl,
    checkResolved,
    checkHost: (host, port) => hostRejectionReason(host, port, allowed),
    download: (url, destinationPath, options) => downloadFile(url, destinationPath, options, { dispatcher: dispatcher(), checkUrl }),
    send: (url, options) => sendRequest(url, options, dispatcher()),
    withWebSocket: async (url, options, use) => {
      // undici's WebSocket does not report why it could not connect.
      const reason = await checkResolved(url.replace(/^ws(?=s?:)/i, 'http'));
      if (reason !== undefined) throw new RefusedUrlError(`is refused: ${reason}`);
      return runWebSocket(url, options, dispatcher(), use);
    },
    connect: createConnect(connector),
    close: async () => agent?.destroy(),
  };
}

async function resolvedRefusal(url: URL, rules: Parameters<typeof resolveChecked>[2]): Promise<string | undefined> {
  const resolved = new AbortController();
  const refusal = resolveChecked(url.hostname, portOf(url), rules).then(
    () => undefined,
    (error: unknown) => (error instanceof RefusedConnectionError ? `it ${error.message}` : undefined),
  );
  const timeout = sleep(resolveTimeoutMs, undefined, { signal: resolved.signal }).catch(() => undefined);
  const reason = await Promise.race([refusal, timeout]);
  resolved.abort();
  return reason;
}
