import type { Clock } from '../accounts/index.js';
import { AppError } from '../errors/index.js';

/** Pictures a second that an account may ask for one by one. */
export const framesPerSecond = 30;
/** At the same time, of single pictures and of series. */
const mostAtOnce = 2;
/** Who asks for the next picture while the one that it has given up is still being let go waits so long. */
const patienceMs = 1000;
const retryAfterSeconds = 1;
/** A larger request counts as several: reading it takes the service as long. */
const bytesPerRequest = 256 * 1024;
const mostAccounts = 10_000;

export type PreviewKind = 'frame' | 'frames';

interface Bucket {
  tokens: number;
  at: number;
}

/** Headers go to whoever answers. */
type SetHeader = (name: string, value: number) => unknown;

/** How much of the preview processes one account may have. In memory: each service counts for itself. */
export class PreviewLimits {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();
  readonly #open = new Map<string, { count: number; waiting: Array<() => void> }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a request for a single picture, of so many bytes. */
  take(accountId: string, bytes: number, setHeader: SetHeader): void {
    const now = this.#clock.monotonic();
    const bucket = this.#buckets.get(accountId) ?? { tokens: framesPerSecond, at: now };
    bucket.tokens = Math.min(framesPerSecond, bucket.tokens + ((now - bucket.at) / 1000) * framesPerSecond);
    bucket.at = now;
    this.#buckets.delete(accountId);
    this.#buckets.set(accountId, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > mostAccounts && oldest !== undefined) this.#buckets.delete(oldest);
    const cost = Math.max(1, Math.ceil(bytes / bytesPerRequest));
    if (bucket.tokens < cost) {
      setHeader('Retry-After', retryAfterSeconds);
      throw new AppError('RATE_LIMIT_EXCEEDED', { message: `More than ${framesPerSecond} preview frames in a second. Try again in a second.` });
    }
    bucket.tokens -= cost;
  }

  /** Resolves with what ends the stay. */
  async enter(accountId: string, kind: PreviewKind, setHeader: SetHeader): Promise<() => void> {
    const key = `${kind} ${accountId}`;
    const place = this.#open.get(key) ?? { count: 0, waiting: [] };
    this.#open.set(key, place);
    if (place.count >= mostAtOnce && !(await becomesFree(place.waiting))) {
      setHeader('Retry-After', retryAfterSeconds);
      const what = kind === 'frame' ? 'preview frames' : 'series of preview frames';
      throw new AppError('RATE_LIMIT_EXCEEDED', { message: `${mostAtOnce} ${what} are being drawn for this account, as many as may be at a time.` });
    }
    place.count += 1;
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      place.count -= 1;
      const next = place.waiting.shift();
      if (next !== undefined) next();
      else if (place.count === 0) this.#open.delete(key);
    };
  }
}

/** Whether somebody left in time. */
function becomesFree(waiting: Array<() => void>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(free), 1);
      resolve(false);
    }, patienceMs);
    const free = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    waiting.push(free);
  });
}
