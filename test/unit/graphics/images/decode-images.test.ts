import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Canvas, createCanvas, loadImage, type SKRSContext2D } from '@napi-rs/canvas';
import { afterAll, expect, it } from 'vitest';
import { type DecodedImage, decodeImages } from '../../../../src/graphics/images/decode-images.js';
import { packPixels, unpackPixels } from '../../../../src/graphics/images/pixel-file.js';

const folder = mkdtempSync(join(tmpdir(), 'decode-images-'));
afterAll(() => rmSync(folder, { recursive: true }));
const settings = { folder, mode: 'auto', width: 400, height: 200 } as const;

function written(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

function motif(width = 40, height = 20): Canvas {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const gradient = context.createLinearGradient(0, 0, width, height);
  gradient.addColorStop(0, 'rgba(255, 40, 0, 0.9)');
  gradient.addColorStop(1, 'rgba(0, 40, 255, 0.2)');
  context.fillStyle = gradient;
  context.fillRect(2, 2, width - 4, height - 4);
  return canvas;
}

function pixelsOf(draw: (context: SKRSContext2D) => void): Buffer {
  const canvas = createCanvas(100, 60);
  draw(canvas.getContext('2d'));
  return canvas.data();
}

const svg = (content: string, size = 'width="10" height="10"') => `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${content}</svg>`;
const first = async (file: string): Promise<DecodedImage | undefined> => (await decodeImages([file], settings))[0];

it.each(['png', 'webp'] as const)('an image as %s is drawn as by the library itself', async (kind) => {
  const bytes = kind === 'png' ? motif().toBuffer('image/png') : motif().toBuffer('image/webp', 100);
  const decoded = (await first(written(`motif.${kind}`, bytes))) as DecodedImage;
  expect(decoded).toMatchObject({ width: 40, height: 20 });
  const image = await loadImage(bytes);
  const theirs = pixelsOf((context) => context.drawImage(decoded.canvasFor(80), 5, 5, 80, 40));
  const direct = pixelsOf((context) => context.drawImage(image, 5, 5, 80, 40));
  const farthest = theirs.reduce((max, value, i) => Math.max(max, Math.abs(value - (direct[i] ?? 0))), 0);
  expect(farthest).toBeLessThanOrEqual(1);
});

it('a drawing of lines is as sharp as it is shown at most', async () => {
  const image = (await first(written('circle.svg', svg('<circle cx="5" cy="5" r="4" fill="red"/>')))) as DecodedImage;
  expect(image).toMatchObject({ width: 10, height: 10 });
  expect([10, 11, 400, 500].map((width) => image.canvasFor(width).width)).toEqual([10, 400, 400, 400]);
  const { data } = image.canvasFor(400).getContext('2d').getImageData(0, 0, 400, 400);
  const soft = data.filter((value, i) => i % 4 === 3 && value > 0 && value < 255).length;
  // One row of pixels along the edge, not the forty of an image of 10 by 10 that is enlarged.
  expect(soft).toBeLessThan(2500);
});

it('what cannot be read is left out, and costs the others nothing', async () => {
  const files = [written('text.png', 'no image'), written('good.png', motif().toBuffer('image/png')), join(folder, 'missing.png')];
  const [text, good, missing] = await decodeImages(files, settings);
  expect([text, missing]).toEqual([undefined, undefined]);
  expect(good).toMatchObject({ width: 40, height: 20 });
  expect(readdirSync(folder).filter((name) => name.startsWith('images-'))).toEqual([]);
});

it('a drawing that would take all memory, or all time, is left out', async () => {
  const bomb = createCanvas(14_000, 14_000).toBuffer('image/png').toString('base64');
  const many = `<image width="10" height="10" href="data:image/png;base64,${bomb}"/>`.repeat(4);
  const peak = process.memoryUsage().rss;
  const filters = '<filter id="f" width="1e6" height="1e6"><feTurbulence baseFrequency="0.9" numOctaves="9999999"/></filter>';
  const files = [written('bomb.svg', svg(many)), written('endless.svg', svg(`${filters}<rect width="9" height="9" filter="url(#f)"/>`))];
  for (const file of files) await decodeImages([file], settings);
  expect(process.memoryUsage().rss - peak).toBeLessThan(400 * 1024 ** 2);
}, 120_000);

it('a drawing that is nested too deeply is left out, and costs the others nothing', async () => {
  const depth = 200_000;
  const [deep, good] = [written('deep.svg', svg('<g>'.repeat(depth) + '</g>'.repeat(depth))), written('fine.png', motif().toBuffer('image/png'))];
  expect(await decodeImages([deep], settings)).toEqual([undefined]);
  const [first, second] = await decodeImages([good, deep], settings);
  expect([first?.width, second]).toEqual([40, undefined]);
}, 60_000);

it('a drawing sees no file but its own', async () => {
  const secret = written('secret.png', motif(10, 10).toBuffer('image/png'));
  for (const address of [`file://${secret}`, secret, 'secret.png']) {
    const image = await first(written('spy.svg', svg(`<image width="10" height="10" href="${address}"/>`)));
    expect(image).toBeDefined();
    const { data } = (image as DecodedImage).canvasFor(400).getContext('2d').getImageData(0, 0, 400, 400);
    expect([...data].some((value, i) => i % 4 === 0 && value > 200 && (data[i + 2] ?? 0) < 50)).toBe(false);
  }
});

it('pixels that are not what their header says are none', () => {
  const good = packPixels({ natural: { width: 2, height: 1 }, width: 2, height: 1, pixels: new Uint8ClampedArray(8).fill(7) });
  expect(unpackPixels(good)).toMatchObject({ width: 2, height: 1, natural: { width: 2, height: 1 } });
  expect(unpackPixels(good.subarray(1))).toBeUndefined();
  for (const [at, value] of [
    [16, 3],
    [16, 0],
    [20, 0xffffffff],
  ] as const) {
    const bad = Buffer.from(good);
    bad.writeUInt32LE(value, at);
    expect(unpackPixels(bad)).toBeUndefined();
  }
  const odd = Buffer.from(good);
  odd.writeDoubleLE(Number.NaN, 0);
  expect(unpackPixels(odd)).toBeUndefined();
  expect(readFileSync(written('x', good)).length).toBe(32);
});
