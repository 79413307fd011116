import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { composeMusic, composeSwell, encodeWav } from '../../src/cli/demo/music.js';
import { renderScript, temporaryFolder } from '../support/cli.js';
import { decodeSamples, ffmpeg } from '../support/ffmpeg.js';

const run = promisify(execFile);

let folder: { path: string; remove: () => Promise<void> };
beforeAll(async () => {
  folder = await temporaryFolder();
  const media = join(folder.path, 'media');
  await mkdir(media);
  await writeFile(join(media, 'music.wav'), encodeWav(composeMusic(27)));
  await writeFile(join(media, 'swell.wav'), encodeWav(composeSwell(6)));
  // The sound of the demo without its frames, which take long to draw.
  await ffmpeg('-f', 'lavfi', '-i', 'color=black:s=64x36:r=10:d=6', '-i', join(media, 'swell.wav'), '-c:a', 'aac', '-b:a', '192k', join(media, 'aurora.mp4'));
}, 60_000);
afterAll(() => folder.remove());

interface Element {
  type: string;
}

test('the demo has no clipping, no clicks and the loudness of music', { timeout: 120_000 }, async () => {
  const showcase = JSON.parse(await readFile(new URL('../../examples/showcase.json', import.meta.url), 'utf8')) as {
    scenes: Array<{ elements: Element[] }>;
  };
  const scenes = showcase.scenes.map((scene) => ({ ...scene, elements: scene.elements.filter(({ type }) => type === 'video') }));
  const output = await renderScript({ ...showcase, width: 96, height: 54, fps: 10, scenes }, folder.path, { name: 'showcase' });

  const { stderr } = await run('ffmpeg', ['-hide_banner', '-nostdin', '-i', output, '-map', '0:a', '-af', 'ebur128=peak=true', '-f', 'null', '-']);
  const summary = stderr.slice(stderr.lastIndexOf('Summary:'));
  const loudness = Number(/I:\s+(\S+) LUFS/.exec(summary)?.[1]);
  expect(loudness).toBeGreaterThan(-20);
  expect(loudness).toBeLessThan(-10);
  expect(Number(/Peak:\s+(\S+) dBFS/.exec(summary)?.[1])).toBeLessThan(-0.5);

  for (const channel of [0, 1] as const) {
    const samples = await decodeSamples(output, channel);
    // A click of a tenth of full scale exceeds this; the sharpest bell stroke stays far below.
    let roughest = 0;
    for (let n = 3; n < samples.length; n += 1) {
      const third = (samples[n] ?? 0) - 3 * (samples[n - 1] ?? 0) + 3 * (samples[n - 2] ?? 0) - (samples[n - 3] ?? 0);
      roughest = Math.max(roughest, Math.abs(third));
    }
    expect(roughest).toBeLessThan(0.1);
    expect(Math.abs(samples.at(-1) ?? 1)).toBeLessThan(0.01);
  }
});
