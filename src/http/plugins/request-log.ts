import type { FastifyInstance } from 'fastify';

/** One line a response. The route's pattern and not its URL: URLs carry keys (`apiKey`) and the names of outputs. */
export function installRequestLog(instance: FastifyInstance): void {
  instance.addHook('onResponse', async (request, reply) => {
    const { job_id } = (request.params ?? {}) as { job_id?: string };
    const facts = {
      method: request.method,
      route: request.is404 ? '(none)' : request.routeOptions.url,
      status: reply.raw.statusCode,
      ms: Math.round(reply.elapsedTime),
      account_id: request.caller?.accountId,
      job_id,
    };
    request.log.info(facts, 'answered');
  });
}
