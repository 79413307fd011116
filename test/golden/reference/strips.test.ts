import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { expect, it } from 'vitest';
import { makeExampleFile } from '../../../src/cli/demo/example-media.js';

interface Drawing {
  drawStrip(strip: unknown, media: string): Promise<Buffer>;
}

interface Strips {
  strips: ReadonlyArray<{ of: string }>;
  fileOf(strip: { of: string }): string;
}

const docs = new URL('../../../docs/', import.meta.url);

async function pixelsOf(bytes: Buffer): Promise<{ width: number; height: number; data: Uint8ClampedArray }> {
  const image = await loadImage(bytes);
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  return { width: image.width, height: image.height, data: context.getImageData(0, 0, image.width, image.height).data };
}

it('the images of the script reference match what the engine draws', async () => {
  const { drawStrip } = (await import(new URL('make/draw-strips.mjs', docs).href)) as Drawing;
  const { strips, fileOf } = (await import(new URL('make/strips.mjs', docs).href)) as Strips;
  const folder = await mkdtemp(join(tmpdir(), 'framewright-strips-'));
  try {
    for (const name of ['mountains-dawn.jpg', 'lake-dusk.jpg', 'logo.png']) await makeExampleFile(name, folder);
    for (const of of ['place.resize', 'text.font_weight', 'pixels.blend_mode', 'motion.zoom']) {
      const strip = strips.find((one) => one.of === of) ?? { of };
      const stored = await pixelsOf(await readFile(new URL(fileOf(strip), docs)));
      const drawn = await pixelsOf(await drawStrip(strip, folder));
      expect([drawn.width, drawn.height]).toEqual([stored.width, stored.height]);
      const mean = drawn.data.reduce((sum, value, i) => sum + Math.abs(value - (stored.data[i] ?? 0)), 0) / drawn.data.length;
      expect(mean, of).toBeLessThan(1.5);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 120_000);
