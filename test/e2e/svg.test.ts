import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderScript, runCli, temporaryFolder } from '../support/cli.js';
import { decodeFrames, ffmpeg, pixelAt } from '../support/ffmpeg.js';
import { createKey, finishedJob, startService, submit } from '../support/service.js';

let folder: { path: string; remove: () => Promise<void> };

beforeAll(async () => {
  folder = await temporaryFolder();
  const half = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 4"><rect width="4" height="4" fill="#000"/></svg>';
  await writeFile(join(folder.path, 'half.svg'), half);
  await writeFile(
    join(folder.path, 'white.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 4"><rect x="4" width="4" height="4" fill="#fff"/></svg>',
  );
  await writeFile(join(folder.path, 'broken.svg'), '<svg xmlns="http://www.w3.org/2000/svg"><rect');
});
afterAll(() => folder.remove());

const scene = (elements: object[]) => ({ width: 320, height: 160, fps: 10, scenes: [{ duration: 0.5, background: '#ffffff', elements }] });

/** The number of pixels in the middle row that are neither black nor white. */
async function softPixels(output: string, frame: number): Promise<number> {
  const decoded = await decodeFrames(output, 'rgb', { x: 0, y: 80, width: 320, height: 2 });
  return Array.from({ length: 320 }, (_, x) => pixelAt(decoded, frame, x, 0)[0] ?? 0).filter((value) => value > 24 && value < 231).length;
}

test('a tiny SVG is sharp at its displayed size, also while it grows', async () => {
  const small = await renderScript(scene([{ type: 'image', src: 'half.svg', resize: 'cover' }]), folder.path, { name: 'cover' });
  expect(await softPixels(small, 2)).toBeLessThanOrEqual(3);
  const keyframes = [
    { time: 0, scale: 1 },
    { time: 0.4, scale: 12 },
  ];
  const growing = await renderScript(scene([{ type: 'image', src: 'half.svg', width: 80, position: 'center-center', keyframes }]), folder.path, {
    name: 'growing',
  });
  expect(await softPixels(growing, 4)).toBeLessThanOrEqual(6);
});

test('an SVG has an intrinsic size, can be cropped and works as a mask', async () => {
  const elements = [{ type: 'image', src: 'half.svg', width: 160, crop: { x: 2, y: 0, width: 4, height: 4 }, x: 160, y: 0 }];
  const output = await renderScript(scene(elements), folder.path, { name: 'cropped' });
  const cropped = await decodeFrames(output, 'rgb', { x: 160, y: 40, width: 160, height: 2 });
  expect([pixelAt(cropped, 0, 20, 0)[0], pixelAt(cropped, 0, 140, 0)[0]].map((value) => (value ?? 0) > 128)).toEqual([false, true]);
  const black = { type: 'image', src: 'half.svg', resize: 'cover', crop: { x: 0, y: 0, width: 4, height: 4 } };
  const masked = await decodeFrames(await renderScript(scene([{ ...black, mask: 'white.svg' }]), folder.path, { name: 'masked' }), 'rgb', {
    x: 0,
    y: 80,
    width: 320,
    height: 2,
  });
  expect([pixelAt(masked, 0, 80, 0)[0], pixelAt(masked, 0, 240, 0)[0]].map((value) => (value ?? 0) > 128)).toEqual([true, false]);
});

test('an SVG that is broken or used as a video is refused by name', async () => {
  for (const [name, element, reason] of [
    ['broken', { type: 'image', src: 'broken.svg' }, /scenes\.0\.elements\.0: the image at broken\.svg cannot be read as media: the SVG image is invalid/],
    ['film', { type: 'video', src: 'half.svg' }, /needs a file with a video/],
  ] as const) {
    const script = join(folder.path, `${name}.json`);
    await writeFile(script, JSON.stringify(scene([element])));
    const { code, stderr } = await runCli(['render', script, '-o', join(folder.path, `${name}.mp4`)]);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(reason);
  }
});

test('the service accepts images of every format by URL', async () => {
  const kinds = ['bmp', 'tiff', 'avif'];
  for (const kind of kinds) await ffmpeg('-f', 'lavfi', '-i', 'color=red:s=40x40,format=rgb24', '-frames:v', '1', join(folder.path, `red.${kind}`));
  await writeFile(
    join(folder.path, 'red.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="red"/></svg>',
  );
  const media = createServer(async (request, response) => response.end(await readFile(join(folder.path, basename(request.url ?? '')))));
  await new Promise<void>((resolve) => media.listen(0, '127.0.0.1', resolve));
  const { port } = media.address() as AddressInfo;
  const data = join(folder.path, 'data');
  const service = await startService(data, { FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: `127.0.0.1:${port}` });
  try {
    const elements = [...kinds, 'svg'].map((kind, index) => ({ type: 'image', src: `http://127.0.0.1:${port}/red.${kind}`, x: index * 80, y: 60 }));
    const key = await createKey(data);
    const submitted = await submit(service, key, scene(elements));
    const job = await finishedJob(service, key, submitted.job_id);
    expect([job.status, job.error]).toEqual(['completed', undefined]);
    await writeFile(join(folder.path, 'served.mp4'), Buffer.from(await (await fetch(job.output_uri ?? '')).arrayBuffer()));
    const decoded = await decodeFrames(join(folder.path, 'served.mp4'), 'rgb');
    const colours = elements.map(({ x }) => pixelAt(decoded, 1, x + 20, 80));
    expect(colours.map(([red = 0, green = 255, blue = 255]) => red > 200 && green < 60 && blue < 60)).toEqual([true, true, true, true]);
  } finally {
    await service.stop();
    media.close();
  }
});
