import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountStore, Caller, RateLimiter, RateLimitResult, RequestLimiter } from '../../accounts/index.js';
import { AppError } from '../../errors/index.js';

/** Limit for requests without a key, which are counted per client address. */
const requestsPerMinutePerAddress = 600;
/** Limit for requests with wrong keys, which cost a query each, per client address. */
const wrongKeysPerMinutePerAddress = 60;
/** Limit for reconnects of event streams per account; a browser's EventSource reconnects every two seconds by itself. */
const reconnectsPerMinute = 600;
/** Maximum number of remembered keys. */
const maxKnownKeys = 10_000;

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
  const knownKeys = new Set<string>();
  instance.addHook('onRequest', async (request, reply) => {
    const found = await findCaller(parts, knownKeys, request);
    const { caller, refusal, error } = found;
    request.caller = caller ?? null;
    const unlimited = request.routeOptions.config?.unlimited === true;
    const rate = refusal ?? (await countRequest(parts, request, found, unlimited));
    setRateHeaders(reply, rate);
    reply.header('X-Content-Type-Options', 'nosniff');
    if (error !== undefined) throw error;
    const isPublic = request.is404 || request.routeOptions.config.public === true;
    if (!isPublic && caller === undefined && refusal === undefined) throw new AppError('UNAUTHORIZED');
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
  { caller, hasWrongKey }: FoundCaller,
  unlimited: boolean,
): RateLimitResult | Promise<RateLimitResult> {
  const address = request.ip;
  // A separate counter: the many range requests of a video player must not exhaust the limit of its address.
  if (unlimited) return limiter.take(`download ${address}`, requestsPerMinutePerAddress);
  if (hasWrongKey) return limiter.take(wrongKeyWindow(address), wrongKeysPerMinutePerAddress);
  if (caller === undefined) return countAddress(limiter, address);
  if (request.routeOptions.config?.keyInQuery === true && request.headers['last-event-id'] !== undefined) {
    return limiter.take(`reconnect ${caller.accountId}`, reconnectsPerMinute);
  }
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

interface FoundCaller {
  caller?: Caller | undefined;
  hasWrongKey?: boolean;
  /** The address has sent too many wrong keys, so this one was not looked up. */
  refusal?: RateLimitResult;
  /** Error of the database, returned instead of thrown so that the request is counted first. */
  error?: unknown;
}

const wrongKeyWindow = (address: string): string => `wrong key ${address}`;

/** Looks up the key of a request. `knownKeys` were valid before: they are looked up even when the address has sent too many wrong ones. */
async function findCaller({ accounts, limiter }: AdmissionParts, knownKeys: Set<string>, request: FastifyRequest): Promise<FoundCaller> {
  const key = readKey(request);
  if (key === undefined) return {};
  if (!knownKeys.has(key)) {
    const rate = limiter.peek(wrongKeyWindow(request.ip), wrongKeysPerMinutePerAddress);
    if (!rate.allowed) return { refusal: rate };
  }
  try {
    const caller = await accounts.findCaller(key);
    if (caller === undefined) knownKeys.delete(key);
    else if (knownKeys.size < maxKnownKeys) knownKeys.add(key);
    return { caller, hasWrongKey: caller === undefined };
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
