import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli, temporaryFolder } from '../support/cli.js';
import { ffmpeg, ffprobe } from '../support/ffmpeg.js';

let folder: { path: string; remove: () => Promise<void> };
beforeAll(async () => {
  folder = await temporaryFolder();
  await ffmpeg(
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=320x180:r=30:d=5',
    '-f',
    'lavfi',
    '-i',
    'sine=440:d=5',
    '-c:v',
    'libx264',
    '-c:a',
    'aac',
    join(folder.path, 'clip.mp4'),
  );
  await ffmpeg('-f', 'lavfi', '-i', 'mandelbrot=s=800x600', '-frames:v', '1', join(folder.path, 'photo.png'));
});
afterAll(() => folder.remove());

/** Half of the movie is a looping clip with sound, half a moving image, in scenes of five seconds. */
async function peakOf(seconds: number): Promise<{ own: number; engine: number }> {
  const scenes = Array.from({ length: seconds / 5 }, (_, index) => ({
    duration: 5,
    elements: [
      index % 2 === 0 ? { type: 'video', src: 'clip.mp4', resize: 'cover', duration: -2 } : { type: 'image', src: 'photo.png', resize: 'cover', zoom: 3 },
      { type: 'text', text: 'the same words' },
    ],
  }));
  const movie = join(folder.path, `long-${seconds}.json`);
  const output = join(folder.path, `long-${seconds}.mp4`);
  await writeFile(
    movie,
    JSON.stringify({ width: 320, height: 180, fps: 30, quality: 'low', scenes, elements: [{ type: 'audio', src: 'clip.mp4', loop: -1, duration: -2 }] }),
  );
  const result = await runCli(['render', movie, '-o', output]);
  expect(result.stderr, result.stderr).not.toContain('error');
  expect(result.code).toBe(0);
  expect(Number(ffprobe(output).format.duration)).toBeCloseTo(seconds, 1);
  return { own: result.peakMemoryBytes, engine: result.peakEngineBytes };
}

test('peak memory does not grow with the length of the movie', { timeout: 240_000 }, async () => {
  const short = await peakOf(60);
  const long = await peakOf(300);
  // 7200 frames more: what the allocators keep between scenes may count (4 MB), what frames need must not, not 700 bytes of each.
  expect(long.own / short.own).toBeLessThan(1.2);
  expect(long.engine - short.engine).toBeLessThan(9e6);
});

test('memory does not grow by the drawing memory of each text', { timeout: 60_000 }, async () => {
  const peakWith = async (texts: number): Promise<number> => {
    const scenes = Array.from({ length: texts }, (_, index) => ({
      duration: 1,
      elements: [{ type: 'text', text: `Text number ${index}`, font: 'Inter', font_size: 96, x: 100, y: 400, width: 1700, height: 240 }],
    }));
    const movie = join(folder.path, `texts-${texts}.json`);
    await writeFile(movie, JSON.stringify({ width: 1920, height: 1080, scenes }));
    const result = await runCli(['frame', movie, '--at', '0', '-o', join(folder.path, 'texts.png')]);
    expect(result.code, result.stderr).toBe(0);
    return result.peakMemoryBytes;
  };
  const few = await peakWith(5);
  const many = await peakWith(150);
  // Drawing each text takes about 2 MB.
  expect(many - few).toBeLessThan(100e6);
});
