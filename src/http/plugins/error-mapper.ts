import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply } from 'fastify';
import type { RateLimiter } from '../../accounts/index.js';
import { AppError } from '../../errors/index.js';
import { bodyLimitBytes, describeError, toAppError } from '../error-body.js';
import { Refusal } from '../refusal.js';
import { countAddress, setRateHeaders } from './admission.js';
import type { KnownPaths } from './known-paths.js';

export { bodyLimitBytes };

/** When a slot of the account may be free again is not known; this is how long to wait before asking. */
const concurrencyRetryAfterSeconds = 5;

/** How long a database is usually away: a failover, a restart. */
const unavailableRetryAfterSeconds = 2;

export function installErrorMapper(instance: FastifyInstance, paths: KnownPaths): void {
  instance.setErrorHandler((error, request, reply) => answerError(error, request.log, reply));
  instance.setNotFoundHandler((request, reply) => {
    const allowed = paths.methodsOf(request.url);
    const error =
      allowed.length === 0
        ? new AppError('NOT_FOUND', { message: 'There is nothing at this path.' })
        : new Refusal(405, { message: `${request.method} is not possible here; allowed: ${allowed.join(', ')}.`, headers: { Allow: allowed.join(', ') } });
    return answerError(error, request.log, reply);
  });
}

function answerError(thrown: unknown, log: FastifyBaseLogger, reply: FastifyReply): FastifyReply {
  const error = toAppError(thrown);
  if (error.code === 'INTERNAL_ERROR') log.error({ err: thrown, detail: error.detail }, 'a request failed');
  if (error instanceof Refusal) reply.headers(error.headers);
  if (error.status === 503) reply.header('Retry-After', unavailableRetryAfterSeconds);
  if (error.code === 'CONCURRENCY_LIMIT_EXCEEDED') reply.header('Retry-After', concurrencyRetryAfterSeconds);
  return reply.status(error.status).type('application/json; charset=utf-8').send(describeError(error));
}

/** For requests that never reach the hooks (an undecodable path): counted here. */
export function createFrameworkErrorHandler(
  limiter: RateLimiter,
): (error: unknown, request: { socket: Socket; log: FastifyBaseLogger }, reply: FastifyReply) => void {
  return (error, request, reply) => {
    setRateHeaders(reply, countAddress(limiter, request.socket.remoteAddress));
    reply.header('X-Content-Type-Options', 'nosniff');
    answerError(error, request.log, reply);
  };
}
