import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface Canary {
  port: number;
  /** The first line of each TCP connection, empty if it sent none; 'udp' for a datagram. */
  connections: string[];
  close(): void;
}

/** Listens by TCP and UDP on every IPv4 and IPv6 address of this machine. */
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
