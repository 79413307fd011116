import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SKRSContext2D } from '@napi-rs/canvas';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { expect } from 'vitest';

/** RGBA, row by row. */
export interface Image {
  width: number;
  height: number;
  pixels: Uint8ClampedArray;
}

/** Paints an image and returns it as PNG. */
export function draw(width: number, height: number, paint: (context: SKRSContext2D) => void): Buffer {
  const canvas = createCanvas(width, height);
  paint(canvas.getContext('2d'));
  return canvas.toBuffer('image/png');
}

export function toPng({ width, height, pixels }: Image): Buffer {
  return draw(width, height, (context) => {
    const image = context.createImageData(width, height);
    image.data.set(pixels);
    context.putImageData(image, 0, 0);
  });
}

export async function readPng(png: Buffer): Promise<Image> {
  const image = await loadImage(png);
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  return { width: image.width, height: image.height, pixels: context.getImageData(0, 0, image.width, image.height).data };
}

/** Stacks images of equal size vertically. */
export function stack(images: readonly Image[]): Image {
  const { width = 0, height = 0 } = images[0] ?? {};
  const pixels = new Uint8ClampedArray(width * height * 4 * images.length);
  for (const [index, frame] of images.entries()) pixels.set(frame.pixels, index * width * height * 4);
  return { width, height: height * images.length, pixels };
}

/** Largest difference of a channel in levels of 255, over the whole image or a part of it; infinite if the sizes differ. */
export function largestDifference(a: Image, b: Image, within = { x: 0, y: 0, width: a.width, height: a.height }): number {
  if (a.width !== b.width || a.height !== b.height) return Number.POSITIVE_INFINITY;
  let worst = 0;
  for (let y = within.y; y < within.y + within.height; y++) {
    for (let i = (y * a.width + within.x) * 4; i < (y * a.width + within.x + within.width) * 4; i++) {
      worst = Math.max(worst, Math.abs((a.pixels[i] ?? 0) - (b.pixels[i] ?? 0)));
    }
  }
  return worst;
}

/** Mean structural similarity (SSIM) of the luma in blocks of 8 x 8; 1 for equal images. */
export function similarity(a: Image, b: Image): number {
  const [first, second] = [lumaOf(a), lumaOf(b)];
  let [sum, blocks] = [0, 0];
  for (let top = 0; top + 8 <= a.height; top += 4) {
    for (let left = 0; left + 8 <= a.width; left += 4) {
      sum += similarityAt(first, second, top * a.width + left, a.width);
      blocks += 1;
    }
  }
  return blocks === 0 ? 1 : sum / blocks;
}

function lumaOf({ pixels }: Image): Float64Array {
  return Float64Array.from(
    { length: pixels.length / 4 },
    (_, i) => 0.2126 * (pixels[4 * i] ?? 0) + 0.7152 * (pixels[4 * i + 1] ?? 0) + 0.0722 * (pixels[4 * i + 2] ?? 0),
  );
}

function similarityAt(a: Float64Array, b: Float64Array, start: number, width: number): number {
  let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0];
  for (let i = 0; i < 64; i++) {
    const at = start + (i >> 3) * width + (i & 7);
    const [x, y] = [a[at] ?? 0, b[at] ?? 0];
    sumA += x;
    sumB += y;
    squaresA += x * x;
    squaresB += y * y;
    products += x * y;
  }
  const [meanA, meanB] = [sumA / 64, sumB / 64];
  const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
  const spread = squaresA / 64 - meanA ** 2 + squaresB / 64 - meanB ** 2;
  return ((2 * meanA * meanB + c1) * (2 * (products / 64 - meanA * meanB) + c2)) / ((meanA ** 2 + meanB ** 2 + c1) * (spread + c2));
}

export interface GoldenLimits {
  /** Largest difference, in levels of 255. */
  tolerance: number;
  maxBytes: number;
}

/**
 * Compares an image with `<name>.png` beside the test; UPDATE_GOLDEN=1 writes that file. FRAMEWRIGHT_GOLDEN_HASHES=FILE appends a hash of
 * the pixels, to compare two checkouts exactly. A failure writes the image and the difference to the system's temporary folder.
 */
export async function expectGolden(testUrl: string, name: string, actual: Image, { tolerance, maxBytes }: GoldenLimits): Promise<void> {
  const path = new URL(`${name}.png`, testUrl).pathname;
  const hashes = process.env.FRAMEWRIGHT_GOLDEN_HASHES;
  if (hashes !== undefined) appendFileSync(hashes, `${path.replace(/^.*\/test\//, '')} ${createHash('sha256').update(actual.pixels).digest('hex')}\n`);
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(path, toPng(actual));
  expect(existsSync(path), `${path} is missing`).toBe(true);
  expect(statSync(path).size).toBeLessThan(maxBytes);
  const golden = await readPng(readFileSync(path));
  const difference = largestDifference(actual, golden);
  expect(difference, difference > tolerance ? explain(name, actual, golden) : '').toBeLessThanOrEqual(tolerance);
}

function explain(name: string, actual: Image, golden: Image): string {
  const base = join(tmpdir(), `golden-${name}`);
  const pixels = actual.pixels.map((value, i) => (i % 4 === 3 ? 255 : Math.min(255, Math.abs(value - (golden.pixels[i] ?? 0)) * 8)));
  writeFileSync(`${base}-actual.png`, toPng(actual));
  writeFileSync(`${base}-difference.png`, toPng({ ...actual, pixels }));
  return `see ${base}-actual.png and ${base}-difference.png (eight times as strong)`;
}

/** A hill below an evening sky as a PNG file of 160 × 90 pixels, in place of a photo. */
export function drawHill(): Buffer {
  return draw(160, 90, (context) => {
    const sky = context.createLinearGradient(0, 0, 0, 90);
    sky.addColorStop(0, '#3a6ea8');
    sky.addColorStop(1, '#f0c890');
    context.fillStyle = sky;
    context.fillRect(0, 0, 160, 90);
    context.fillStyle = '#2c5038';
    context.beginPath();
    context.ellipse(70, 95, 90, 40, 0, 0, 7);
    context.fill();
  });
}
