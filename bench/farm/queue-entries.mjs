import { RenderQueue } from '../../dist/distributed/queue/render-queue.js';
import { cpuOf, spread, startRedis } from './redis.mjs';

/** Queue overhead per segment: one host takes and completes the entries of one long movie in sequence. */
export async function measureQueueEntries({ parts = 2000 } = {}) {
  const redis = await startRedis();
  const queue = await RenderQueue.open({ url: redis.url, log: { info() {}, warn() {} }, prefix: 'tickets' });
  while (!queue.isConnected) await new Promise((resolve) => setTimeout(resolve, 10));
  await queue.addMovie({ jobId: 'movie.long.0', accountId: 'one', credits: parts }, 'layout');
  const { entry } = await queue.next('one');
  const list = Array.from({ length: parts }, (_none, index) => ({
    index,
    stage: '',
    share: 0,
    packets: '',
    sources: [],
    document: '',
    range: { first: 0, end: 1 },
  }));
  const giving = performance.now();
  await queue.addSegments(entry, 'run', 'one', list);
  await entry.waitForSegments();
  const givenMs = performance.now() - giving;
  const [node, server] = [process.cpuUsage(), await cpuOf(queue.client)];
  const took = [];
  for (;;) {
    const began = performance.now();
    const taken = await queue.next('one');
    if (taken === undefined || taken.kind === 'movie') break;
    await taken.entry.complete();
    took.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(node);
  const redisMs = ((await cpuOf(queue.client)) - server) * 1000;
  await queue.close();
  await redis.stop();
  const each = (ms) => Math.round((ms / took.length) * 100) / 100;
  return {
    parts: took.length,
    givingOutMs: each(givenMs),
    wallMs: spread(took),
    nodeProcessorMs: each((user + system) / 1000),
    redisProcessorMs: each(redisMs),
  };
}
