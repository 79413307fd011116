import type { RedisCommands } from './redis-commands.js';

/**
 * Whose work comes next, over all hosts: start-time fair queueing. Work of an account is tagged with the place on the
 * common clock at which it would begin if every account had the same share; the lowest tag is taken first, and moves
 * the clock on. So a film of an hour does not hold up another account's ten seconds, and nobody waits for ever.
 */

/** BullMQ's priorities end here; beyond it work is taken in the order in which it came. */
const lastTag = 2_097_152;
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

export class Turns {
  readonly #redis: RedisCommands;
  readonly #accounts: string;
  readonly #clock: string;

  constructor(redis: RedisCommands, prefix: string) {
    this.#redis = redis;
    this.#accounts = `${prefix}:turns`;
    this.#clock = `${prefix}:turn`;
  }

  /** The tag of a movie of so many credits. */
  async tag(accountId: string, credits: number): Promise<number> {
    const tag = (await this.#redis.eval(tagScript, 2, this.#accounts, this.#clock, accountId, stepsOf(credits))) as number;
    return Math.min(lastTag, tag);
  }

  /** Work of this tag begins. */
  async take(tag: number): Promise<void> {
    await this.#redis.eval(takeScript, 1, this.#clock, tag);
  }

  /** Nobody has anything to do: the clock begins anew. */
  async reset(): Promise<void> {
    await this.#redis.del(this.#accounts, this.#clock);
  }
}

/** A movie's parts spread over its steps on the clock. */
export function tagOfPart(tag: number, credits: number, index: number, count: number): number {
  return Math.min(lastTag, tag + Math.floor((index * stepsOf(credits)) / Math.max(1, count)));
}

function stepsOf(credits: number): number {
  return Math.max(1, Math.ceil(credits / creditsPerStep));
}
