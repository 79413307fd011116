import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { freePort } from './free-port.js';

/** A Redis server without persistence, or with every write in an append-only file. */
export interface RedisServer {
  url: string;
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>;
  /** Starts it on the same port, empty or with its persisted data. */
  start(): Promise<void>;
}

export async function startRedisServer({ folder }: { folder?: string } = {}): Promise<RedisServer> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const persistence = folder === undefined ? ['--appendonly', 'no'] : ['--appendonly', 'yes', '--appendfsync', 'always', '--dir', folder];
    child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', ...persistence], { stdio: 'ignore' });
    child.on('error', () => {});
    for (const deadline = performance.now() + 20_000; !(await answers(port)); ) {
      if (performance.now() > deadline) throw new Error('redis-server does not start: apt-get install redis-server');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    async kill() {
      const exited = new Promise((resolve) => child?.once('exit', resolve));
      child?.kill('SIGKILL');
      await exited;
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.on('data', () => socket.destroy()).on('error', () => {});
    socket.on('close', () => resolve(socket.bytesRead > 0));
  });
}
