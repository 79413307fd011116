import { expect, test } from 'vitest';
import type { Timeline } from '../../../src/contract/index.js';
import { findUncached } from '../../../src/render/plan/uncached.js';
import type { Movie, ResolvedDurations } from '../../../src/script/index.js';

/** Three scenes of 30 frames; `transitions` into the second and third. `unwanted` is made anew. */
function uncachedScenes(unwanted: number, transitions: [number?, number?]): number[] {
  const movie = { scenes: [0, 1, 2].map((index) => ({ elements: [], ...(index === unwanted && { cache: false }) })), elements: [] } as unknown as Movie;
  const sections = [0, 30, 60].map((start, index) => {
    const frames = transitions[index - 1];
    return { label: '', start, frames: 30, background: '', clips: [], ...(frames !== undefined && { transition: { style: 'fade', frames } }) };
  });
  const timeline = { canvas: { width: 2, height: 2, fps: { num: 30, den: 1 }, frames: 90 }, sections } as unknown as Timeline;
  return [...findUncached(movie, {} as ResolvedDurations, timeline).sections].sort();
}

test('a scene that is made anew is so wherever it is seen', () => {
  expect(uncachedScenes(1, [])).toEqual([1]);
  // It comes in within the segment before its own, and goes out within its own.
  expect(uncachedScenes(1, [10, 10])).toEqual([0, 1]);
  // Transitions that stay with the scene that they lead to.
  expect(uncachedScenes(1, [20, 20])).toEqual([1, 2]);
  expect(uncachedScenes(1, [10, 20])).toEqual([0, 1, 2]);
});
