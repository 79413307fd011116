import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../support/cli.js';
import { ffmpeg } from '../support/ffmpeg.js';

/** The command `beats`, and its result in a script. */

let folder: { path: string; remove: () => Promise<void> };
const SECONDS = 15;
const START = 0.5;

beforeAll(async () => {
  folder = await temporaryFolder();
  const clicks = (tempo: number, name: string, ...coding: string[]) => {
    const click = `0.5*exp(-60*mod(t-${START},${60 / tempo}))*sin(2*PI*900*mod(t-${START},${60 / tempo}))*gte(t,${START})`;
    return ffmpeg('-f', 'lavfi', '-i', `aevalsrc='${click}':s=44100:d=${SECONDS}`, ...coding, join(folder.path, name));
  };
  await clicks(75, 'slow.mp3', '-b:a', '128k');
  await clicks(128, 'dance.ogg', '-c:a', 'libvorbis');
  const video = ['-f', 'lavfi', '-i', `color=black:s=64x64:d=${SECONDS}`, '-shortest'];
  await clicks(165, 'fast.mp4', ...video);
  await ffmpeg('-f', 'lavfi', '-i', 'anullsrc=d=3', join(folder.path, 'silence.wav'));
});
afterAll(() => folder.remove());

const beats = async (...args: string[]) => JSON.parse((await runCli(['beats', ...args, '--json'], { cwd: folder.path })).stdout);

it.each([
  ['slow.mp3', 75],
  ['dance.ogg', 128],
  ['fast.mp4', 165],
])('finds those of %s', async (name, tempo) => {
  const found = await beats(name);
  expect(Math.abs(found.tempo - tempo)).toBeLessThan(1);
  expect(found.beats).toHaveLength(Math.ceil(((SECONDS - START) * tempo) / 60));
  for (const [index, time] of found.beats.entries()) expect(Math.abs(time - START - (index * 60) / tempo)).toBeLessThan(0.03);
});

it('follows an expected tempo', async () => {
  expect(Math.abs((await beats('slow.mp3', '--tempo', '150')).tempo - 150)).toBeLessThan(2);
});

it('prints them for people, too', async () => {
  const { code, stdout } = await runCli(['beats', 'dance.ogg'], { cwd: folder.path });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^12[78](\.\d)? beats per minute, 31 beats, in seconds:\n0\.\d+\n0\.9\d+\n/);
  expect((await runCli(['beats', 'silence.wav'], { cwd: folder.path })).stdout).toBe('no beats\n');
});

it('refuses files that do not exist or have no sound, and other tempi', async () => {
  const missing = await runCli(['beats', 'none.mp3'], { cwd: folder.path });
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('none.mp3 cannot be read') });
  await ffmpeg('-f', 'lavfi', '-i', 'color=red:s=64x64:d=1', join(folder.path, 'silent.mp4'));
  expect(await runCli(['beats', 'silent.mp4'], { cwd: folder.path })).toMatchObject({ code: 1, stderr: expect.stringContaining('no audio stream') });
  expect((await runCli(['beats', 'dance.ogg', '--tempo', '10'], { cwd: folder.path })).code).toBe(2);
});

it('gives a script the times of its cuts', async () => {
  const found = JSON.stringify(await beats('dance.ogg'));
  const script = {
    ...{ width: 64, height: 64, variables: { song: {} } },
    scenes: [
      { duration: '{{song.beats[4]}}', elements: [] },
      { duration: '{{song.beats[8] - song.beats[4]}}', elements: [] },
    ],
  };
  const path = join(folder.path, 'cuts.json');
  await writeFile(path, JSON.stringify(script));
  const { code, stdout } = await runCli(['validate', path, '--set', `song=${found}`, '--json'], { cwd: folder.path });
  expect({ code, stdout }).toMatchObject({ code: 0 });
  expect(Math.abs(JSON.parse(stdout).durationSeconds - (START + (8 * 60) / 128))).toBeLessThan(0.1);
});
