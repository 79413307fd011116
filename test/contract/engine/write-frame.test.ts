import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EngineProcess } from '../../../src/engine/index.js';
import { startTestEngine } from '../../support/engine-process.js';
import { ffmpeg } from '../../support/ffmpeg.js';
import { timelineOf } from '../../support/timelines.js';

const folder = mkdtempSync(join(tmpdir(), 'write-frame-'));
const media = join(folder, 'media');
const photo = join(media, 'photo.jpg');
let engine: EngineProcess;
beforeAll(async () => {
  mkdirSync(media);
  mkdirSync(join(folder, 'work'));
  await ffmpeg('-f', 'lavfi', '-i', 'mandelbrot=s=640x360', '-frames:v', '1', '-q:v', '2', photo);
  engine = startTestEngine(join(folder, 'work'), { readable: [media] });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

const timeline = () => timelineOf({ kind: 'image', path: photo }, 10, { width: 322, height: 182 });

/** RGBA pixels of a PNG file with straight alpha. */
async function pixelsOf(path: string): Promise<{ width: number; height: number; pixels: Buffer }> {
  const { width, height } = await loadImage(path);
  const context = createCanvas(width, height).getContext('2d');
  context.drawImage(await loadImage(path), 0, 0);
  return { width, height, pixels: Buffer.from(context.getImageData(0, 0, width, height).data) };
}

test('the file of a frame has the composed pixels, with and without decoding ahead', async () => {
  const composed = await engine.composeFrame(timeline(), 3);
  for (const name of ['plain.png', 'ahead.png']) {
    if (name === 'ahead.png') engine.decodeAhead(photo);
    const path = join(folder, name);
    expect(await engine.writeFrame(timeline(), 3, path)).toEqual({ width: 322, height: 182 });
    const read = await pixelsOf(path);
    expect([read.width, read.height]).toEqual([322, 182]);
    expect(read.pixels.equals(composed.pixels)).toBe(true);
  }
  expect(readdirSync(join(folder, 'work'))).toEqual([]);
});

test('replaces an existing file, but keeps it if the frame cannot be drawn', async () => {
  const path = join(folder, 'there.png');
  writeFileSync(path, 'before');
  await expect(engine.writeFrame(timeline(), 99, path)).rejects.toThrow();
  expect(readdirSync(join(folder, 'work'))).toEqual([]);
  await engine.writeFrame(timeline(), 0, path);
  expect((await pixelsOf(path)).width).toBe(322);
});

test.skipIf(!existsSync('/dev/shm'))('a frame for another disk leaves no file elsewhere', async () => {
  const elsewhere = mkdtempSync('/dev/shm/framewright-frame-');
  try {
    await engine.writeFrame(timeline(), 3, join(elsewhere, 'frame.png'));
    await engine.writeFrame(timeline(), 3, join(folder, 'frame.png'));
    expect(readFileSync(join(elsewhere, 'frame.png')).equals(readFileSync(join(folder, 'frame.png')))).toBe(true);
    expect([readdirSync(elsewhere), readdirSync(join(folder, 'work'))]).toEqual([['frame.png'], []]);
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
});

test('a JPEG file has the same content when prepared frames are cached', async () => {
  const composed = await engine.composeFrame(timeline(), 3);
  for (const keeps of [false, true]) {
    if (keeps) engine.keepMedia();
    for (const name of ['one.jpg', 'two.jpg']) {
      const path = join(folder, name);
      expect(await engine.writeFrame(timeline(), 3, path, { type: 'jpeg' })).toEqual({ width: 322, height: 182 });
      expect(readFileSync(path).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
      const read = await pixelsOf(path);
      expect([read.width, read.height]).toEqual([322, 182]);
      const sum = read.pixels.reduce((total, value, index) => total + Math.abs(value - (composed.pixels[index] ?? 0)), 0);
      // Chroma subsampling loses the fractal's finest colours.
      expect(sum / read.pixels.length).toBeLessThan(6);
    }
  }
  expect(readFileSync(join(folder, 'one.jpg')).equals(readFileSync(join(folder, 'two.jpg')))).toBe(true);
});

test('an error while decoding ahead is reported by the frame only', async () => {
  const broken = join(media, 'broken.jpg');
  writeFileSync(broken, Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 2]));
  engine.decodeAhead(broken);
  engine.decodeAhead(join(media, 'absent.jpg'));
  const path = join(folder, 'broken.png');
  await expect(engine.writeFrame(timelineOf({ kind: 'image', path: broken }), 0, path)).rejects.toThrow(/JPEG|jpeg|picture/);
  expect(existsSync(path)).toBe(false);
});
