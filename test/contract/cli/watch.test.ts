import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cliPath, temporaryFolder } from '../../support/cli.js';
import { decodeFrames, ffmpeg, pixelAt } from '../../support/ffmpeg.js';
import { pause, until } from '../../support/receiver.js';

interface Line {
  change: number;
  ok: boolean;
  scenes?: number;
  scenes_drawn?: number;
  frame?: number;
  error?: { code: string; message: string; line: number; column: number };
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const movie = (second: string, more: object = {}): string =>
  JSON.stringify({
    width: 64,
    height: 64,
    fps: 10,
    scenes: [
      { duration: 0.5, background: '#ff0000' },
      { duration: 0.5, background: second, ...more },
    ],
  });

/** Runs watch, collects its lines and ends it with Ctrl-C. */
async function watching(args: string[], act: (lines: Line[], path: string) => Promise<void>): Promise<void> {
  const path = join(folder.path, 'movie.json');
  const child = spawn(process.execPath, [cliPath, 'watch', path, ...args, '--json'], {
    env: { ...process.env, FRAMEWRIGHT_CACHE_DIR: join(folder.path, 'cache') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[number]>;
  const lines: Line[] = [];
  let rest = '';
  let fault = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (fault += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const whole = (rest + text).split('\n');
    rest = whole.pop() ?? '';
    lines.push(...whole.map((line) => JSON.parse(line) as Line));
  });
  try {
    await act(lines, path);
  } finally {
    child.kill('SIGINT');
  }
  expect([await ended, fault]).toEqual([[0, null], '']);
}
const next = (lines: Line[], count: number): Promise<void> => until(() => lines.length >= count, 30_000);

it('renders at each change, draws only changed scenes and continues after an invalid script', async () => {
  await writeFile(join(folder.path, 'movie.json'), movie('#00ff00'));
  const video = join(folder.path, 'film.mp4');
  await watching(['-o', video], async (lines, path) => {
    await next(lines, 1);
    expect(lines[0]).toMatchObject({ change: 1, ok: true, scenes: 2, scenes_drawn: 2, path: video });
    await writeFile(path, movie('#0000ff'));
    await next(lines, 2);
    expect(lines[1]).toMatchObject({ change: 2, ok: true, scenes: 2, scenes_drawn: 1 });
    expect(pixelAt(await decodeFrames(video, 'rgb'), 7, 30, 30)).toEqual([0, 0, 255].map((value) => expect.closeTo(value, -1)));

    // Some editors truncate the file first and write it later.
    await writeFile(path, '');
    await pause(400);
    await writeFile(path, '{\n  "scenes": [\n    { "duration": 1 \n');
    await next(lines, 3);
    expect(lines[2]).toMatchObject({ ok: false, error: { code: 'INVALID_JSON', line: 4, column: 1 } });
    await writeFile(path, '{\n  "scenes": [\n    { "duration": "long" }]}');
    await next(lines, 4);
    expect(lines[3]).toMatchObject({ ok: false, error: { code: 'SCHEMA_VALIDATION_ERROR', line: 3, column: 19 } });
    expect(existsSync(video)).toBe(true);

    // Some editors replace the file by a new one.
    await writeFile(`${path}.new`, movie('#ffffff'));
    await rename(`${path}.new`, path);
    await next(lines, 5);
    expect(lines[4]).toMatchObject({ change: 5, ok: true, scenes_drawn: 1 });
    await rm(path);
    await next(lines, 6);
    expect(lines[5]).toMatchObject({ ok: false, error: { code: 'INVALID_REQUEST' } });
    await writeFile(path, movie('#ffffff'));
    await next(lines, 7);
    expect(lines[6]).toMatchObject({ ok: true, scenes_drawn: 0 });
  });
});

it('draws one frame and notices changes of the files that a script names', async () => {
  await mkdir(join(folder.path, 'media'));
  const image = join(folder.path, 'media', 'a.png');
  const paint = (color: string): Promise<void> => ffmpeg('-f', 'lavfi', '-i', `color=${color}:s=64x64`, '-frames:v', '1', '-update', '1', image);
  await paint('red');
  await writeFile(join(folder.path, 'movie.json'), movie('#000000', { elements: [{ type: 'image', src: 'media/a.png', resize: 'cover' }] }));
  const frame = join(folder.path, 'frame.png');
  const middle = async () => pixelAt(await decodeFrames(frame, 'rgb'), 0, 32, 32);
  await watching(['-o', frame, '--at', '0.7'], async (lines) => {
    await next(lines, 1);
    expect(lines[0]).toMatchObject({ ok: true, frame: 7, frames: 10 });
    expect((await middle())[0]).toBeGreaterThan(200);
    await paint('blue');
    await until(async () => lines.at(-1)?.ok === true && lines.length > 1 && (await middle())[2] > 200, 30_000);
  });
});
