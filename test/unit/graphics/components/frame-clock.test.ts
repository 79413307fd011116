import { expect, it } from 'vitest';
import { frameAt } from '../../../../src/graphics/boxes/curves.js';

it.each([24, 25, 30, 50, 60, 30_000 / 1001, 24_000 / 1001])('the time of a whole frame is that frame at %d frames per second', (framesPerSecond) => {
  const wrong = Array.from({ length: 5000 }, (_, frame) => frame).filter(
    (frame) => frameAt((frame / framesPerSecond) * 1000, { framesPerSecond, frames: 5000 }) !== frame,
  );
  expect(wrong).toEqual([]);
});
