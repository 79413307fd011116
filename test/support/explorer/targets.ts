import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ReceiverBehaviour } from './history.js';

/** A request that a webhook or export target received. */
export interface Delivered {
  jobId: string;
  /** Status of a webhook's job. */
  status: string | undefined;
  isAccepted: boolean;
}

/** Receives webhooks and exports of the jobs of a history, and behaves as each path says. */
export class Targets {
  readonly #server: Server;
  /** By path. */
  readonly received = new Map<string, Delivered[]>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<Targets> {
    const server = createServer();
    const targets = new Targets(server);
    server.on('request', async (request, response) => {
      const path = request.url ?? '';
      const body = await text(request).catch(() => undefined);
      if (body === undefined) return;
      const fields = JSON.parse(body) as { job_id?: string; project?: string; status?: string };
      const earlier = targets.received.get(path) ?? [];
      const isFirst = earlier.length === 0;
      const [, kind, behaviour] = path.split('/') as [string, string, ReceiverBehaviour];
      const isAccepted = !isFirst || !(behaviour === 'refuse-first' || behaviour === 'hang-first');
      targets.received.set(path, [...earlier, { jobId: fields.job_id ?? fields.project ?? '', status: fields.status, isAccepted }]);
      if (isFirst && behaviour === 'hang-first') return;
      // An export is slower than its lease lasts without renewal.
      if (isFirst && behaviour === 'slow') await new Promise((resolve) => setTimeout(resolve, kind === 'export' ? 3500 : 600));
      response.writeHead(isAccepted ? 204 : 503).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return targets;
  }

  urlOf(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  /** Forgets the requests of earlier histories. */
  clear(): void {
    this.received.clear();
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
