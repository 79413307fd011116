import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../support/cli.js';
import { decodeFrames } from '../support/ffmpeg.js';

/** Clips that a movie shows unchanged are stream-copied: they keep the coded frames of their files. */

const SIZE = '160x96';
const FRAMES = 90;
let folder: { path: string; remove: () => Promise<void> };

beforeAll(async () => {
  folder = await temporaryFolder();
  // The grey level of each frame encodes its number.
  const video = (name: string, encode: string[]): Promise<unknown> =>
    ffmpeg([
      ...['-f', 'lavfi', '-i', `color=s=${SIZE}:r=30:d=${FRAMES / 30},format=gray,geq=lum='20+2*N'`],
      ...['-c:v', 'libx264', '-crf', '20', '-g', '30', '-sc_threshold', '0', '-pix_fmt', 'yuv420p', '-color_range', 'tv', '-colorspace', 'bt709'],
      ...['-vf', 'scale=in_range=tv:out_range=tv', ...encode, join(folder.path, `${name}.mp4`)],
    ]);
  await Promise.all([video('a', []), video('b', ['-profile:v', 'baseline']), video('c', ['-preset', 'slow', '-bf', '3'])]);
});
afterAll(() => folder.remove());

it('shows every frame of copied clips once and in order, across all seams', { timeout: 120_000 }, async () => {
  const [width, height] = SIZE.split('x').map(Number);
  const video = (name: string, more: object = {}): object => ({ type: 'video', src: `${name}.mp4`, ...more });
  const text = { type: 'text', text: 'a', 'font-size': 20, x: 60, y: 30, width: 80, height: 30, duration: 0.5 };
  const scenes = [
    { elements: [video('a')] },
    { duration: 2.4, elements: [video('b', { seek: 0.5 })] },
    { elements: [video('c'), text] },
    { duration: 2, elements: [video('a', { seek: 1 })], transition: { style: 'fade', duration: 0.2 } },
  ];
  const script = join(folder.path, 'movie.json');
  await writeFile(script, JSON.stringify({ width, height, fps: 30, scenes }));

  const path = join(folder.path, 'movie.mp4');
  const rendered = await runCli(['render', script, '-o', path, '--profile']);
  expect(rendered.stderr).toMatch(/scene_1 .* 0 of 90, 90 copied/);
  expect(rendered.stderr.match(/\d+ copied/g)).toHaveLength(3);
  const numbers = [...range(0, 90), ...range(15, 87), ...range(0, 90), ...range(30, 90)];
  const seen = await numbersIn(path);
  expect(seen.length).toBe(numbers.length);
  // A transition shows two clips at a time.
  const faded = (index: number): boolean => index >= 252 && index < 258;
  for (const [index, number] of numbers.entries()) if (!faded(index)) expect(seen[index], `frame ${index}`).toBe(number);
  const [own, theirs] = await Promise.all([sumsOf(path), sumsOf(join(folder.path, 'a.mp4'))]);
  expect(own.slice(0, 90)).toEqual(theirs);

  const encoded = await runCli(['render', script, '-o', path, '--profile', '--no-copy']);
  expect(encoded.code).toBe(0);
  expect(encoded.stderr).not.toContain('copied');
  const unwanted = await runCli(['render', script, '-o', path, '--profile'], { env: { FRAMEWRIGHT_COPY: 'off' } });
  expect(unwanted.stderr).not.toContain('copied');
});

const range = (first: number, end: number): number[] => Array.from({ length: end - first }, (_, index) => first + index);

/** Fails on any warning. */
async function ffmpeg(args: string[]): Promise<Buffer> {
  const { stdout, stderr } = await promisify(execFile)('ffmpeg', ['-v', 'warning', '-nostdin', '-y', ...args], { encoding: 'buffer', maxBuffer: 1 << 26 });
  expect(stderr.toString()).toBe('');
  return stdout;
}

/** Reads a corner, where nothing covers the clip. */
async function numbersIn(path: string): Promise<number[]> {
  const { frames } = await decodeFrames(path, 'gray', { x: 8, y: 8, width: 16, height: 16 });
  return frames.map((luma) => Math.round(((luma[100] ?? 0) - 20) / 2));
}

async function sumsOf(path: string): Promise<string[]> {
  const text = (await ffmpeg(['-i', path, '-an', '-f', 'framemd5', '-'])).toString();
  return text.split('\n').flatMap((line) => (line.startsWith('#') || line === '' ? [] : [line.split(',').at(-1)?.trim() ?? '']));
}
