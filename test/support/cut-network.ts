import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A network namespace that acts as another machine. It reaches chosen ports of this one over a link that can be cut. */
export interface CutNetwork {
  /** Prefix of a command that runs it in the namespace. */
  command: string[];
  /** The address at which the namespace reaches a port of this machine. */
  addressOf(port: number): Promise<string>;
  /** Drops all packets silently. */
  cut(): void;
  mend(): void;
  remove(): Promise<void>;
}

/** Returns undefined if this machine does not allow network namespaces. */
export function makeCutNetwork(number: number): CutNetwork | undefined {
  const [name, here, there] = [`fw-${process.pid}-${number}`, `fwh${process.pid % 10_000}${number}`, `fwt${process.pid % 10_000}${number}`];
  const ip = (...args: string[]): Buffer => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const own = `10.213.${number}.1`;
  try {
    ip('netns', 'add', name);
    ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there, 'netns', name);
    ip('address', 'add', `${own}/30`, 'dev', here);
    ip('link', 'set', here, 'up');
    ip('-n', name, 'address', 'add', `10.213.${number}.2/30`, 'dev', there);
    ip('-n', name, 'link', 'set', there, 'up');
    ip('-n', name, 'link', 'set', 'lo', 'up');
  } catch {
    return undefined;
  }
  const servers: Server[] = [];
  const open = new Set<Socket>();
  return {
    command: ['ip', 'netns', 'exec', name],
    async addressOf(port) {
      const server = createServer((from) => {
        const to = connect(port, '127.0.0.1');
        for (const [one, other] of [
          [from, to],
          [to, from],
        ] as const) {
          open.add(one);
          one.on('error', () => other.destroy()).on('close', () => other.destroy());
          one.pipe(other);
        }
      });
      server.listen(0, own);
      await once(server, 'listening');
      servers.push(server);
      return `${own}:${(server.address() as AddressInfo).port}`;
    },
    cut: () => void ip('-n', name, 'link', 'set', there, 'down'),
    mend: () => void ip('-n', name, 'link', 'set', there, 'up'),
    async remove() {
      for (const socket of open) socket.destroy();
      for (const server of servers) server.close();
      ip('netns', 'del', name);
    },
  };
}
