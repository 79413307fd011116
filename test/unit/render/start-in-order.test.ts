import { setImmediate as settled } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SegmentProgress } from '../../../src/render/encode/segment-progress.js';
import { startInOrder } from '../../../src/render/start-in-order.js';

/** Pieces of work that begin and end when the test says so. */
async function watched(count: number, atOnce: number, goesOn: (index: number) => boolean = () => false) {
  const started: number[] = [];
  const aborted: number[] = [];
  const begin: Array<() => void> = [];
  const end: Array<(error?: Error) => void> = [];
  const all = startInOrder({ count, maxParallel: atOnce, continuesPrevious: goesOn }, new AbortController().signal, (index, signal, onBegun) => {
    started.push(index);
    begin[index] = onBegun;
    signal.addEventListener('abort', () => aborted.push(index));
    return new Promise<number>((resolve, reject) => {
      end[index] = (error) => (error === undefined ? resolve(index) : reject(error));
    });
  });
  all.catch(() => {});
  await settled();
  const after = async (act: () => void): Promise<number[]> => {
    act();
    await settled();
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

it('one piece gets ready while one is in hand, and the next when that one begins', async () => {
  const { all, begin, end, started } = await watched(4, 1);
  expect(started).toEqual([0]);
  expect(await begin(0)).toEqual([0, 1]);
  // Its turn comes before the other's end is told: that is waited for.
  expect(await begin(1)).toEqual([0, 1]);
  expect(await end(0)).toEqual([0, 1, 2]);
  // There already.
  expect(await end(2)).toEqual([0, 1, 2, 3]);
  await end(3);
  await end(1);
  expect(await all).toEqual([0, 1, 2, 3]);
});

it('as many are in hand as begin, one more gets ready, and what goes on follows its predecessor', async () => {
  const { begin, end } = await watched(8, 3, (index) => index === 2);
  expect(await begin(0)).toEqual([0, 1]);
  expect(await begin(1)).toEqual([0, 1]);
  expect(await end(1)).toEqual([0, 1, 2]);
  expect(await begin(2)).toEqual([0, 1, 2, 3]);
  expect(await begin(3)).toEqual([0, 1, 2, 3, 4]);
  expect(await begin(4)).toEqual([0, 1, 2, 3, 4]);
  expect(await end(3)).toEqual([0, 1, 2, 3, 4, 5]);
});

it('a failure stops all others, starts none, and is told when they have ended', async () => {
  const { all, begin, end, aborted } = await watched(5, 2);
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

it('frames of all stretches count, and neither they nor the stage step back', () => {
  const told: unknown[] = [];
  const progress = new SegmentProgress(100, (stage, done) => told.push([stage, done]));
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
  expect(told).toEqual([
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
