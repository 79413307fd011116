import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderScript, temporaryFolder } from '../support/cli.js';
import { ffmpeg, ffprobe } from '../support/ffmpeg.js';

const run = promisify(execFile);
const size = { width: 480, height: 270 };
const fps = 25;

let folder: { path: string; remove: () => Promise<void> };
beforeAll(async () => {
  folder = await temporaryFolder();
  // Moves in all places and has the noise of a camera.
  const zoom = `mandelbrot=s=${size.width}x${size.height}:r=${fps}:start_scale=0.4:end_scale=0.02:end_pts=200,noise=c0s=3:c0f=t:all_seed=7`;
  const encoding = ['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '1', '-bf', '0'];
  await ffmpeg('-f', 'lavfi', '-i', zoom, '-frames:v', '60', ...encoding, join(folder.path, 'clip.mp4'));
});
afterAll(() => folder.remove());

interface Point {
  kilobits: number;
  /** Of luma, in dB. */
  ssim: number;
}

/** Data and quality of the clip in a movie. */
async function render(quality: string, ...args: string[]): Promise<Point> {
  const script = { ...size, fps, quality, scenes: [{ elements: [{ type: 'video', src: 'clip.mp4' }] }] };
  const name = [quality, ...args].join('').replaceAll(' ', '');
  const path = await renderScript(script, folder.path, { name, args: ['--no-copy', ...args] });
  const video = ffprobe(path).streams.find(({ codec_type }) => codec_type === 'video');
  expect(video).toMatchObject({ codec_name: 'h264', profile: 'High', nb_frames: '60' });
  const { stderr } = await run('ffmpeg', ['-nostdin', '-i', path, '-i', join(folder.path, 'clip.mp4'), '-lavfi', 'ssim', '-f', 'null', '-']);
  return { kilobits: (8 * Number(ffprobe(path).format.size)) / 1000, ssim: -10 * Math.log10(1 - Number(/ Y:([\d.]+)/.exec(stderr)?.[1])) };
}

/** The data of `points` at a quality, on a logarithmic scale between two of them. */
function dataAt([worse, better]: [Point, Point], ssim: number): number {
  const part = (ssim - worse.ssim) / (better.ssim - worse.ssim);
  expect(part).toBeGreaterThan(-0.2);
  expect(part).toBeLessThan(1.2);
  return worse.kilobits * (better.kilobits / worse.kilobits) ** part;
}

it('footage has less data at high than at veryfast with equal quality, and each word has more data and quality than the one below', async () => {
  const [low, medium, high] = [await render('low'), await render('medium'), await render('high')];
  const fast: [Point, Point] = [await render('high', '--preset', 'veryfast', '--crf', '19'), await render('high', '--preset', 'veryfast', '--crf', '16')];
  expect(high.kilobits).toBeLessThan(0.95 * dataAt(fast, high.ssim));
  for (const [less, more] of [
    [low, medium],
    [medium, high],
  ] as const) {
    expect(more.kilobits).toBeGreaterThan(1.3 * less.kilobits);
    expect(more.ssim).toBeGreaterThan(less.ssim + 1);
  }
});
