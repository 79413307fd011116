import type { Redis } from 'ioredis';
import type { Clock, RateLimiter, RateLimitResult, RequestLimiter } from '../../accounts/index.js';

const windowMs = 60_000;

/** Counts a call unless the limit is reached. Returns whether it counts, how many do, and the milliseconds until the window ends. */
const takeScript = `
local used = tonumber(redis.call('get', KEYS[1]) or '0')
local allowed = used < tonumber(ARGV[1])
if allowed then used = redis.call('incr', KEYS[1]) end
local left = redis.call('pttl', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[2])
  redis.call('set', KEYS[1], used, 'PX', left)
end
return { allowed and 1 or 0, used, left }`;

/** RateLimiter's windows shared by all machines; falls back to a local limiter while Redis is unreachable. */
export class RedisRateLimiter implements RequestLimiter {
  readonly #redis: Redis;
  readonly #fallback: RateLimiter;
  readonly #clock: Clock;

  constructor(redis: Redis, fallback: RateLimiter, clock: Clock) {
    this.#redis = redis;
    this.#fallback = fallback;
    this.#clock = clock;
  }

  /** Counts one request of a caller unless `limit` is reached. */
  async take(caller: string, limit: number): Promise<RateLimitResult> {
    try {
      const answer = (await this.#redis.eval(takeScript, 1, `framewright:calls:${caller}`, limit, windowMs)) as [number, number, number];
      const [allowed, used, leftMs] = answer;
      return {
        allowed: allowed === 1,
        limit,
        remaining: Math.max(0, limit - used),
        resetAt: Math.ceil((this.#clock.now() + leftMs) / 1000),
        retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
      };
    } catch {
      return this.#fallback.take(caller, limit);
    }
  }
}
