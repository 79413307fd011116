import type { Clock } from './clock.js';

export interface RateLimitResult {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Unix seconds at which the window ends. */
  resetAt: number;
  /** Whole seconds until then, at least 1. */
  retryAfterSeconds: number;
}

/** Counts one request of the caller. */
export interface RequestLimiter {
  take(caller: string, limit: number): RateLimitResult | Promise<RateLimitResult>;
}

interface Window {
  used: number;
  endsAtMonotonic: number;
  resetAt: number;
}

const windowMs = 60_000;
/** Beyond this many callers in a minute, further ones share one window: memory stays bounded under a flood of addresses. */
const maxWindows = 100_000;

/**
 * Counts requests in windows of 60 seconds that start with a caller's first request.
 * Lives in memory: a restart forgets the counts, which lets a caller have at most one more window's worth.
 * Windows end by the monotonic clock, so a jump of the wall clock never locks anyone out.
 */
export class RateLimiter implements RequestLimiter {
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts one request of this caller. */
  take(caller: string, limit: number): RateLimitResult {
    const now = this.#clock.monotonic();
    const window = this.#windowOf(caller, now);
    const allowed = window.used < limit;
    if (allowed) window.used += 1;
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - window.used),
      resetAt: window.resetAt,
      retryAfterSeconds: Math.max(1, Math.ceil((window.endsAtMonotonic - now) / 1000)),
    };
  }

  #windowOf(caller: string, now: number): Window {
    const found = this.#windows.get(caller);
    if (found !== undefined && now < found.endsAtMonotonic) return found;
    this.#windows.delete(caller);
    this.#dropEnded(now);
    const name = this.#windows.size < maxWindows ? caller : 'everyone else';
    const shared = this.#windows.get(name);
    if (shared !== undefined && now < shared.endsAtMonotonic) return shared;
    const window = { used: 0, endsAtMonotonic: now + windowMs, resetAt: Math.ceil((this.#clock.now() + windowMs) / 1000) };
    // Deleting first keeps the map in order of ending, which #dropEnded relies on.
    this.#windows.delete(name);
    this.#windows.set(name, window);
    return window;
  }

  #dropEnded(now: number): void {
    for (const [caller, window] of this.#windows) {
      if (now < window.endsAtMonotonic) return;
      this.#windows.delete(caller);
    }
  }
}
