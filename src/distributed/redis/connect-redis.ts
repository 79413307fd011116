import type { Clock, RateLimiter } from '../../accounts/index.js';
import { EventRelay } from './event-relay.js';
import { RedisRateLimiter } from './shared-limits.js';

export interface RedisOptions {
  url: string;
  /** Counts while Redis cannot. */
  limiter: RateLimiter;
  clock: Clock;
  log: { warn(facts: object, text: string): void; info(facts: object, text: string): void };
}

export interface RedisLink {
  limits: RedisRateLimiter;
  relay: EventRelay;
  close(): void;
}

/** Whoever asks waits no longer than this; what is not sent by then is done without. */
const commandMs = 250;

/** Resolves at once: a server that is not there yet is looked for again and again. */
export async function connectRedis({ url, limiter, clock, log }: RedisOptions): Promise<RedisLink> {
  const { Redis } = await import('ioredis');
  const settings = { enableOfflineQueue: false, maxRetriesPerRequest: 0, connectTimeout: 5000, keepAlive: 10_000, retryStrategy: patience };
  const commands = new Redis(url, { ...settings, commandTimeout: commandMs });
  // One that listens can do nothing else.
  const listening = new Redis(url, { ...settings, enableOfflineQueue: true, maxRetriesPerRequest: null });
  tellOfLoss(commands, log);
  listening.on('error', () => {});
  return {
    limits: new RedisRateLimiter(commands, limiter, clock),
    relay: new EventRelay(commands, listening),
    close: () => {
      for (const connection of [commands, listening]) connection.disconnect();
    },
  };
}

const patience = (tries: number): number => Math.min(2000, 50 * 2 ** Math.min(tries, 6));

/** Once when it is lost, and once when it is back. */
function tellOfLoss(connection: { on(event: 'error' | 'ready', listener: (error?: Error) => void): unknown }, log: RedisOptions['log']): void {
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
