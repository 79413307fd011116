import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountStore, Caller, RateLimiter, RateLimitResult, RequestLimiter } from '../../accounts/index.js';
import { AppError } from '../../errors/index.js';

/** For requests without a valid key: they share nothing with an account, so only their address is known. */
const requestsPerMinutePerAddress = 600;

export interface AdmissionParts {
  accounts: AccountStore;
  /** Of addresses. */
  limiter: RateLimiter;
  /** Of accounts. */
  accountLimits: RequestLimiter;
}

/** Who calls, how often, and whether they may: first 401, then 429. Every response gets its rate headers here, and none may be taken for another type than it is. */
export function installAdmission(instance: FastifyInstance, parts: AdmissionParts): void {
  instance.decorateRequest('caller', null);
  instance.addHook('onRequest', async (request, reply) => {
    const looked = await findCaller(parts.accounts, request);
    request.caller = looked.caller ?? null;
    const unlimited = request.routeOptions.config?.unlimited === true;
    const ticket = await countRequest(parts, request, looked.caller, unlimited);
    setRateHeaders(reply, ticket);
    reply.header('X-Content-Type-Options', 'nosniff');
    if (looked.error !== undefined) throw looked.error;
    const open = request.is404 || request.routeOptions.config.public === true;
    if (!open && looked.caller === undefined) throw new AppError('UNAUTHORIZED');
    if (!ticket.allowed && !unlimited) {
      reply.header('Retry-After', ticket.retryAfterSeconds);
      throw new AppError('RATE_LIMIT_EXCEEDED', {
        message: `More than ${ticket.limit} requests in this minute. Try again in ${ticket.retryAfterSeconds} seconds.`,
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
  // Downloads are counted apart: a player's many ranges must not use up what others at its address may ask.
  if (unlimited) return limiter.take(`download ${address}`, requestsPerMinutePerAddress);
  if (caller === undefined) return countAddress(limiter, address);
  const own = request.routeOptions.config?.ownLimit;
  if (own !== undefined) return limiter.take(`${own.name} ${caller.accountId}`, own.perMinute);
  return accountLimits.take(`account ${caller.accountId}`, caller.limits.requestsPerMinute);
}

/** The caller of a route that needs a key. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new AppError('UNAUTHORIZED');
  return request.caller;
}

export function countAddress(limiter: RateLimiter, address: string | undefined): RateLimitResult {
  return limiter.take(`address ${address ?? 'unknown'}`, requestsPerMinutePerAddress);
}

export function rateHeaders(ticket: RateLimitResult): Record<string, string> {
  return { 'X-RateLimit-Limit': String(ticket.limit), 'X-RateLimit-Remaining': String(ticket.remaining), 'X-RateLimit-Reset': String(ticket.resetAt) };
}

export function setRateHeaders(reply: FastifyReply, ticket: RateLimitResult): void {
  reply.headers(rateHeaders(ticket));
}

/** A database that does not answer is an error of ours, told after the request was counted. */
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
