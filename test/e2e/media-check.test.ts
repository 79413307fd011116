import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { audioLagOf, colorErrorOf, GRID, RATE, timeErrorOf } from '../media-check/compare.mjs';
import { temporaryFolder } from '../support/cli.js';
import { ffmpeg } from '../support/ffmpeg.js';

/** `npm run test:media`, on files whose result is known. */

const program = fileURLToPath(new URL('../media-check/run.mjs', import.meta.url));
let folder: { path: string; remove: () => Promise<void> };
beforeAll(async () => {
  folder = await temporaryFolder();
  await mkdir(join(folder.path, 'clips'));
  const at = (name: string): string => join(folder.path, 'clips', name);
  const moving = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=2'];
  const sweep = ['-f', 'lavfi', '-i', 'aevalsrc=0.4*sin(2*PI*(200+300*t)*t):s=48000:d=2'];
  await ffmpeg(...moving, ...sweep, '-c:a', 'aac', at('good.mp4'));
  await ffmpeg(...moving, '-frames:v', '1', at('still.png'));
  await writeFile(at('half.mp4'), (await readFile(at('good.mp4'))).subarray(0, 9000));
  await writeFile(at('notes.txt'), 'Not a video.');
  await ffmpeg('-itsoffset', '0.4', '-i', at('good.mp4'), '-i', at('good.mp4'), '-map', '0:a', '-map', '1:v', '-c', 'copy', at('late-audio.mp4'));
});
afterAll(() => folder.remove());

it('tells good files from those that cannot be read', async () => {
  const json = join(folder.path, 'report.json');
  const { stdout, status, stderr } = spawnSync(process.execPath, [program, join(folder.path, 'clips'), '--seconds', '2', '--json', json], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  const rows = JSON.parse(await readFile(json, 'utf8')) as Array<{ file: string; result: string }>;
  expect(rows.map(({ file, result }) => [file, result])).toEqual([
    ['good.mp4', 'ok'],
    ['late-audio.mp4', 'ok'],
    ['still.png', 'ok'],
  ]);
  expect(stdout).toContain('3 files: 3 ok, 0 wrong, 0 refused, 0 unread');
});

it('measures late frames, wrong colours and late audio', () => {
  const frame = (index: number, level = 0): Uint8Array => Uint8Array.from({ length: GRID * GRID * 3 }, (_, at) => ((at * 7 + index * 17) % 200) + level);
  const frames = Array.from({ length: 12 }, (_, index) => frame(index));
  expect(timeErrorOf(frames, frames)).toEqual({ median: 0, spread: 0 });
  expect(timeErrorOf(frames.slice(2), frames)).toEqual({ median: -2, spread: 0 });
  const brighter = frames.map((_, index) => frame(index, 10));
  expect(colorErrorOf(brighter, frames)).toBe(10);
  const chirp = (late: number): Float32Array => Float32Array.from({ length: 2 * RATE }, (_, at) => Math.sin(((at - late * RATE) / RATE + 1) ** 2 * 400));
  expect(audioLagOf(chirp(0.05), chirp(0))).toBeCloseTo(50, 0);
  expect(audioLagOf(chirp(-0.1), chirp(0))).toBeCloseTo(-100, 0);
});
