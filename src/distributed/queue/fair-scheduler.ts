import type { RedisCommands } from './redis-commands.js';

/**
 * Whose work comes next, over all hosts: start-time fair queueing. Work of an account is tagged with the place on the
 * common clock at which it would begin if every account had the same share; the lowest tag is taken first, and moves
 * the clock on. So a film of an hour does not hold up another account's ten seconds, and nobody waits for ever.
 */

/** BullMQ's priorities end here; what lies farther ahead of the base is taken in the order in which it came. */
const lastPriority = 2_097_151;
/** The base is moved when the clock is so far ahead of it. */
const farFromBase = lastPriority / 2;
/** For so long after it others may still count from the old one. */
const movedMs = 60_000;
const creditsPerStep = 5;

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

export class FairScheduler {
  readonly #redis: RedisCommands;
  readonly #accounts: string;
  readonly #clock: string;
  /** Where priorities are counted from. */
  readonly baseKey: string;

  constructor(redis: RedisCommands, prefix: string) {
    this.#redis = redis;
    this.#accounts = `${prefix}:turns`;
    this.#clock = `${prefix}:turn`;
    this.baseKey = `${prefix}:turn-base`;
  }

  /** The tag of a movie of so many credits. */
  async createTag(accountId: string, credits: number): Promise<number> {
    return (await this.#redis.eval(tagScript, 2, this.#accounts, this.#clock, accountId, stepsOf(credits))) as number;
  }

  /** Work of this tag begins. */
  async advanceTo(tag: number): Promise<void> {
    await this.#redis.eval(takeScript, 1, this.#clock, tag);
  }

  /** Moves the base on where the clock has left it far behind; where it is, when priorities may still be of an old one. */
  async rebase(): Promise<number | undefined> {
    const moved = `${this.baseKey}:moved`;
    const base = (await this.#redis.eval(moveScript, 3, this.#clock, this.baseKey, moved, farFromBase, movedMs)) as number;
    return base < 0 ? undefined : base;
  }

  /** Nobody has anything to do: the clock begins anew. */
  async reset(): Promise<void> {
    await this.#redis.del(this.#accounts, this.#clock, this.baseKey);
  }
}

/** A movie's parts spread over its steps on the clock. */
export function segmentTag(tag: number, credits: number, index: number, count: number): number {
  return tag + Math.floor((index * stepsOf(credits)) / Math.max(1, count));
}

/** The lower, the earlier. */
export function tagPriority(tag: number, base: number): number {
  return Math.max(1, Math.min(lastPriority, tag - base));
}

function stepsOf(credits: number): number {
  return Math.max(1, Math.ceil(credits / creditsPerStep));
}
