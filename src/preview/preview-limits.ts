import type { Clock } from '../accounts/index.js';
import { AppError } from '../errors/index.js';
import { LruCache } from './lru-cache.js';

/** Single-frame requests per second and account. */
export const maxFramesPerSecond = 30;
/** Concurrent requests per account, for single frames and for series each. */
const maxConcurrent = 2;
/** Waiting time for a free slot: a client may send its next request while its cancelled one is still being released. */
const slotTimeoutMs = 1000;
const retryAfterSeconds = 1;
/** A larger request counts as several, since parsing takes as long as for several. */
const bytesPerRequest = 256 * 1024;
const maxAccounts = 10_000;

/** Single frames and series have separate limits. */
type PreviewKind = 'frame' | 'frames';

interface TokenBucket {
  tokens: number;
  /** On the monotonic clock, in ms. */
  refilledAt: number;
}

/** Sets a response header. */
type SetHeader = (name: string, value: number) => unknown;

/** Rate and concurrency limits of previews per account. In memory: each service instance counts on its own. */
export class PreviewLimits {
  readonly #clock: Clock;
  readonly #buckets = new LruCache<TokenBucket>(maxAccounts);
  readonly #slots = new Map<string, { count: number; waiting: Array<() => void> }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a single-frame request with a body of `bytes`; throws RATE_LIMIT_EXCEEDED. */
  take(accountId: string, bytes: number, setHeader: SetHeader): void {
    const now = this.#clock.monotonic();
    const bucket = this.#buckets.get(accountId) ?? { tokens: maxFramesPerSecond, refilledAt: now };
    bucket.tokens = Math.min(maxFramesPerSecond, bucket.tokens + ((now - bucket.refilledAt) / 1000) * maxFramesPerSecond);
    bucket.refilledAt = now;
    this.#buckets.set(accountId, bucket);
    const cost = Math.max(1, Math.ceil(bytes / bytesPerRequest));
    if (bucket.tokens < cost) {
      setHeader('Retry-After', retryAfterSeconds);
      throw new AppError('RATE_LIMIT_EXCEEDED', {
        message: `More than ${maxFramesPerSecond} preview frames per second were requested. Try again in a second.`,
      });
    }
    bucket.tokens -= cost;
  }

  /** Takes a slot; resolves with a function that releases it. Rejects with RATE_LIMIT_EXCEEDED after a second. */
  async acquire(accountId: string, kind: PreviewKind, setHeader: SetHeader): Promise<() => void> {
    const key = `${kind} ${accountId}`;
    const slots = this.#slots.get(key) ?? { count: 0, waiting: [] };
    this.#slots.set(key, slots);
    if (slots.count >= maxConcurrent && !(await waitForSlot(slots.waiting))) {
      setHeader('Retry-After', retryAfterSeconds);
      const what = kind === 'frame' ? 'preview frames' : 'series of preview frames';
      throw new AppError('RATE_LIMIT_EXCEEDED', {
        message: `This account already has ${maxConcurrent} requests for ${what} in progress, the maximum. Try again in a second.`,
      });
    }
    slots.count += 1;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      slots.count -= 1;
      const next = slots.waiting.shift();
      if (next !== undefined) next();
      else if (slots.count === 0) this.#slots.delete(key);
    };
  }
}

/** Whether a slot was released in time. */
function waitForSlot(waiting: Array<() => void>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(free), 1);
      resolve(false);
    }, slotTimeoutMs);
    const free = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    waiting.push(free);
  });
}
