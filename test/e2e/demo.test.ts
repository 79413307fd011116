import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../support/cli.js';
import { ffprobe } from '../support/ffmpeg.js';

const showcasePath = fileURLToPath(new URL('../../examples/showcase.json', import.meta.url));

describe('the demo', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder.remove());

  it('renders a movie over REST, prints its cost and leaves no process', { timeout: 600_000 }, async () => {
    // The first run makes the images of the showcase.
    // A quarter of the showcase's size keeps the test short.
    const showcase = JSON.parse(await readFile(showcasePath, 'utf8')) as Record<string, unknown>;
    const moviePath = join(folder.path, 'small.json');
    await writeFile(moviePath, JSON.stringify({ ...showcase, width: 480, height: 270 }));
    const outputPath = join(folder.path, 'small.mp4');
    const dataDir = join(folder.path, 'data');
    const { code, stdout, stderr } = await runCli(['demo', '--movie', moviePath, '-o', outputPath], { env: { FRAMEWRIGHT_DATA_DIR: dataDir } });
    // Only progress lines.
    expect(stderr.split('\n').filter((line) => line !== '' && !/^ {0,2}\d+ % /.test(line))).toEqual([]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^cost {6}25 credits$/m);
    expect(stdout).toMatch(/^studio {4}npm start, then http:\/\/127\.0\.0\.1:\d+\/ /m);
    expect(stdout).toMatch(/^length {4}24\.5 s, 735 frames/m);
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(stdout)?.[0] ?? '';
    await expect(fetch(address)).rejects.toThrow();
    const { streams } = ffprobe(outputPath);
    expect(streams.find((stream) => stream.codec_type === 'video')).toMatchObject({ width: 480, height: 270, nb_frames: '735' });
    expect(streams.some((stream) => stream.codec_type === 'audio')).toBe(true);
    expect(existsSync(`${outputPath}.service.log`)).toBe(false);
  });

  it('prints why the service refuses a movie', { timeout: 60_000 }, async () => {
    const moviePath = join(folder.path, 'wrong.json');
    await writeFile(moviePath, JSON.stringify({ scenes: [{ elements: [{ type: 'text' }] }] }));
    const { code, stderr } = await runCli(['demo', '--movie', moviePath, '-o', join(folder.path, 'wrong.mp4')], {
      env: { FRAMEWRIGHT_DATA_DIR: join(folder.path, 'data') },
    });
    expect(code).toBe(1);
    expect(stderr).toContain('SCHEMA_VALIDATION_ERROR at scenes.0.elements.0');
  });
});
