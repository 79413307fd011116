import type { Clock } from './clock.js';

/** Outcome of counting one request. */
export interface RateLimitResult {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Unix seconds at which the window ends. */
  resetAt: number;
  /** Whole seconds until then, at least 1. */
  retryAfterSeconds: number;
}

/** Limits requests per caller and window. */
export interface RequestLimiter {
  take(caller: string, limit: number): RateLimitResult | Promise<RateLimitResult>;
}

interface Window {
  used: number;
  endsAtMonotonic: number;
  resetAt: number;
}

const windowMs = 60_000;
const sharedWindow = 'other callers';
/** Maximum number of tracked callers. Further ones share one window, which bounds memory under a flood of addresses. */
const maxWindows = 100_000;

/**
 * Fixed-window rate limiter in memory: a window of 60 s starts with a caller's first request.
 * A restart drops the counts, which allows at most one extra window.
 * Windows use the monotonic clock, so a jump of the wall clock does not extend them.
 */
export class RateLimiter implements RequestLimiter {
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts one request of a caller unless `limit` is reached. */
  take(caller: string, limit: number): RateLimitResult {
    const window = this.#windowOf(caller, this.#clock.monotonic());
    const result = this.#describe(window, limit);
    if (!result.allowed) return result;
    window.used += 1;
    return { ...result, remaining: result.remaining - 1 };
  }

  /** What the next request of a caller would get; counts nothing. */
  peek(caller: string, limit: number): RateLimitResult {
    return this.#describe(this.#windowOf(caller, this.#clock.monotonic()), limit);
  }

  #describe(window: Window, limit: number): RateLimitResult {
    return {
      allowed: window.used < limit,
      limit,
      remaining: Math.max(0, limit - window.used),
      resetAt: window.resetAt,
      retryAfterSeconds: Math.max(1, Math.ceil((window.endsAtMonotonic - this.#clock.monotonic()) / 1000)),
    };
  }

  #windowOf(caller: string, now: number): Window {
    const found = this.#windows.get(caller);
    if (found !== undefined && now < found.endsAtMonotonic) return found;
    this.#windows.delete(caller);
    this.#removeExpired(now);
    const name = this.#windows.size < maxWindows ? caller : sharedWindow;
    const shared = this.#windows.get(name);
    if (shared !== undefined && now < shared.endsAtMonotonic) return shared;
    const window = { used: 0, endsAtMonotonic: now + windowMs, resetAt: Math.ceil((this.#clock.now() + windowMs) / 1000) };
    // Delete and set keeps the map ordered by expiry, which #removeExpired relies on.
    this.#windows.delete(name);
    this.#windows.set(name, window);
    return window;
  }

  #removeExpired(now: number): void {
    for (const [caller, window] of this.#windows) {
      if (now < window.endsAtMonotonic) return;
      this.#windows.delete(caller);
    }
  }
}
