import { expect } from 'vitest';
import { createEngine, type Engine } from '../../src/engine/index.js';
import type { Timeline } from '../../src/timeline/index.js';
import { type Image, largestDifference, similarity } from './golden-image.js';

/** Levels of 255. */
const maxDifference = 2;
const minSimilarity = 0.999;

/** FRAMEWRIGHT_TEST_LONG=1 compares every frame of every golden case with the graphics device. */
const isLong = process.env.FRAMEWRIGHT_TEST_LONG !== undefined;

/** Not sandboxed: a sandboxed engine process gets a graphics device only if its settings name one. */
const unconfined = createEngine();

async function compose(engine: Pick<Engine, 'composeFrame'>, timeline: Timeline, frame: number, compositor: 'cpu' | 'vulkan'): Promise<Image> {
  const { width, height, pixels } = await engine.composeFrame(Buffer.from(JSON.stringify({ ...timeline, compositor })), frame);
  return { width, height, pixels: new Uint8ClampedArray(pixels) };
}

/** Composes a frame on the CPU and expects the same from the graphics device: that of the host, or the software device that set-up installs for tests. */
export async function composeOnBoth(engine: Pick<Engine, 'composeFrame'>, timeline: Timeline, frame: number): Promise<Image> {
  const drawn = await compose(engine, timeline, frame, 'cpu');
  const onDevice = await compose(unconfined, timeline, frame, 'vulkan');
  expect(largestDifference(drawn, onDevice), `frame ${frame}`).toBeLessThanOrEqual(maxDifference);
  expect(similarity(drawn, onDevice), `frame ${frame}`).toBeGreaterThan(minSimilarity);
  return drawn;
}

/** A software device takes more than a second for larger frames. */
const maxSmallFramePixels = 320_000;

/** Composes frames on the CPU. The middle one is compared with the device if it is small, all of them in the long form. */
export async function composeGolden(engine: Pick<Engine, 'composeFrame'>, timeline: Timeline, frames: readonly number[]): Promise<Image[]> {
  const isSmall = timeline.canvas.width * timeline.canvas.height <= maxSmallFramePixels;
  const images: Image[] = [];
  for (const [index, frame] of frames.entries()) {
    const onBoth = isLong || (isSmall && index === Math.floor(frames.length / 2));
    images.push(await (onBoth ? composeOnBoth(engine, timeline, frame) : compose(engine, timeline, frame, 'cpu')));
  }
  return images;
}
