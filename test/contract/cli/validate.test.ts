import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../../support/cli.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=size=64x64:rate=25:duration=3', join(folder.path, 'clip.mp4')]);
});
afterAll(() => folder.remove());

const validate = async (script: object, ...options: string[]) => {
  const path = join(folder.path, 'movie.json');
  await writeFile(path, JSON.stringify({ width: 64, height: 64, fps: 25, ...script }));
  return runCli(['validate', path, ...options]);
};
const clip = { type: 'video', src: 'clip.mp4' };

it('says that the length of a clip is unknown, and learns it with --probe', async () => {
  const script = { scenes: [{ elements: [clip] }, { duration: 2 }] };
  const { stdout } = await validate(script);
  expect(stdout).toContain('about 12 s, about 12 credit(s)');
  expect(stdout).toContain('The length of 1 file(s) or voice(s) is unknown and was estimated. --probe fetches the files and uses their lengths.');
  expect(JSON.parse((await validate(script, '--json')).stdout)).toMatchObject({ durationSeconds: 12, estimatedLengths: 1 });

  const probed = await validate(script, '--probe');
  expect([probed.code, probed.stdout]).toEqual([0, expect.stringMatching(/25 fps, 5 s, 5 credit\(s\)\n$/)]);
  expect(JSON.parse((await validate(script, '--probe', '--json')).stdout)).toMatchObject({ durationSeconds: 5, credits: 5, estimatedLengths: 0 });
});

it('is exact where clips cannot change the length of the movie', async () => {
  const { stdout } = await validate({ scenes: [{ duration: 4, elements: [clip, { ...clip, duration: 2 }] }] });
  expect(stdout).toMatch(/25 fps, 4 s, 4 credit\(s\)\n$/);
});

it('uses lengths in expressions, and names a file that is missing', async () => {
  const computed = { scenes: [{ elements: [{ ...clip, id: 'intro' }] }, { duration: '{{intro_duration * 2}}' }] };
  expect((await validate(computed, '--probe')).stdout).toMatch(/25 fps, 9 s, 9 credit\(s\)\n$/);
  const missing = await validate({ scenes: [{ elements: [{ type: 'video', src: 'nowhere.mp4' }] }] }, '--probe');
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('scenes.0.elements.0')]);
});
