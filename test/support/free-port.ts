import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ephemeral range, so that no other socket takes the port before the server that it is for. */
const [lowest, highest] = [12_000, 32_000];

/** Returns a local port that is free at the time of the call. */
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
