import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * What happens to a commit: it passes, is delayed, is held back until the connection ends, or the connection is cut before the server
 * sees it or before the client sees its answer.
 */
export type CommitFate = 'pass' | 'hold' | 'cut-before' | 'cut-after' | { delayMs: number };

/** A TCP proxy between a service and PostgreSQL that injects faults. */
export interface PostgresProxy {
  /** Connection URL through the proxy. */
  url: string;
  /**
   * Decides on each commit, explicit or at the end of a single statement that writes; `transaction` is the text of all client messages
   * of the transaction, parameters included.
   */
  onCommit: (transaction: string) => CommitFate;
  /** Delay of all messages of the server (ms). */
  latencyMs: number;
  /**
   * When the proxy connected to the server (Unix ms), by the port from which it did: `inet_client_port()` of the sessions of its
   * clients. The system gives a port to another proxy later.
   */
  readonly upstreamPorts: ReadonlyMap<number, readonly number[]>;
  /** Cuts all connections and refuses new ones until `restore`. */
  cut(): void;
  /** Drops all messages silently, like a partition of the network, until `restore`: connections stay open, new ones get no answer. */
  drop(): void;
  /** Ends `cut` or `drop`. Connections that have lost messages are closed. */
  restore(): void;
  close(): Promise<void>;
}

/** Starts a proxy for the server of this URL on a free port of `host`. */
export async function startPostgresProxy(serverUrl: string, host = '127.0.0.1'): Promise<PostgresProxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const upstreamPorts = new Map<number, number[]>();
  let state: 'open' | 'cut' | 'dropping' = 'open';
  const track = (socket: Socket, ended: () => void): void => {
    sockets.add(socket);
    socket
      .on('error', () => {})
      .on('close', () => {
        sockets.delete(socket);
        ended();
      });
  };
  const server: Server = createServer((client) => {
    if (state === 'cut') return void client.destroy();
    if (state === 'dropping') return track(client, () => {});
    const upstream = connect(Number(target.port), target.hostname, () => {
      const port = upstream.localPort ?? 0;
      upstreamPorts.set(port, [...(upstreamPorts.get(port) ?? []), Date.now()]);
    });
    for (const socket of [client, upstream]) {
      track(socket, () => {
        client.destroy();
        upstream.destroy();
      });
    }
    relay({
      client,
      upstream,
      decide: (transaction) => proxy.onCommit(transaction),
      drops: () => state === 'dropping',
      latencyMs: () => proxy.latencyMs,
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  const destroyAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const proxy: PostgresProxy = {
    url: Object.assign(new URL(serverUrl), { host: `${host}:${(server.address() as AddressInfo).port}` }).toString(),
    onCommit: () => 'pass',
    latencyMs: 0,
    upstreamPorts,
    cut() {
      state = 'cut';
      destroyAll();
    },
    drop() {
      state = 'dropping';
    },
    restore() {
      if (state === 'dropping') destroyAll();
      state = 'open';
    },
    async close() {
      destroyAll();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

interface Relay {
  client: Socket;
  upstream: Socket;
  decide: (transaction: string) => CommitFate;
  drops: () => boolean;
  latencyMs: () => number;
}

const writes = /\b(insert into|update|delete from)\b/i;

function relay({ client, upstream, decide, drops, latencyMs }: Relay): void {
  /** Texts of named prepared statements. */
  const statements = new Map<string, string>();
  let transaction = '';
  let isInTransaction = false;
  /** Whether the next message begins another statement. */
  let isStatementDone = true;
  let hidesAnswer = false;
  let pending = Buffer.alloc(0);
  let isStarted = false;
  let isBlocked = false;
  const forward = (): void => {
    while (!isBlocked) {
      // The startup message alone has no type byte.
      const header = isStarted ? 1 : 0;
      if (pending.length < header + 4) return;
      const size = header + pending.readUInt32BE(header);
      if (pending.length < size) return;
      const message = pending.subarray(0, size);
      pending = pending.subarray(size);
      const type = isStarted ? String.fromCharCode(message[0] ?? 0) : '';
      const text = /[QPB]/.test(type) ? message.subarray(5).toString('latin1') : '';
      isStarted = true;
      if (isStatementDone && !isInTransaction) transaction = '';
      isStatementDone = type === 'Q' || type === 'S';
      const [first = '', second = ''] = text.split('\0', 2);
      if (type === 'P' && first !== '') statements.set(first, second);
      transaction += type === 'B' ? text + (statements.get(second) ?? '') : text;
      if (type === 'Q' && /^begin/i.test(text)) isInTransaction = true;
      const isExplicit = type === 'Q' && /^commit/i.test(text);
      const isImplicit = !isInTransaction && isStatementDone && writes.test(transaction);
      if (type === 'Q' && /^(commit|rollback(?! to))/i.test(text)) isInTransaction = false;
      const fate = isExplicit || isImplicit ? decide(transaction) : 'pass';
      if (fate === 'hold') {
        isBlocked = true;
        return void client.pause();
      }
      if (fate === 'cut-before') return void client.destroy();
      hidesAnswer ||= fate === 'cut-after';
      if (typeof fate === 'object') {
        isBlocked = true;
        setTimeout(() => {
          isBlocked = false;
          upstream.write(message);
          forward();
        }, fate.delayMs);
      } else upstream.write(message);
    }
  };
  client.on('data', (chunk) => {
    if (drops()) return;
    pending = Buffer.concat([pending, chunk]);
    forward();
  });
  upstream.on('data', (chunk) => {
    if (drops()) return;
    if (hidesAnswer) return void client.destroy();
    const delayMs = latencyMs();
    // Timers of one delay fire in the order of their creation; a change of the delay would reorder messages, so the relay waits for it.
    if (delayMs === 0) client.write(chunk);
    else {
      upstream.pause();
      setTimeout(() => {
        client.write(chunk);
        upstream.resume();
      }, delayMs);
    }
  });
}
