import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FairScheduler, segmentTag } from '../../../src/distributed/queue/fair-scheduler.js';
import { RenderQueue } from '../../../src/distributed/queue/render-queue.js';
import { type RedisServer, startRedisServer } from '../../support/redis-server.js';

const part = (index: number) => ({
  index,
  kind: 'picture' as const,
  stage: '',
  weight: 1,
  share: 0.25,
  packets: '',
  sources: [],
  document: '',
  range: { first: 0, end: 1 },
});

describe('the fair scheduler', () => {
  let server: RedisServer;
  let redis: Redis;
  let turns: FairScheduler;
  beforeAll(async () => {
    server = await startRedisServer();
    redis = new Redis(server.url);
    turns = new FairScheduler(redis, 'test');
  });
  beforeEach(() => turns.reset());
  afterAll(async () => {
    redis.disconnect();
    await server.kill();
  });

  it('spaces the movies of one account by their cost', async () => {
    expect([await turns.createTag('a', 10), await turns.createTag('a', 11), await turns.createTag('a', 1), await turns.createTag('a', 1)]).toEqual([
      1, 3, 6, 7,
    ]);
  });

  it('starts another account at the current virtual time, regardless of the backlog of the first', async () => {
    for (let order = 0; order < 50; order += 1) await turns.createTag('a', 100);
    expect(await turns.createTag('b', 10)).toBe(1);
    await turns.advanceTo(400);
    expect(await turns.createTag('c', 10)).toBe(401);
    // The clock never goes back.
    await turns.advanceTo(3);
    expect(await turns.createTag('d', 10)).toBe(401);
    expect(await turns.createTag('b', 10)).toBe(401);
  });

  it('serves accounts with equal orders alike by lowest tag first', async () => {
    const waiting: Array<{ account: string; tag: number }> = [];
    for (let order = 0; order < 30; order += 1) waiting.push({ account: 'many', tag: await turns.createTag('many', 5) });
    for (let order = 0; order < 10; order += 1) waiting.push({ account: 'few', tag: await turns.createTag('few', 5) });
    const first = waiting.sort((a, b) => a.tag - b.tag).slice(0, 20);
    expect(first.filter(({ account }) => account === 'few')).toHaveLength(10);
  });

  it('gives segments of a long movie successive tags and those of a short one the same tag', () => {
    expect([0, 1, 2, 3].map((index) => segmentTag(7, 20, index, 4))).toEqual([7, 8, 9, 10]);
    expect([0, 1, 2, 3].map((index) => segmentTag(7, 3, index, 4))).toEqual([7, 7, 7, 7]);
  });

  it('picks the lowest tag at any virtual time', async () => {
    const queue = await RenderQueue.open({ url: server.url, log: { warn() {}, info() {} }, prefix: 'test' });
    try {
      await expect.poll(() => queue.isConnected).toBe(true);
      await turns.advanceTo(3_000_000);
      for (const [jobId, accountId] of [
        ['first', 'many'],
        ['second', 'many'],
        ['third', 'few'],
      ] as const) {
        await queue.addMovie({ jobId, accountId, credits: 500 }, 'layout');
      }
      await queue.rebasePriorities([]);
      const taken: string[] = [];
      for (let next = await queue.next('one'); next !== undefined; next = await queue.next('one')) {
        taken.push(next.entry.id);
        if (taken.length > 1) await next.entry.complete();
        else if (next.kind === 'movie') {
          await queue.addSegments(
            next.entry,
            'run',
            'one',
            Array.from({ length: 4 }, (_none, index) => part(index)),
          );
          await next.entry.waitForSegments();
        }
      }
      // Segments of the first movie have a hundred tags; jobs of the other account are between them.
      expect(taken).toEqual(['first', 'third', 'run-0', 'run-1', 'run-2', 'run-3', 'first', 'second']);
      expect(await turns.createTag('late', 5)).toBe(3_000_102);
    } finally {
      await queue.close();
    }
  });
});
