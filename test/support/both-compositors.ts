import { expect } from 'vitest';
import { createEngine, type Engine } from '../../src/engine/index.js';
import type { Timeline } from '../../src/timeline/index.js';
import { type Image, largestDifference, similarity } from './golden-image.js';

/** In levels of 255. */
const maxDifference = 2;
const minSimilarity = 0.999;

/** FRAMEWRIGHT_TEST_LONG=1 holds every frame of every golden case against the device's. */
const isLong = process.env.FRAMEWRIGHT_TEST_LONG !== undefined;

/** In this process: the sandbox lets an engine process see a graphics device only where it is to draw with one. */
const unconfined = createEngine();

async function compose(engine: Pick<Engine, 'composeFrame'>, timeline: Timeline, frame: number, compositor: 'cpu' | 'vulkan'): Promise<Image> {
  const { width, height, pixels } = await engine.composeFrame(Buffer.from(JSON.stringify({ ...timeline, compositor })), frame);
  return { width, height, pixels: new Uint8ClampedArray(pixels) };
}

/** A frame of the CPU's, which a graphics device must draw alike: that of the host, or the one in software that set-up installs for tests. */
export async function composeOnBoth(engine: Pick<Engine, 'composeFrame'>, timeline: Timeline, frame: number): Promise<Image> {
  const drawn = await compose(engine, timeline, frame, 'cpu');
  const onDevice = await compose(unconfined, timeline, frame, 'vulkan');
  expect(largestDifference(drawn, onDevice), `frame ${frame}`).toBeLessThanOrEqual(maxDifference);
  expect(similarity(drawn, onDevice), `frame ${frame}`).toBeGreaterThan(minSimilarity);
  return drawn;
}

/** Pixels of a frame; a device in software takes a second and more for larger ones. */
const maxSmallFramePixels = 320_000;

/** Frames of a golden case by the CPU, of which the one in the middle is drawn on both where it is small; in the long form each. */
export async function composeGolden(engine: Pick<Engine, 'composeFrame'>, timeline: Timeline, frames: readonly number[]): Promise<Image[]> {
  const isSmall = timeline.canvas.width * timeline.canvas.height <= maxSmallFramePixels;
  const images: Image[] = [];
  for (const [index, frame] of frames.entries()) {
    const onBoth = isLong || (isSmall && index === Math.floor(frames.length / 2));
    images.push(await (onBoth ? composeOnBoth(engine, timeline, frame) : compose(engine, timeline, frame, 'cpu')));
  }
  return images;
}
