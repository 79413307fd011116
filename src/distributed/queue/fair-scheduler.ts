import type { RedisCommands } from './redis-commands.js';

/**
 * Start-time fair queueing between accounts, over all hosts. Work is tagged with the virtual time at which it would
 * start if every account had an equal share; the lowest tag is claimed first and advances
 * the virtual clock. So an hour-long movie does not delay another account's ten seconds, and no account starves.
 */

/** BullMQ's maximum priority; entries farther ahead of the base are FIFO. */
const maxPriority = 2_097_151;
/** Distance of the clock from the base that triggers a rebase. */
const rebaseDistance = maxPriority / 2;
/** How long hosts may use the old base after a rebase (ms). */
const rebaseGraceMs = 60_000;
const creditsPerTick = 5;

const tagScript = `
local now = tonumber(redis.call('get', KEYS[2]) or '0')
local last = tonumber(redis.call('hget', KEYS[1], ARGV[1]) or '0')
local start = math.max(now, last) + 1
redis.call('hset', KEYS[1], ARGV[1], start + tonumber(ARGV[2]) - 1)
return start`;

const takeScript = `
if tonumber(ARGV[1]) > tonumber(redis.call('get', KEYS[1]) or '0') then redis.call('set', KEYS[1], ARGV[1]) end
return 1`;

const moveScript = `
local now = tonumber(redis.call('get', KEYS[1]) or '0')
local base = tonumber(redis.call('get', KEYS[2]) or '0')
if now - base > tonumber(ARGV[1]) then
  base = now
  redis.call('set', KEYS[2], base)
  redis.call('set', KEYS[3], '1', 'PX', ARGV[2])
end
if redis.call('exists', KEYS[3]) == 1 then return base end
return -1`;

/** The virtual clock and the accounts' tags, in Redis. */
export class FairScheduler {
  readonly #redis: RedisCommands;
  readonly #accounts: string;
  readonly #clock: string;
  /** Redis key of the tag that priorities are relative to. */
  readonly baseKey: string;

  constructor(redis: RedisCommands, prefix: string) {
    this.#redis = redis;
    this.#accounts = `${prefix}:turns`;
    this.#clock = `${prefix}:turn`;
    this.baseKey = `${prefix}:turn-base`;
  }

  /** Creates the start tag of a movie with these credits. */
  async createTag(accountId: string, credits: number): Promise<number> {
    return (await this.#redis.eval(tagScript, 2, this.#accounts, this.#clock, accountId, tickCount(credits))) as number;
  }

  /** Advances the virtual clock to the tag of started work. */
  async advanceTo(tag: number): Promise<void> {
    await this.#redis.eval(takeScript, 1, this.#clock, tag);
  }

  /** Moves the base if the clock is far ahead of it. Returns the base while priorities of an old one may exist. */
  async rebase(): Promise<number | undefined> {
    const moved = `${this.baseKey}:moved`;
    const base = (await this.#redis.eval(moveScript, 3, this.#clock, this.baseKey, moved, rebaseDistance, rebaseGraceMs)) as number;
    return base < 0 ? undefined : base;
  }

  /** Resets the clock when the queue is empty. */
  async reset(): Promise<void> {
    await this.#redis.del(this.#accounts, this.#clock, this.baseKey);
  }
}

/** Start tag of a segment: segments are spread evenly over the movie's ticks. */
export function segmentTag(tag: number, credits: number, index: number, count: number): number {
  return tag + Math.floor((index * tickCount(credits)) / Math.max(1, count));
}

/** BullMQ priority of a tag; lower is claimed earlier. */
export function tagPriority(tag: number, base: number): number {
  return Math.max(1, Math.min(maxPriority, tag - base));
}

function tickCount(credits: number): number {
  return Math.max(1, Math.ceil(credits / creditsPerTick));
}
