import type { Clock, RateLimiter } from '../../accounts/index.js';
import { EventRelay } from './event-relay.js';
import { RedisRateLimiter } from './shared-limits.js';

/** Dependencies of the Redis link. */
export interface RedisOptions {
  url: string;
  /** Fallback while Redis is unreachable. */
  limiter: RateLimiter;
  clock: Clock;
  log: { warn(fields: object, text: string): void; info(fields: object, text: string): void };
}

/** Services shared through Redis. */
export interface RedisLink {
  limits: RedisRateLimiter;
  relay: EventRelay;
  close(): void;
}

/** Timeout of a command (ms); callers fall back when it expires. */
const commandMs = 250;

/** Connects in the background and keeps retrying; resolves at once. */
export async function connectRedis({ url, limiter, clock, log }: RedisOptions): Promise<RedisLink> {
  const { Redis } = await import('ioredis');
  const settings = { enableOfflineQueue: false, maxRetriesPerRequest: 0, connectTimeout: 5000, keepAlive: 10_000, retryStrategy: retryDelayMs };
  const commands = new Redis(url, { ...settings, commandTimeout: commandMs });
  // A subscribed connection cannot run other commands.
  const listening = new Redis(url, { ...settings, enableOfflineQueue: true, maxRetriesPerRequest: null });
  logConnectionLoss(commands, log);
  listening.on('error', () => {});
  return {
    limits: new RedisRateLimiter(commands, limiter, clock),
    relay: new EventRelay(commands, listening),
    close: () => {
      for (const connection of [commands, listening]) connection.disconnect();
    },
  };
}

const retryDelayMs = (tries: number): number => Math.min(2000, 50 * 2 ** Math.min(tries, 6));

/** Logs once when the connection is lost and once when it is back. */
function logConnectionLoss(connection: { on(event: 'error' | 'ready', listener: (error?: Error) => void): unknown }, log: RedisOptions['log']): void {
  let isLost = false;
  connection.on('error', (error) => {
    if (!isLost) log.warn({ err: error }, 'Redis cannot be reached: rate limits are counted on each machine apart');
    isLost = true;
  });
  connection.on('ready', () => {
    if (isLost) log.info({}, 'Redis can be reached again');
    isLost = false;
  });
}
