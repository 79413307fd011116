import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Keyframe, Section, Timeline } from '../../../src/contract/index.js';
import { createEngine } from '../../../src/engine/index.js';
import { cutSegment } from '../../../src/timeline/index.js';
import { temporaryFolder } from '../../support/cli.js';
import { ffmpeg } from '../../support/ffmpeg.js';

/** Before a transition, the last frames of a segment have the same quality as those in its middle. */

const engine = createEngine();
const frames = 60;
let folder: { path: string; remove: () => Promise<void> };
beforeAll(async () => {
  folder = await temporaryFolder();
  await ffmpeg('-f', 'lavfi', '-i', 'mandelbrot=s=960x540', '-frames:v', '1', join(folder.path, 'photo.png'));
});
afterAll(() => folder.remove());

/** A slowly zooming photo, followed by another scene. */
function movie(encode: Partial<Timeline['encode']>, next: Partial<Section>): Timeline {
  const zoom: Keyframe[] = [
    { frame: 0, value: 1, easing: 'linear' },
    { frame: frames, value: 1.1 },
  ];
  const photo = { source: 0, start: 0, frames, box: { x: 0, y: 0, width: 480, height: 270 }, scale: zoom };
  const section = { frames, background: '#000000ff', clips: [photo] };
  return {
    version: 1,
    canvas: { width: 480, height: 270, fps: { num: 30, den: 1 }, frames: 2 * frames },
    sources: [{ kind: 'image', path: join(folder.path, 'photo.png'), label: 'photo' }],
    under: [],
    sections: [
      { ...section, label: 'scene_1', start: 0 },
      { ...section, label: 'scene_2', start: frames, ...next },
    ],
    over: [],
    audio: [],
    encode: { encoder: 'libx264', preset: 'veryfast', crf: 26, keyframeSeconds: 5, audioBitrate: 128_000, ...encode },
  };
}

/** SSIM of each frame of the first scene against the lossless frames. */
async function qualities(name: string, next: Partial<Section>): Promise<number[]> {
  const at = (part: string): string => join(folder.path, `${name}.${part}`);
  for (const [part, encode] of Object.entries({ lossy: {}, lossless: { preset: 'ultrafast', crf: 0 } })) {
    const { timeline, range } = cutSegment(movie(encode, next), 0);
    await engine.renderSegment(Buffer.from(JSON.stringify(timeline)), range, at(part));
  }
  await ffmpeg('-i', at('lossy'), '-i', at('lossless'), '-lavfi', `ssim=stats_file=${at('ssim')}`, '-f', 'null', '-');
  return Array.from((await readFile(at('ssim'), 'utf8')).matchAll(/All:([\d.]+)/g), ([, value]) => Number(value));
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

it('keeps the quality before a transition and spends no bits on frames before a hard cut', async () => {
  // Too long for this segment, so it belongs to the next scene.
  const fade = await qualities('fade', { transition: { style: 'fade', frames: 40 } });
  const cut = await qualities('cut', {});
  expect(fade).toHaveLength(frames);
  const lossAtTheEnd = (of: number[]): number => mean(of.slice(30, 45)) - mean(of.slice(-4));
  expect(lossAtTheEnd(fade)).toBeLessThan(lossAtTheEnd(cut) / 2);
  expect(mean(fade.slice(0, 30))).toBeCloseTo(mean(cut.slice(0, 30)), 3);
});

it('includes the next transition, or marks the scene as continuing into one that does not fit', () => {
  const of = (next: Partial<Section>): Section | undefined => cutSegment(movie({}, next), 0).timeline.sections.at(-1);
  expect(of({ transition: { style: 'fade', frames: 15 } })).toMatchObject({ label: 'scene_2', frames: 15 });
  expect(of({ transition: { style: 'fade', frames: 40 } })).toMatchObject({ label: 'scene_1', goesOn: true });
  expect(of({})).not.toHaveProperty('goesOn');
});
