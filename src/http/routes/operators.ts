import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { equalHashes, hashKey } from '../../accounts/index.js';
import { AppError } from '../../errors/index.js';
import type { Metrics, Readiness } from '../operations/index.js';

export interface OperatorRouteParts {
  readiness: () => Promise<Readiness>;
  metrics: Metrics;
  /** Who may read the metrics: callers with this bearer token, those on this machine (undefined), or everyone. */
  metricsAccess?: { token: string | undefined } | 'everyone';
}

/** Server for health checks and metrics of a process without the HTTP API; not listening yet. */
export function createOperatorServer(parts: OperatorRouteParts): FastifyInstance {
  const instance = Fastify({ requestTimeout: 30_000, connectionTimeout: 30_000, bodyLimit: 1024, forceCloseConnections: true });
  registerOperatorRoutes(instance, parts);
  return instance;
}

/** Health checks and metrics: without API key and rate limit, outside /api. */
export function registerOperatorRoutes(instance: FastifyInstance, { readiness, metrics, metricsAccess = 'everyone' }: OperatorRouteParts): void {
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

  instance.get('/metrics', options, async (request, reply) => {
    if (metricsAccess !== 'everyone' && !mayReadMetrics(request, metricsAccess.token)) throw new AppError('NOT_FOUND', { message: 'Path not found.' });
    const text = await metrics.registry.metrics();
    return reply.type(metrics.registry.contentType).send(text);
  });
}

function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  if (token !== undefined) return equalHashes(hashKey(request.headers.authorization ?? ''), hashKey(`Bearer ${token}`));
  const isForwarded = request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined;
  return !isForwarded && /^(::ffff:)?127\.|^::1$/.test(request.socket.remoteAddress ?? '');
}
