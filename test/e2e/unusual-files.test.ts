import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../support/cli.js';
import { decodeFrames, ffmpeg, pixelAt } from '../support/ffmpeg.js';

/** Files that are not as a file usually is: the render completes, looks like in a player, and a warning says what is missing. */

let folder: { path: string; remove: () => Promise<void> };
const at = (name: string): string => join(folder.path, name);
const tone = (frequency: number): string[] => ['-f', 'lavfi', '-i', `sine=frequency=${frequency}:duration=2`];
const frames = ['-f', 'lavfi', '-i', 'testsrc=size=64x64:rate=10:duration=2'];

beforeAll(async () => {
  folder = await temporaryFolder();
  await ffmpeg(...frames, ...tone(440), ...tone(880), '-map', '0', '-map', '1', '-map', '2', '-c:a', 'aac', at('two-tracks.mkv'));
  await ffmpeg(...frames, ...tone(440), '-c:a', 'libopus', at('whole.mkv'));
  const file = await readFile(at('whole.mkv'));
  file.write('A_OPUX', file.indexOf('A_OPUS'));
  await writeFile(at('unknown-audio.mkv'), file);
  await ffmpeg(...frames, ...tone(440), '-c:a', 'aac', at('aac.mkv'));
  // Overwrites random bytes of the audio packets.
  await ffmpeg('-i', at('aac.mkv'), '-c', 'copy', '-bsf:a', 'noise=amount=30', at('damaged-audio.mkv'));
  await ffmpeg(...frames, '-c:v', 'libaom-av1', '-cpu-used', '8', at('moving.avif'));
});
afterAll(() => folder.remove());

async function warningsOf(element: object): Promise<string> {
  await writeFile(at('movie.json'), JSON.stringify({ width: 64, height: 64, fps: 10, scenes: [{ duration: 2, elements: [element] }] }));
  const { code, stderr } = await runCli(['render', at('movie.json'), '-o', at('movie.mp4')]);
  expect([code, stderr]).toEqual([0, stderr]);
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('warning:'))
    .join('\n');
}

it.each([
  ['two-tracks.mkv', 'video', 'warning: scenes.0.elements.0: the file has several audio tracks, of which only the default one is played'],
  ['unknown-audio.mkv', 'video', 'warning: scenes.0.elements.0: the audio of the file cannot be decoded, so the video is silent'],
  ['damaged-audio.mkv', 'video', 'of its audio cannot be decoded and are silent.'],
  ['damaged-audio.mkv', 'audio', 'of its audio cannot be decoded and are silent.'],
  ['moving.avif', 'image', 'warning: scenes.0.elements.0: the file is an animated AVIF image, of which the first image is shown'],
])('%s as %s', async (src, type, warning) => {
  expect(await warningsOf({ type, src })).toContain(warning);
});

it('whole files have no warning, and neither has audio that is not played', async () => {
  expect(await warningsOf({ type: 'video', src: 'aac.mkv' })).toBe('');
  expect(await warningsOf({ type: 'video', src: 'two-tracks.mkv', muted: true })).toBe('');
});

it('a clip whose size changes keeps its aspect ratio, between black bars', async () => {
  const part = (size: string, name: string, offset = '0') =>
    ffmpeg('-f', 'lavfi', '-i', `color=white:size=${size}:rate=10:duration=1`, '-output_ts_offset', offset, '-f', 'mpegts', at(name));
  await Promise.all([part('320x180', 'wide.ts'), part('180x320', 'high.ts', '1')]);
  await writeFile(at('turned.ts'), Buffer.concat([await readFile(at('wide.ts')), await readFile(at('high.ts'))]));
  const scenes = [{ duration: 2, background: '#ff0000', elements: [{ type: 'video', src: 'turned.ts', width: 160, height: 90 }] }];
  await writeFile(at('movie.json'), JSON.stringify({ width: 160, height: 90, fps: 10, scenes }));
  expect((await runCli(['render', at('movie.json'), '-o', at('movie.mp4')])).code).toBe(0);
  const decoded = await decodeFrames(at('movie.mp4'), 'rgb');
  const isWhite = (frame: number, x: number): boolean => pixelAt(decoded, frame, x, 45).every((value) => value > 230);
  const isBlack = (frame: number, x: number): boolean => pixelAt(decoded, frame, x, 45).every((value) => value < 25);
  expect([2, 40, 80, 157].map((x) => isWhite(5, x))).toEqual([true, true, true, true]);
  // 90 × 9 / 16 pixels in the middle.
  expect([isBlack(17, 2), isBlack(17, 50), isWhite(17, 60), isWhite(17, 100), isBlack(17, 110), isBlack(17, 157)]).toEqual(Array(6).fill(true));
});
