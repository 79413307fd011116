import { expect } from 'vitest';
import type { Engine } from '../../src/engine/index.js';
import type { Timeline } from '../../src/timeline/index.js';
import { largestDifference, type Picture } from './golden-picture.js';

/** In levels of 255. */
const mostApart = 2;

/** A frame of the CPU's, which a graphics device must draw alike: that of the host, or the one in software that set-up installs for tests. */
export async function composeOnBoth(engine: Engine, timeline: Timeline, frame: number): Promise<Picture> {
  const compose = async (compositor: 'cpu' | 'vulkan'): Promise<Picture> => {
    const { width, height, pixels } = await engine.composeFrame(Buffer.from(JSON.stringify({ ...timeline, compositor })), frame);
    return { width, height, pixels: new Uint8ClampedArray(pixels) };
  };
  const drawn = await compose('cpu');
  expect(largestDifference(drawn, await compose('vulkan'))).toBeLessThanOrEqual(mostApart);
  return drawn;
}
