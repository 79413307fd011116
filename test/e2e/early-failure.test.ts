import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli, temporaryFolder } from '../support/cli.js';
import { ffmpeg } from '../support/ffmpeg.js';

let folder: { path: string; remove: () => Promise<void> };
beforeAll(async () => {
  folder = await temporaryFolder();
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=2', '-c:v', 'libx264', join(folder.path, 'good.mp4'));
  await writeFile(join(folder.path, 'text.png'), 'this is not a picture');
  await writeFile(join(folder.path, 'empty.mp4'), '');
  await writeFile(join(folder.path, 'list.mp4'), '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\ngood.mp4\n');
});
afterAll(() => folder.remove());

test('a failure is reported even while the engine is starting', async () => {
  const movie = join(folder.path, 'early.json');
  const refused = { type: 'image', src: 'http://127.0.0.1:9/x.png' };
  await writeFile(movie, JSON.stringify({ width: 320, height: 180, scenes: [{ duration: 1, elements: [refused] }] }));
  for (let round = 0; round < 6; round += 1) {
    const results = await Promise.all([1, 2].map((number) => runCli(['render', movie, '-o', join(folder.path, `early-${number}.mp4`)])));
    for (const { code, stderr } of results) expect([code, stderr]).toEqual([3, expect.stringContaining('scenes.0.elements.0.src')]);
  }
});

async function failureOf(elements: unknown[]): Promise<string> {
  const movie = join(folder.path, 'broken.json');
  const output = join(folder.path, 'broken.mp4');
  await writeFile(movie, JSON.stringify({ width: 320, height: 180, scenes: [{ duration: 1, elements: [{ type: 'text', text: 'before' }, ...elements] }] }));
  const result = await runCli(['render', movie, '-o', output]);
  expect(result.code).not.toBe(0);
  expect(existsSync(output)).toBe(false);
  return result.stderr;
}

test.each([
  ['a missing file', { type: 'image', src: 'nowhere.png' }, /scenes\.0\.elements\.1.*(not|no) /s],
  ['a picture that is text', { type: 'image', src: 'text.png' }, /scenes\.0\.elements\.1/],
  ['an empty video', { type: 'video', src: 'empty.mp4' }, /scenes\.0\.elements\.1/],
  ['a playlist in disguise', { type: 'video', src: 'list.mp4' }, /scenes\.0\.elements\.1/],
  ['a video where a picture should be', { type: 'image', src: 'good.mp4' }, /scenes\.0\.elements\.1\.src.*image/s],
  ['a refused connection', { type: 'image', src: 'http://127.0.0.1:9/x.png' }, /scenes\.0\.elements\.1\.src/],
  ['a wrong property', { type: 'image', src: 'text.png', opacity: 2 }, /scenes\.0\.elements\.1\.opacity/],
])('%s names the element and the reason', async (_, element, message) => {
  const stderr = await failureOf([element]);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('    at ');
});
