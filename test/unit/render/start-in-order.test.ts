import { setImmediate as settle } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SegmentProgress } from '../../../src/render/encode/segment-progress.js';
import { startInOrder } from '../../../src/render/start-in-order.js';

/** Tasks that begin and end on the test's command. */
async function startTasks(count: number, maxParallel: number, continuesPrevious: (index: number) => boolean = () => false) {
  const started: number[] = [];
  const aborted: number[] = [];
  const begin: Array<() => void> = [];
  const end: Array<(error?: Error) => void> = [];
  const all = startInOrder({ count, maxParallel, continuesPrevious }, new AbortController().signal, (index, signal, onBegun) => {
    started.push(index);
    begin[index] = onBegun;
    signal.addEventListener('abort', () => aborted.push(index));
    return new Promise<number>((resolve, reject) => {
      end[index] = (error) => (error === undefined ? resolve(index) : reject(error));
    });
  });
  all.catch(() => {});
  await settle();
  const after = async (act: () => void): Promise<number[]> => {
    act();
    await settle();
    return started;
  };
  return {
    all,
    started,
    begin: (index: number) => after(() => begin[index]?.()),
    end: (index: number, error?: Error) => after(() => end[index]?.(error)),
    aborted,
  };
}

it('starts a second task when the first has begun, and the third when a slot is free', async () => {
  const { all, begin, end, started } = await startTasks(4, 1);
  expect(started).toEqual([0]);
  expect(await begin(0)).toEqual([0, 1]);
  // The third task waits until one of the two has finished.
  expect(await begin(1)).toEqual([0, 1]);
  expect(await end(0)).toEqual([0, 1, 2]);
  // A task that ends without having begun, as for a cache hit.
  expect(await end(2)).toEqual([0, 1, 2, 3]);
  await end(3);
  await end(1);
  expect(await all).toEqual([0, 1, 2, 3]);
});

it('runs up to maxParallel tasks plus one that prepares itself; a task that continues its predecessor starts after it', async () => {
  const { begin, end } = await startTasks(8, 3, (index) => index === 2);
  expect(await begin(0)).toEqual([0, 1]);
  expect(await begin(1)).toEqual([0, 1]);
  expect(await end(1)).toEqual([0, 1, 2]);
  expect(await begin(2)).toEqual([0, 1, 2, 3]);
  expect(await begin(3)).toEqual([0, 1, 2, 3, 4]);
  expect(await begin(4)).toEqual([0, 1, 2, 3, 4]);
  expect(await end(3)).toEqual([0, 1, 2, 3, 4, 5]);
});

it('a failure aborts the other tasks, prevents further starts, and rejects after they have ended', async () => {
  const { all, begin, end, aborted } = await startTasks(5, 2);
  await begin(0);
  await begin(1);
  expect(await end(1, new Error('broken'))).toEqual([0, 1, 2]);
  expect(aborted.sort()).toEqual([0, 1, 2]);
  let isOver = false;
  void all.catch(() => (isOver = true));
  await end(0, new Error('aborted'));
  expect(isOver).toBe(false);
  expect(await end(2)).toEqual([0, 1, 2]);
  await expect(all).rejects.toThrow('broken');
});

it('adds up the frames of all segments; neither the progress nor the stage goes back', () => {
  const reports: unknown[] = [];
  const progress = new SegmentProgress(100, (stage, done) => reports.push([stage, done]));
  for (const [index, frames] of [
    [0, 0],
    [0, 10],
    [1, 0],
    [1, 20],
    [0, 30],
    [1, 5],
    [1, 30],
    [0, 50],
  ] as const)
    progress.report(index, `scene_${index}`, frames);
  expect(reports).toEqual([
    ['scene_0', 0],
    ['scene_0', 0.1],
    ['scene_1', 0.1],
    ['scene_1', 0.3],
    ['scene_1', 0.5],
    ['scene_1', 0.5],
    ['scene_1', 0.6],
    ['scene_1', 0.8],
  ]);
});
