import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountStore, Caller, RateLimiter, RateLimitResult, RequestLimiter } from '../../accounts/index.js';
import { AppError } from '../../errors/index.js';

/** Limit for requests without a valid key, which are counted per client address. */
const requestsPerMinutePerAddress = 600;

export interface AdmissionParts {
  accounts: AccountStore;
  /** Counts requests per client address. */
  limiter: RateLimiter;
  /** Counts requests per account. */
  accountLimits: RequestLimiter;
}

/** Authenticates and rate-limits every request: 401 before 429. Sets the rate headers and `nosniff` on every response. */
export function installAdmission(instance: FastifyInstance, parts: AdmissionParts): void {
  instance.decorateRequest('caller', null);
  instance.addHook('onRequest', async (request, reply) => {
    const { caller, error } = await findCaller(parts.accounts, request);
    request.caller = caller ?? null;
    const unlimited = request.routeOptions.config?.unlimited === true;
    const rate = await countRequest(parts, request, caller, unlimited);
    setRateHeaders(reply, rate);
    reply.header('X-Content-Type-Options', 'nosniff');
    if (error !== undefined) throw error;
    const isPublic = request.is404 || request.routeOptions.config.public === true;
    if (!isPublic && caller === undefined) throw new AppError('UNAUTHORIZED');
    if (!rate.allowed && !unlimited) {
      reply.header('Retry-After', rate.retryAfterSeconds);
      throw new AppError('RATE_LIMIT_EXCEEDED', {
        message: `More than ${rate.limit} requests in this minute. Try again in ${rate.retryAfterSeconds} seconds.`,
      });
    }
  });
}

function countRequest(
  { limiter, accountLimits }: AdmissionParts,
  request: FastifyRequest,
  caller: Caller | undefined,
  unlimited: boolean,
): RateLimitResult | Promise<RateLimitResult> {
  const address = request.socket.remoteAddress;
  // A separate counter: the many range requests of a video player must not exhaust the limit of its address.
  if (unlimited) return limiter.take(`download ${address}`, requestsPerMinutePerAddress);
  if (caller === undefined) return countAddress(limiter, address);
  const own = request.routeOptions.config?.ownLimit;
  if (own !== undefined) return limiter.take(`${own.name} ${caller.accountId}`, own.perMinute);
  return accountLimits.take(`account ${caller.accountId}`, caller.limits.requestsPerMinute);
}

/** The caller of a route that requires an API key. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new AppError('UNAUTHORIZED');
  return request.caller;
}

/** Counts a request without a valid key. */
export function countAddress(limiter: RateLimiter, address: string | undefined): RateLimitResult {
  return limiter.take(`address ${address ?? 'unknown'}`, requestsPerMinutePerAddress);
}

/** The X-RateLimit headers. */
export function rateHeaders(rate: RateLimitResult): Record<string, string> {
  return { 'X-RateLimit-Limit': String(rate.limit), 'X-RateLimit-Remaining': String(rate.remaining), 'X-RateLimit-Reset': String(rate.resetAt) };
}

/** Sets the X-RateLimit headers of a response. */
export function setRateHeaders(reply: FastifyReply, rate: RateLimitResult): void {
  reply.headers(rateHeaders(rate));
}

/** Returns a database error instead of throwing it, so that the request is counted first. */
async function findCaller(accounts: AccountStore, request: FastifyRequest): Promise<{ caller?: Caller | undefined; error?: unknown }> {
  const key = readKey(request);
  if (key === undefined) return {};
  try {
    return { caller: await accounts.findCaller(key) };
  } catch (error) {
    return { error };
  }
}

function readKey(request: FastifyRequest): string | undefined {
  const header = request.headers['x-api-key'];
  if (typeof header === 'string' && header !== '') return header;
  if (request.routeOptions.config?.keyInQuery !== true) return undefined;
  const { apiKey } = request.query as Record<string, unknown>;
  return typeof apiKey === 'string' ? apiKey : undefined;
}
