import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Turns, tagOfPart } from '../../../src/farm/turns.js';
import { type RedisServer, startRedisServer } from '../../support/redis-server.js';

describe('whose turn it is', () => {
  let server: RedisServer;
  let redis: Redis;
  let turns: Turns;
  beforeAll(async () => {
    server = await startRedisServer();
    redis = new Redis(server.url);
    turns = new Turns(redis, 'test');
  });
  beforeEach(() => turns.reset());
  afterAll(async () => {
    redis.disconnect();
    await server.kill();
  });

  it('movies of one account follow one another by what they cost', async () => {
    expect([await turns.tag('a', 10), await turns.tag('a', 11), await turns.tag('a', 1), await turns.tag('a', 1)]).toEqual([1, 3, 6, 7]);
  });

  it('another account begins where the clock is, however much the first has ordered', async () => {
    for (let order = 0; order < 50; order += 1) await turns.tag('a', 100);
    expect(await turns.tag('b', 10)).toBe(1);
    await turns.take(400);
    expect(await turns.tag('c', 10)).toBe(401);
    // The clock never goes back.
    await turns.take(3);
    expect(await turns.tag('d', 10)).toBe(401);
    expect(await turns.tag('b', 10)).toBe(401);
  });

  it('accounts of equal orders share: whoever takes the lowest tag first serves each alike', async () => {
    const waiting: Array<{ account: string; tag: number }> = [];
    for (let order = 0; order < 30; order += 1) waiting.push({ account: 'many', tag: await turns.tag('many', 5) });
    for (let order = 0; order < 10; order += 1) waiting.push({ account: 'few', tag: await turns.tag('few', 5) });
    const first = waiting.sort((a, b) => a.tag - b.tag).slice(0, 20);
    expect(first.filter(({ account }) => account === 'few')).toHaveLength(10);
  });

  it('the parts of a long movie spread over its steps, those of a short one share one', () => {
    expect([0, 1, 2, 3].map((index) => tagOfPart(7, 20, index, 4))).toEqual([7, 8, 9, 10]);
    expect([0, 1, 2, 3].map((index) => tagOfPart(7, 3, index, 4))).toEqual([7, 7, 7, 7]);
    expect(tagOfPart(2_097_152, 500, 9, 10)).toBe(2_097_152);
  });

  it('beyond what the queue can tell apart all are equal', async () => {
    await turns.take(3_000_000);
    expect(await turns.tag('late', 5)).toBe(2_097_152);
  });
});
