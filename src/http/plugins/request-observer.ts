import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../operations/index.js';

/**
 * Logs and times every response under the pattern of its route: patterns have few values, and URLs contain keys (`apiKey`) and names of
 * outputs. Progress streams are not timed, since they last as long as their job.
 */
export function observeRequests(instance: FastifyInstance, metrics: Metrics): void {
  instance.addHook('onResponse', async (request, reply) => {
    const route = (request.is404 ? undefined : request.routeOptions.url) ?? '(none)';
    const { method } = request;
    const status = reply.raw.statusCode;
    const { job_id } = (request.params ?? {}) as { job_id?: string };
    request.log.info({ method, route, status, ms: Math.round(reply.elapsedTime), account_id: request.caller?.accountId, job_id }, 'request completed');
    const isStream = reply.getHeader('content-type') === undefined && route.endsWith('/progress');
    if (!isStream) metrics.observeRequest({ route, method, status, seconds: reply.elapsedTime / 1000 });
  });
}
