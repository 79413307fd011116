import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const contentTypes: Record<string, string> = { '.jpg': 'image/jpeg', '.png': 'image/png', '.mp4': 'video/mp4', '.wav': 'audio/wav' };

/** A running file server; disposing of it closes it. */
export interface MediaServer extends AsyncDisposable {
  /** host:port */
  readonly host: string;
}

/** Serves the files of one folder on a free port of the loopback address. */
export async function startMediaServer(folder: string): Promise<MediaServer> {
  const names = new Set(await readdir(folder));
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '/').slice(1));
    if (!names.has(name)) {
      response.writeHead(404).end();
      return;
    }
    const path = join(folder, name);
    stat(path).then(
      ({ size }) => {
        response.writeHead(200, { 'content-type': contentTypes[extname(name)] ?? 'application/octet-stream', 'content-length': size });
        createReadStream(path).pipe(response);
      },
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
