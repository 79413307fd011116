import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface Canary {
  port: number;
  /** First lines of what arrived by TCP; an empty one is a connection that said nothing. UDP as 'udp'. */
  connections: string[];
  close(): void;
}

/** Listens on every address of this machine, of either family, by TCP and UDP. */
export async function startCanary(): Promise<Canary> {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const index = heard.push('') - 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      heard[index] = bytes.toString('latin1').split('\r\n', 1)[0] ?? '';
      socket.end('HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    });
  });
  server.listen({ port: 0, host: '::', ipv6Only: false });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const datagrams = createSocket({ type: 'udp6' });
  datagrams.on('message', () => heard.push('udp'));
  datagrams.bind(port, '::');
  await once(datagrams, 'listening');
  return {
    port,
    connections: heard,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      datagrams.close();
    },
  };
}
