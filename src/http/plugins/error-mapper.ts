import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply } from 'fastify';
import type { RateLimiter } from '../../accounts/index.js';
import type { PublicErrorCode } from '../../contract/index.js';
import { AppError } from '../../errors/index.js';
import { describeError, HttpError, toAppError } from '../error-body.js';
import { countAddress, setRateHeaders } from './admission.js';

/** Suggested waits, in seconds: when a job of the account will end, or when its oldest purchases or files expire, is unknown. */
const retryAfterSeconds: Partial<Record<PublicErrorCode, number>> = {
  CONCURRENCY_LIMIT_EXCEEDED: 5,
  PROVIDER_LIMIT_EXCEEDED: 3600,
  SANDBOX_QUOTA_EXCEEDED: 3600,
};
/** Typical duration of a database failover or restart. */
const unavailableRetryAfterSeconds = 2;

/** Answers errors, and 404 or 405 for requests without a route. Covers the routes that are registered after this call. */
export function installErrorMapper(instance: FastifyInstance): void {
  const methodsOf = collectMethods(instance);
  instance.setErrorHandler((error, request, reply) => sendError(error, request.log, reply));
  instance.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(request.url).join(', ');
    const error =
      allowed === ''
        ? new AppError('NOT_FOUND', { message: 'Path not found.' })
        : new HttpError(405, { message: `${request.method} is not allowed here; allowed: ${allowed}.`, headers: { Allow: allowed } });
    return sendError(error, request.log, reply);
  });
}

function sendError(thrown: unknown, log: FastifyBaseLogger, reply: FastifyReply): FastifyReply {
  const error = toAppError(thrown);
  if (error.code === 'INTERNAL_ERROR') log.error({ err: thrown, detail: error.detail }, 'request failed');
  if (error instanceof HttpError) reply.headers(error.headers);
  if (error.status === 503) reply.header('Retry-After', unavailableRetryAfterSeconds);
  const waitSeconds = retryAfterSeconds[error.code];
  if (waitSeconds !== undefined) reply.header('Retry-After', waitSeconds);
  return reply.status(error.status).type('application/json; charset=utf-8').send(describeError(error));
}

/** Handler for requests that fail before any hook runs, such as an undecodable path; it also counts them. */
export function createFrameworkErrorHandler(
  limiter: RateLimiter,
): (error: unknown, request: { socket: Socket; log: FastifyBaseLogger }, reply: FastifyReply) => void {
  return (error, request, reply) => {
    setRateHeaders(reply, countAddress(limiter, request.socket.remoteAddress));
    reply.header('X-Content-Type-Options', 'nosniff');
    sendError(error, request.log, reply);
  };
}

/** The methods of a path, which Fastify's router does not tell for an unmatched method. */
function collectMethods(instance: FastifyInstance): (url: string) => string[] {
  const routes: Array<{ segments: string[]; methods: string[] }> = [];
  instance.addHook('onRoute', (route) => {
    routes.push({ segments: route.url.split('/'), methods: [route.method].flat() });
  });
  return (url) => {
    const segments = (url.split('?', 1)[0] ?? '').split('/');
    const methods = routes.filter((route) => matches(route.segments, segments)).flatMap((route) => route.methods);
    return [...new Set(methods)].sort();
  };
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.length === segments.length && pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]));
}
