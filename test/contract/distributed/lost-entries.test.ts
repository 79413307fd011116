import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import type { LockedEntry } from '../../../src/distributed/queue/locked-entry.js';
import { RenderQueue } from '../../../src/distributed/queue/render-queue.js';
import { startRedisServer } from '../../support/redis-server.js';

const changes: Array<[string, (entry: LockedEntry<never>) => Promise<unknown>]> = [
  ['complete', (entry) => entry.complete()],
  ['retry', (entry) => entry.retry('the render process stopped')],
  ['requeue', (entry) => entry.requeue()],
  ['update', (entry) => entry.update({} as never)],
  ['waitForSegments', (entry) => entry.waitForSegments()],
];

it('changes of a claimed entry do nothing after Redis lost its data', async () => {
  const server = await startRedisServer();
  const redis = new Redis(server.url);
  const queue = await RenderQueue.open({ url: server.url, log: { warn() {}, info() {} }, prefix: 'test' });
  try {
    await expect.poll(() => queue.isConnected).toBe(true);
    for (const [name, change] of changes) {
      await queue.addMovie({ jobId: `job-${name}`, accountId: 'a', credits: 1 }, 'layout');
      const taken = await queue.next('one');
      expect(taken?.entry.id).toBe(`job-${name}`);
      await redis.flushall();
      await change(taken?.entry as unknown as LockedEntry<never>);
      expect(await taken?.entry.extend()).toBe(false);
    }
  } finally {
    await queue.close();
    redis.disconnect();
    await server.kill();
  }
});
