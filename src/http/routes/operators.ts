import type { FastifyInstance } from 'fastify';
import type { Metrics, Readiness } from '../operations/index.js';

export interface OperatorRouteParts {
  readiness: () => Promise<Readiness>;
  metrics: Metrics;
}

/** For load balancers, supervisors and Prometheus: outside of /api, without a key, never refused. */
export function registerOperatorRoutes(instance: FastifyInstance, { readiness, metrics }: OperatorRouteParts): void {
  const options = { config: { public: true, unlimited: true } };
  instance.addHook('onSend', async (request, reply) => {
    if (operatorPaths.has(request.routeOptions.url ?? '')) reply.header('Cache-Control', 'no-store');
  });

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

const operatorPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);
