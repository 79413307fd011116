import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Metrics, Readiness } from '../operations/index.js';

export interface OperatorRouteParts {
  readiness: () => Promise<Readiness>;
  metrics: Metrics;
}

/** Server for health checks and metrics of a process without the HTTP API; not listening yet. */
export function createOperatorServer(parts: OperatorRouteParts): FastifyInstance {
  const instance = Fastify({ requestTimeout: 30_000, connectionTimeout: 30_000, bodyLimit: 1024, forceCloseConnections: true });
  registerOperatorRoutes(instance, parts);
  return instance;
}

/** Health checks and metrics: without API key and rate limit, outside /api. */
export function registerOperatorRoutes(instance: FastifyInstance, { readiness, metrics }: OperatorRouteParts): void {
  const options = {
    config: { public: true, unlimited: true },
    onSend: async (_request: FastifyRequest, reply: FastifyReply) => {
      reply.header('Cache-Control', 'no-store');
    },
  };

  instance.get('/healthz', options, async () => ({ status: 'ok' }));

  instance.get('/readyz', options, async (_request, reply) => {
    const { ready, checks } = await readiness();
    return reply.status(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', checks });
  });

  instance.get('/metrics', options, async (_request, reply) => {
    const text = await metrics.registry.metrics();
    return reply.type(metrics.registry.contentType).send(text);
  });
}
