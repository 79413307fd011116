import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../support/cli.js';
import { ffmpeg } from '../support/ffmpeg.js';

let folder: { path: string; remove: () => Promise<void> };
beforeAll(async () => {
  folder = await temporaryFolder();
  await ffmpeg('-f', 'lavfi', '-i', 'sine=330', '-t', '2', join(folder.path, 'tone.wav'));
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=1600x900', '-frames:v', '1', join(folder.path, 'photo.png'));
  const photo = { type: 'image', src: 'photo.png', zoom: 3, fade_in: 0.2 };
  const scene = (text: string): object => ({ duration: 0.4, elements: [photo, { type: 'text', text: `${text} & <more>`, font_size: 30, fade_in: 0.2 }] });
  const script = { width: 1280, height: 720, fps: 25, scenes: [scene('one'), scene('two')], elements: [{ type: 'audio', src: 'tone.wav', duration: -2 }] };
  await writeFile(join(folder.path, 'movie.json'), JSON.stringify(script));
});
afterAll(() => folder.remove());

const render = (...args: string[]) => runCli(['render', join(folder.path, 'movie.json'), '-o', join(folder.path, 'movie.mp4'), '--json', ...args]);

/** Seconds by stage, from the printed table. */
function stagesOf(text: string): Record<string, number> {
  return Object.fromEntries([...text.matchAll(/^ {2}(\w+) +(\d+\.\d+) s$/gm)].map(([, stage, seconds]) => [stage, Number(seconds)]));
}

it('--profile prints a table of all stages and scenes and writes a chart beside the video', async () => {
  const { code, stdout, stderr } = await render('--profile', '--cache', join(folder.path, 'cache'));
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ frames: 20 });
  const { total = 0, ...stages } = stagesOf(stderr);
  expect(Object.keys(stages)).toEqual(['start', 'plan', 'fetch', 'draw', 'decode', 'compose', 'encode', 'sound', 'stitch']);
  for (const stage of ['start', 'plan', 'fetch', 'draw', 'compose', 'encode', 'sound', 'stitch']) expect(stages[stage], stage).toBeGreaterThan(0);
  // No stage, and no sum of consecutive stages, is longer than the whole render.
  const { start = 0, plan = 0, fetch = 0, draw = 0, stitch = 0 } = stages;
  expect(start + plan + fetch + draw + stitch).toBeLessThan(total);
  expect(stderr).toMatch(/scene_1 .* of 10$/m);
  expect(stderr).toMatch(/scene_2 .* of 10$/m);
  const [, , compose] = /^ {2}scenes\.0\.elements\.0 +(\d\.\d+) s +(\d\.\d+) s$/m.exec(stderr) ?? [];
  expect(Number(compose)).toBeGreaterThan(0);
  expect(Number(compose)).toBeLessThanOrEqual(stages.compose ?? 0);
  for (const text of ['scenes.0.elements.1', 'scenes.1.elements.1']) expect(stderr).toMatch(new RegExp(`^ {2}${text} +\\d`, 'm'));
  // Both scenes use the same photo file.
  expect(stderr).not.toContain('scenes.1.elements.0');
  const chart = await readFile(join(folder.path, 'movie.profile.svg'), 'utf8');
  expect(chart).toMatch(/^<svg xmlns/);
  expect(chart).not.toMatch(/href|@import|url\(/);
  for (const label of ['start', 'encode', 'stitch', 'scene_1', 'scene_2', 'scenes.0.elements.0']) expect(chart).toContain(`>${label}</text>`);
});

it('cached scenes are counted, not timed', async () => {
  await render('--cache', join(folder.path, 'cache'));
  const { stderr } = await render('--profile', '--cache', join(folder.path, 'cache'));
  expect(stderr).toContain('2 scenes were reused from an earlier render');
  expect(stagesOf(stderr)).toMatchObject({ compose: 0, encode: 0, sound: 0 });
});

it('without --profile nothing is printed', async () => {
  expect((await render()).stderr).not.toMatch(/compose/);
});
