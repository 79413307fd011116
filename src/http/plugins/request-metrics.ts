import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../operations/index.js';

/** Times every answered request by its route's pattern, which has few values. Streams count apart: they last as long as their job. */
export function installRequestMetrics(instance: FastifyInstance, metrics: Metrics): void {
  instance.addHook('onResponse', async (request, reply) => {
    const route = request.is404 ? '(none)' : (request.routeOptions.url ?? '(none)');
    if (reply.getHeader('content-type') === undefined && route.endsWith('/progress')) return;
    metrics.request({ route, method: request.method, status: reply.raw.statusCode, seconds: reply.elapsedTime / 1000 });
  });
}
