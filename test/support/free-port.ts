import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below those that systems give to whoever listens on port 0 or calls somebody: none of them takes it before the server that it is for. */
const [lowest, highest] = [12_000, 32_000];

/** Of this machine; free a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
