import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from 'undici';
import { AllowList } from './addresses.js';
import { createConnector, RefusedConnection, type ResolveName, resolveByDns, resolveChecked } from './connect.js';
import { type Connect, createConnect } from './dial.js';
import { type Downloaded, type DownloadOptions, downloadFile } from './download.js';
import { RefusedUrl } from './failures.js';
import { type Answer, type SendOptions, sendRequest } from './send.js';
import { undici } from './undici.js';
import { hostRefusalOf, portOf, refusalOf } from './url-policy.js';
import { type Socket, type SocketOptions, withWebSocket } from './web-socket.js';

export interface Outbound {
  /** Why a URL may not be fetched, as far as its text tells, or undefined. */
  checkUrl(url: string): string | undefined;
  /** The same after looking its name up, for a URL that is used later; a name that is not found now is no reason. */
  checkResolved(url: string): Promise<string | undefined>;
  /** As checkUrl, for a host and port that are no URL. */
  checkHost(host: string, port: number): string | undefined;
  /** Fetches a URL into a file; throws AppError RENDER_FAILED whose message starts with the URL (no query, no credentials). */
  download(url: string, destinationPath: string, options: DownloadOptions): Promise<Downloaded>;
  /** One request with a body to a URL that checkUrl lets pass; what goes wrong is thrown as it comes, for failureText. */
  send(url: string, options: SendOptions): Promise<Answer>;
  /** A conversation over a WebSocket (ws: or wss:), closed when `converse` has ended; failureText words what goes wrong. */
  converse<T>(url: string, options: SocketOptions, converse: (socket: Socket) => Promise<T>): Promise<T>;
  /** A socket for other protocols. */
  connect: Connect;
  close(): Promise<void>;
}

export interface OutboundSettings {
  /** Not public, but allowed: host, host:port or CIDR. */
  allowPrivateHosts: readonly string[];
  /** Default: the system's resolver. */
  resolve?: ResolveName;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** A name that is not found by then is checked when it is used. */
const LOOK_UP_MS = 2000;

/** The one door to the internet. */
export function createOutbound(settings: OutboundSettings): Outbound {
  const allowed = new AllowList(settings.allowPrivateHosts);
  const resolve = settings.resolve ?? resolveByDns;
  const connector = createConnector(allowed, resolve, CONNECT_TIMEOUT_MS);
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
  const checkUrl = (url: string): string | undefined => refusalOf(url, allowed);
  const checkResolved = async (url: string): Promise<string | undefined> => checkUrl(url) ?? resolvedRefusal(new URL(url), { allowed, resolve });
  return {
    checkUrl,
    checkResolved,
    checkHost: (host, port) => hostRefusalOf(host, port, allowed),
    download: (url, destinationPath, options) => downloadFile(url, destinationPath, options, { dispatcher: dispatcher(), checkUrl }),
    send: (url, options) => sendRequest(url, options, dispatcher()),
    converse: async (url, options, converse) => {
      // The client of WebSockets keeps to itself why it did not connect.
      const reason = await checkResolved(url.replace(/^ws(?=s?:)/i, 'http'));
      if (reason !== undefined) throw new RefusedUrl(`is refused: ${reason}`);
      return withWebSocket(url, options, dispatcher(), converse);
    },
    connect: createConnect(connector),
    close: async () => agent?.destroy(),
  };
}

async function resolvedRefusal(url: URL, rules: Parameters<typeof resolveChecked>[2]): Promise<string | undefined> {
  const answered = new AbortController();
  const refusal = resolveChecked(url.hostname, portOf(url), rules).then(
    () => undefined,
    (error: unknown) => (error instanceof RefusedConnection ? `it ${error.message}` : undefined),
  );
  const outOfTime = sleep(LOOK_UP_MS, undefined, { signal: answered.signal }).catch(() => undefined);
  const reason = await Promise.race([refusal, outOfTime]);
  answered.abort();
  return reason;
}
