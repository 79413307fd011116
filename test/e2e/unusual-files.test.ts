import { readFile, truncate, writeFile } from 'node:fs/promises';
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

/** Encodes 4 s of video and audio, or audio only, and cuts the file off after about 2.8 s, within an element. */
async function cutOff(name: string, ...options: string[]): Promise<void> {
  const sources = ['-f', 'lavfi', '-i', 'testsrc=size=64x64:rate=10:duration=4', '-f', 'lavfi', '-i', 'sine=duration=4'];
  await ffmpeg(...sources, ...options, at(name));
  const size = (await readFile(at(name))).length;
  // No multiple of the packets of MPEG-TS.
  await truncate(at(name), Math.floor((size * 0.7) / 188) * 188 + 91);
}

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

const fragmented = ['-movflags', 'frag_keyframe+empty_moov+default_base_moof'];
const vp8 = ['-c:v', 'libvpx', '-g', '10', '-c:a', 'libopus'];
it.each([
  ['cut.ts', 'video', 'its last frame is held beyond that', ['-c:v', 'mpeg2video', '-c:a', 'mp2']],
  ['cut.mp4', 'video', 'its last frame is held beyond that', ['-g', '15', ...fragmented]],
  ['cut.webm', 'video', 'its last frame is held beyond that', [...vp8, '-live', '1']],
  ['cut.aac', 'audio', 'it is silent beyond that', ['-map', '1', '-c:a', 'aac']],
  ['cut.ogg', 'audio', 'it is silent beyond that', ['-map', '1', '-c:a', 'libvorbis']],
  ['cut.wav', 'audio', 'it is silent beyond that', ['-map', '1']],
  ['cut.aiff', 'audio', 'it is silent beyond that', ['-map', '1']],
  ['cut.mp3', 'audio', 'it is silent beyond that', ['-map', '1', '-c:a', 'libmp3lame']],
  ['cut.mpg', 'video', 'its last frame is held beyond that', ['-r', '25', '-c:v', 'mpeg2video', '-c:a', 'mp2']],
])('%s stops early, and its %s element lasts longer', async (src, type, expected, options) => {
  await cutOff(src, ...options);
  const warnings = await warningsOf({ type, src, duration: 2 });
  expect(warnings).toMatch(/^warning: scenes.0.elements.0: the file is incomplete: it stops within its data after [23]\.?\d* s, which counts as its length; /);
  expect(warnings).toContain(expected);
  expect(warnings.split('\n')).toHaveLength(1);
  if (type === 'audio') return;
  // 4 s of the scene, of which the file lacks the last.
  const scenes = [{ duration: 4, background: '#ff0000', elements: [{ type, src, duration: 4 }] }];
  await writeFile(at('movie.json'), JSON.stringify({ width: 64, height: 64, fps: 10, scenes }));
  expect((await runCli(['render', at('movie.json'), '-o', at('movie.mp4')])).code).toBe(0);
  const decoded = await decodeFrames(at('movie.mp4'), 'rgb');
  const [earlier, last] = [decoded.frames[35], decoded.frames[39]] as [Buffer, Buffer];
  const difference = last.reduce((sum, value, index) => sum + Math.abs(value - (earlier[index] ?? 0)), 0) / last.length;
  expect(difference).toBeLessThan(1);
  // testsrc has black at the top left, and the scene is red.
  expect(pixelAt(decoded, 39, 2, 2)[0]).toBeLessThan(60);
});

it('a damaged block costs only what it covers, and a warning says how much', async () => {
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc=size=64x64:rate=10:duration=4', '-c:v', 'mjpeg', at('blocks.mkv'));
  const file = await readFile(at('blocks.mkv'));
  const starts: number[] = [];
  for (let start = file.indexOf('ffd8ff', 0, 'hex'); start >= 0; start = file.indexOf('ffd8ff', start + 1, 'hex')) starts.push(start);
  // Six frames with their headers.
  file.fill(0, (starts[10] ?? 0) - 8, (starts[15] ?? 0) + 100);
  await writeFile(at('blocks.mkv'), file);
  expect(await warningsOf({ type: 'video', src: 'blocks.mkv', duration: 2 })).toBe(
    'warning: scenes.0.elements.0: the file is damaged; 0.6 s of its video cannot be decoded and show the frame before.',
  );
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
