import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../../support/cli.js';
import { decodeFrames, ffmpeg, pixelAt } from '../../support/ffmpeg.js';

const fixture = (format: string): string => fileURLToPath(new URL(`../../fixtures/import/${format}.json`, import.meta.url));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  const media = join(folder.path, 'media');
  await mkdir(media);
  const image = (name: string, color: string, size: string): Promise<void> =>
    ffmpeg('-f', 'lavfi', '-i', `color=${color}:s=${size}`, '-frames:v', '1', '-update', '1', join(media, name));
  await image('lake-dusk.jpg', '0xc02020', '320x180');
  await image('mountains-dawn.jpg', '0x20c020', '320x180');
  await image('logo.png', '0x2020ff', '90x90');
  await ffmpeg(
    '-f',
    'lavfi',
    '-i',
    'color=0xc0c000:s=320x180:r=25:d=6',
    '-f',
    'lavfi',
    '-i',
    'sine=440:d=6',
    '-c:v',
    'libx264',
    '-c:a',
    'aac',
    join(media, 'aurora.mp4'),
  );
  await ffmpeg('-f', 'lavfi', '-i', 'sine=220:d=12', join(media, 'music.wav'));
  await ffmpeg('-f', 'lavfi', '-i', 'color=white:s=320x180:r=25:d=6', '-c:v', 'libx264', join(media, 'matte.mp4'));
});
afterAll(() => folder.remove());

/** RGB of an imported document at a time, at some points. */
async function seen(format: string, at: number, ...points: Array<[x: number, y: number]>): Promise<Array<[number, number, number]>> {
  const script = join(folder.path, `${format}.json`);
  const { code, stdout, stderr } = await runCli(['import', fixture(format), '--from', format, '-o', script]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/\d+ field\(s\) are left out or approximated\n$/)]);
  expect(stderr).toMatch(/^(left out|approximated): [\w.]+: /);
  const frame = join(folder.path, `${format}.png`);
  const drawn = await runCli(['frame', script, '--at', String(at), '-o', frame]);
  expect([drawn.code, drawn.stderr]).toEqual([0, '']);
  const image = await decodeFrames(frame, 'rgb');
  return points.map(([x, y]) => pixelAt(image, 0, x, y));
}
const near = (...color: number[]): unknown[] => color.map((value) => expect.closeTo(value, -1.3));

it('imports a Shotstack edit with a video, a text box over it and a logo at the top right', async () => {
  const [video, box, logo] = await seen('shotstack', 4.2, [100, 250], [252, 205], [435, 48]);
  expect(video).toEqual(near(192, 192, 0));
  // 80 % red over the video.
  expect(box).toEqual(near(192, 84, 34));
  expect(logo?.[2]).toBeGreaterThan(180);
});

it('imports a Creatomate source with an image, a gradient over it and a logo in a group', async () => {
  const [image, left, right, logo] = await seen('creatomate', 2.2, [400, 100], [38, 288], [280, 288], [544, 72]);
  expect(image).toEqual(near(32, 192, 32));
  expect(left).toEqual(near(209, 3, 110));
  expect(right).toEqual(near(251, 117, 64));
  expect(logo?.[2]).toBeGreaterThan(180);
});

it('imports an editly spec with an image, an overlay and a news title', async () => {
  const [image, logo, news] = await seen('editly', 3.2, [100, 200], [544, 82], [8, 40]);
  expect(image).toEqual(near(192, 32, 32));
  expect(logo?.[2]).toBeGreaterThan(180);
  expect(news).toEqual(near(208, 42, 66));
});

it('prints the script, or one JSON object with --json, and lists the formats', async () => {
  const plain = await runCli(['import', fixture('editly')]);
  expect(JSON.parse(plain.stdout)).toHaveProperty('scenes');
  const { stdout } = await runCli(['import', fixture('editly'), '--json']);
  expect(JSON.parse(stdout)).toEqual({
    script: JSON.parse(plain.stdout),
    notes: expect.arrayContaining([{ path: 'audioNorm', kind: 'left out', why: expect.any(String) }]),
  });
  const unknown = await runCli(['import', fixture('editly'), '--from', 'premiere']);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('Allowed choices are shotstack, creatomate, editly.')]);
  const own = join(folder.path, 'own.json');
  await writeFile(own, '{"scenes":[{}]}');
  const none = await runCli(['import', own]);
  expect([none.code, none.stderr]).toEqual([3, expect.stringContaining('own.json has no importable format: shotstack (timeline.tracks)')]);
  expect(await readFile(own, 'utf8')).toBe('{"scenes":[{}]}');
});
