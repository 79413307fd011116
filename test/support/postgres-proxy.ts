import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What happens to a COMMIT: it passes, it is held back for ever, or the connection is cut before the server sees it or before the client sees its answer. */
export type CommitFate = 'pass' | 'hold' | 'cut-before' | 'cut-after';

/** A TCP proxy between a service and PostgreSQL that injects faults. */
export interface PostgresProxy {
  /** Connection URL through the proxy. */
  url: string;
  /** Decides on each COMMIT; `transaction` is the text of all client messages since BEGIN, parameters included. */
  onCommit: (transaction: string) => CommitFate;
  /** Cuts all connections and refuses new ones until `restore`. */
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

/** Starts a proxy for the server of this URL on a free port. */
export async function startPostgresProxy(serverUrl: string): Promise<PostgresProxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server: Server = createServer((client) => {
    if (isCut) return void client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
    }
    relay(client, upstream, (transaction) => proxy.onCommit(transaction));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: PostgresProxy = {
    url: Object.assign(new URL(serverUrl), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` }).toString(),
    onCommit: () => 'pass',
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    restore() {
      isCut = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

function relay(client: Socket, upstream: Socket, decide: (transaction: string) => CommitFate): void {
  let transaction = '';
  let hidesAnswer = false;
  let pending = Buffer.alloc(0);
  let isStarted = false;
  client.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    for (;;) {
      // The startup message alone has no type byte.
      const header = isStarted ? 1 : 0;
      if (pending.length < header + 4) return;
      const size = header + pending.readUInt32BE(header);
      if (pending.length < size) return;
      const message = pending.subarray(0, size);
      pending = pending.subarray(size);
      const text = isStarted ? message.subarray(5).toString('latin1') : '';
      isStarted = true;
      if (/^begin/i.test(text)) transaction = '';
      transaction += text;
      if (String.fromCharCode(message[0] ?? 0) === 'Q' && /^commit/i.test(text)) {
        const fate = decide(transaction);
        if (fate === 'hold') return void client.pause();
        if (fate === 'cut-before') return void client.destroy();
        hidesAnswer = fate === 'cut-after';
      }
      upstream.write(message);
    }
  });
  upstream.on('data', (chunk) => {
    if (hidesAnswer) client.destroy();
    else client.write(chunk);
  });
}
