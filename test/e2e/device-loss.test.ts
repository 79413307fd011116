import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../support/cli.js';
import { buildFakeNvenc } from '../support/fake-nvenc.js';
import { decodeFrames, ffmpeg, ffprobe } from '../support/ffmpeg.js';

/** The real engine with a libavcodec that offers NVENC on every host. */

const FRAMES_OF_SCENE = 10;
const SIZE = { width: 160, height: 96 };

let folder: { path: string; remove: () => Promise<void> };
beforeAll(async () => {
  folder = await temporaryFolder();
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=320x192', '-frames:v', '1', join(folder.path, 'photo.png'));
  const scenes = ['#204060', '#806020', '#207040'].map((background) => ({
    duration: FRAMES_OF_SCENE / 25,
    background,
    elements: [{ type: 'image', src: 'photo.png', width: 100, height: 60, x: 20, y: 10, zoom: 3 }],
  }));
  await writeFile(join(folder.path, 'movie.json'), JSON.stringify({ ...SIZE, fps: 25, scenes }));
});
afterAll(() => folder.remove());

async function render(name: string, env: Record<string, string>): Promise<{ path: string; stderr: string }> {
  const path = join(folder.path, `${name}.mp4`);
  const { code, stderr } = await runCli(['render', join(folder.path, 'movie.json'), '-o', path], { env });
  expect(stderr, stderr).not.toMatch(/error/i);
  expect(code).toBe(0);
  return { path, stderr };
}

async function pretended(images: number): Promise<Record<string, string>> {
  const libraries = join(folder.path, `nvenc-${images}`);
  await mkdir(libraries);
  buildFakeNvenc(libraries, images);
  return { LD_LIBRARY_PATH: libraries, FRAMEWRIGHT_ENCODER: 'nvenc' };
}

/** PSNR of the luma in dB at the worst frame. */
async function worstPsnr(a: string, b: string): Promise<number> {
  const [left, right] = [(await decodeFrames(a, 'gray')).frames, (await decodeFrames(b, 'gray')).frames];
  expect(left.length).toBe(3 * FRAMES_OF_SCENE);
  expect(right.length).toBe(left.length);
  const noises = left.map((frame, index) => {
    const sum = frame.reduce((total, value, at) => total + (value - (right[index]?.[at] ?? 0)) ** 2, 0);
    return 10 * Math.log10((255 * 255 * frame.length) / Math.max(sum, 1));
  });
  return Math.min(...noises);
}

it('a graphics driver lost in the middle of a movie only slows the render down', { timeout: 120_000 }, async () => {
  const plain = await render('plain', { FRAMEWRIGHT_ENCODER: 'software' });
  const whole = await render('whole', await pretended(1000));
  // One probe frame, the first scene and half of the second.
  const lost = await render('lost', await pretended(1 + FRAMES_OF_SCENE + FRAMES_OF_SCENE / 2));

  expect(whole.stderr).not.toMatch(/warning/);
  expect(lost.stderr).toMatch(/warning: h264_nvenc stopped working during the render; the video was encoded with libx264 instead\./);
  expect(await worstPsnr(whole.path, plain.path)).toBeGreaterThan(30);
  expect(await worstPsnr(lost.path, plain.path)).toBeGreaterThan(45);
  expect(ffprobe(lost.path).streams[0]).toMatchObject({ codec_name: 'h264', nb_frames: String(3 * FRAMES_OF_SCENE) });
});

it('segments of unlike cards, which cannot be joined, are rendered in software', { timeout: 120_000 }, async () => {
  const plain = await render('plain-again', { FRAMEWRIGHT_ENCODER: 'software' });
  const mixed = await render('mixed', { ...(await pretended(2000)), NVIDIA_VISIBLE_DEVICES: 'mixed' });
  expect(mixed.stderr).toMatch(/warning: h264_nvenc encoded segments that cannot be joined; the video was encoded with libx264 instead\./);
  expect(await worstPsnr(mixed.path, plain.path)).toBeGreaterThan(45);
});
