import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Clip, Keyframe, Timeline } from '../../../src/contract/index.js';
import { createEngine } from '../../../src/engine/index.js';
import { cutAudio, cutSegment, segmentRange } from '../../../src/timeline/index.js';
import { temporaryFolder } from '../../support/cli.js';
import { ffmpeg } from '../../support/ffmpeg.js';

/** A segment cut out of a timeline renders to the same bytes as the whole timeline. */

let folder: { path: string; remove: () => Promise<void> };
const engine = createEngine();
beforeAll(async () => {
  folder = await temporaryFolder();
  const at = (name: string): string => join(folder.path, name);
  await ffmpeg('-f', 'lavfi', '-i', 'mandelbrot=s=480x270', '-frames:v', '1', at('photo.png'));
  await ffmpeg('-f', 'lavfi', '-i', 'gradients=s=64x64:seed=3', '-frames:v', '1', at('mask.png'));
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25', '-t', '3', '-pix_fmt', 'yuv420p', at('film.mp4'));
  await ffmpeg('-f', 'lavfi', '-i', 'sine=440', '-t', '4', at('tone.wav'));
});
afterAll(() => folder.remove());

const whole = { x: 0, y: 0, width: 160, height: 90 };
const PHOTO = 0;
const MASK = 1;
const CLIP = 2;
const TONE = 3;
const sources = (): Timeline['sources'] =>
  (['image photo.png', 'image mask.png', 'video film.mp4', 'audio tone.wav'] as const).map((text) => {
    const [kind, name] = text.split(' ') as ['image', string];
    return { kind, path: join(folder.path, name), label: name };
  });
const clip = (fields: Partial<Clip>): Clip => ({ start: 0, frames: 30, box: whole, ...fields });
const logo = clip({ source: PHOTO, frames: 90, box: { x: 120, y: 5, width: 32, height: 18 }, opacity: 0.7, fadeIn: 12, fadeOut: 10 });
const slide = (from: number, to: number, frames: number): Keyframe[] => [
  { frame: 0, value: from, easing: 'easeInOutSine' },
  { frame: frames, value: to },
];

function timeline(changes: Partial<Timeline> = {}): Timeline {
  return {
    version: 1,
    canvas: { width: 160, height: 90, fps: { num: 30, den: 1 }, frames: 100 },
    sources: sources(),
    under: [clip({ fill: '#33669980', start: 10, frames: 70, x: slide(-80, 80, 70) })],
    sections: [
      { label: 'scene_1', start: 0, frames: 30, background: '#00000000', clips: [clip({ source: PHOTO, scale: slide(1, 1.5, 30) })] },
      {
        label: 'scene_2',
        start: 30,
        frames: 30,
        background: '#223344ff',
        transition: { style: 'wipeleft', frames: 10 },
        clips: [
          clip({ source: CLIP, media: { in: 0.5 } }),
          clip({ source: PHOTO, box: { x: 10, y: 10, width: 100, height: 70 }, mask: { source: MASK }, start: 4, frames: 20 }),
        ],
      },
      {
        label: 'scene_3',
        start: 60,
        frames: 30,
        background: '#00000000',
        transition: { style: 'fade', frames: 8 },
        clips: [clip({ fill: '#aa2244ff', box: { x: 30, y: 30, width: 50, height: 30 }, fadeIn: 8, blur: 3, mask: { source: MASK } })],
      },
    ],
    over: [
      logo,
      clip({ fill: '#ffcc00ff', start: 20, frames: 80, box: { x: 0, y: 70, width: 20, height: 10 }, x: slide(0, 140, 80) }),
      clip({ source: CLIP, start: 25, frames: 60, box: { x: 5, y: 5, width: 32, height: 18 }, media: { in: 0, loops: -1 } }),
    ],
    audio: [{ source: TONE, start: 5, frames: 80, gain: slide(0, 1, 80), fadeOut: 10, media: { in: 0 } }],
    // Lossless: at other settings x264 may decide differently from run to run.
    encode: { encoder: 'libx264', preset: 'ultrafast', crf: 0, keyframeSeconds: 5, audioBitrate: 128_000 },
    ...changes,
  };
}

async function image(of: Timeline, range: { first: number; end: number }): Promise<string> {
  const path = join(folder.path, 'out.nut');
  await engine.renderSegment(Buffer.from(JSON.stringify(of)), range, path);
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

it.each([0, 1, 2])(
  'section %i has the frames of the whole movie: overlays, transitions, clips, masks and images that other scenes show larger',
  async (index) => {
    const movie = timeline();
    const cut = cutSegment(movie, index);
    expect(cut.timeline.sections.map(({ label }) => label)).not.toEqual(movie.sections.map(({ label }) => label));
    expect(await image(cut.timeline, cut.range)).toBe(await image(movie, segmentRange(movie, index)));
  },
);

it.each([0, 1, 2])('section %i with groups has the frames of the whole movie', async (index) => {
  const card = (frames: number, more: Partial<Clip> = {}): Clip =>
    clip({
      start: 5,
      frames,
      box: { x: 40, y: 20, width: 60, height: 40 },
      x: slide(0, 30, frames),
      opacity: 0.8,
      shadows: [{ color: '#000000c0', blur: 3, y: 4 }],
      perspective: { scale: 1.3, x: 70, y: 40, distance: 200, rotateY: slide(-70, 0, frames) },
      clips: [
        clip({ fill: '#ffffffff', frames: 90, box: { x: 40, y: 20, width: 60, height: 40 } }),
        clip({ source: PHOTO, start: 3, frames: 90, box: { x: 45, y: 25, width: 30, height: 30 }, mask: { source: MASK } }),
        clip({ source: CLIP, frames: 90, box: { x: 75, y: 25, width: 20, height: 30 }, media: { in: 0.2, loops: -1 } }),
      ],
      ...more,
    });
  const movie = timeline({ under: [card(70)], over: [logo, card(80, { start: 15, scale: slide(1, 3, 80), rotation: 20 })] });
  const cut = cutSegment(movie, index);
  expect(await image(cut.timeline, cut.range)).toBe(await image(movie, segmentRange(movie, index)));
});

it('needs the image sizes of other scenes', async () => {
  const movie = timeline();
  const cut = cutSegment(movie, 2);
  const forgotten = { ...cut.timeline, over: cut.timeline.over.filter(({ start }) => start < cut.timeline.canvas.frames) };
  expect(forgotten.over.length).toBeLessThan(cut.timeline.over.length);
  expect(await image(forgotten, cut.range)).not.toBe(await image(movie, segmentRange(movie, 2)));
});

it('the sound section contains only audible clips', async () => {
  const movie = timeline();
  const renderSound = async (of: Timeline): Promise<Buffer> => {
    const path = join(folder.path, 'sound.nut');
    await engine.renderAudio(Buffer.from(JSON.stringify(of)), path);
    return readFile(path);
  };
  const cut = cutAudio(movie);
  expect(cut.sources).toHaveLength(1);
  expect((await renderSound(cut)).equals(await renderSound(movie))).toBe(true);
});

it('the same scene at another time of the movie is the same document', () => {
  const scene = timeline().sections[1] as Timeline['sections'][number];
  const { transition: _none, ...plain } = scene;
  const still = { ...logo, fadeIn: 5, fadeOut: 5 };
  const of = (sections: Timeline['sections'], frames: number): Timeline =>
    timeline({ canvas: { ...timeline().canvas, frames }, sections, under: [], over: [{ ...still, frames }] });
  const filler = { label: 'scene_1', start: 0, frames: 45, background: '#ffffffff', clips: [] };
  const early = of(
    [
      { ...filler, frames: 20 },
      { ...plain, start: 20 },
      { ...filler, start: 50 },
    ],
    95,
  );
  const late = of([filler, { ...filler, start: 45 }, { ...plain, start: 90 }, { ...filler, start: 120 }], 165);
  const cuts = [cutSegment(early, 1), cutSegment(late, 2)];
  expect(cuts[0]).toEqual(cuts[1]);
  expect(cuts[0]?.range).toEqual({ first: 0, end: 30 });
});

it('a scene with a waveform contains the sound of the whole movie', () => {
  const movie = timeline({ over: [clip({ waveform: { color: '#ffffffff', amplitude: 5 }, start: 40, frames: 10 })] });
  expect(cutSegment(movie, 1).timeline).toBe(movie);
  expect(cutSegment(movie, 2).timeline).not.toBe(movie);
});
