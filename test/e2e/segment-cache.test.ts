import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withLocalRender } from '../../src/cli/local-render.js';
import { loadConfig } from '../../src/config/index.js';
import type { Engine } from '../../src/engine/index.js';
import { renderMovie } from '../../src/render/index.js';
import { renderScript, temporaryFolder } from '../support/cli.js';
import { decodeFrames, ffmpeg } from '../support/ffmpeg.js';

/** Counts what is rendered again by the calls to the real engine. */

let folder: { path: string; remove: () => Promise<void> };
beforeAll(async () => {
  folder = await temporaryFolder();
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=160x90', '-frames:v', '1', join(folder.path, 'photo.png'));
  await ffmpeg('-f', 'lavfi', '-i', 'sine=330', '-t', '5', join(folder.path, 'tone.wav'));
});
afterAll(() => folder.remove());

interface Scene {
  text: string;
  [field: string]: unknown;
}

const scene = ({ text, elements, ...fields }: Scene & { elements?: object[] }): object => ({
  duration: 0.4,
  background: '#204060',
  ...fields,
  elements: [{ type: 'image', src: 'photo.png', resize: 'cover', zoom: 2 }, { type: 'text', text, font_size: 30 }, ...(elements ?? [])],
});
const tone = { type: 'audio', src: 'tone.wav', volume: 0.5, duration: -2 };
const logo = { type: 'text', text: 'logo', font_size: 12, x: 100, y: 4, width: 50, height: 16 };
const movie = (scenes: Scene[], fields: object = {}): object => ({
  width: 160,
  height: 90,
  fps: 25,
  elements: [logo, tone],
  scenes: scenes.map(scene),
  ...fields,
});
const plain = (...texts: string[]): Scene[] => texts.map((text) => ({ text }));

interface Rendered {
  /** Stages of the scenes that were encoded, and `sound`. */
  encoded: string[];
  /** All progress reports in order. */
  stages: string[];
  progress: number[];
  path: string;
  bytes: Buffer;
}

/** One thread: with more, x264 may decide differently from run to run. */
const lossless = { preset: 'ultrafast', crf: 0 };

/** The label of the first section of a segment. */
function sectionAt(timeline: Uint8Array, frame: number): string {
  const { sections } = JSON.parse(Buffer.from(timeline).toString()) as { sections: Array<{ label: string; start: number }> };
  return sections.findLast(({ start }) => start <= frame)?.label ?? '';
}

let renders = 0;
/** Renders with the cache of this name, or without one. */
async function render(script: object, cache?: string): Promise<Rendered> {
  const encoded: string[] = [];
  const stages: string[] = [];
  const progress: number[] = [];
  const path = join(folder.path, `${++renders}.mp4`);
  const counted: Partial<Record<string | symbol, (timeline: Uint8Array, range: { first: number }) => string>> = {
    renderSegment: (timeline, range) => `rendering_${sectionAt(timeline, range.first)}`,
    renderAudio: () => 'sound',
  };
  const counting = (engine: Engine): Engine =>
    new Proxy(engine, {
      get:
        (real, name) =>
        (...asked: unknown[]) => {
          const what = counted[name]?.(...(asked as [Uint8Array, { first: number }]));
          if (what !== undefined) encoded.push(what);
          return (Reflect.get(real, name) as (...all: unknown[]) => unknown).apply(real, asked);
        },
    });
  const onProgress = (part: number, stage: string): void => {
    progress.push(part);
    if (stages.at(-1) !== stage) stages.push(stage);
  };
  await withLocalRender(
    join(folder.path, 'movie.json'),
    loadConfig({}),
    (parts, workDir) =>
      renderMovie(
        { script, workDir, outputPath: path, signal: new AbortController().signal, onProgress, encode: lossless },
        { ...parts, engine: counting(parts.engine) },
      ),
    cache === undefined ? {} : { cacheDir: join(folder.path, cache) },
  );
  return { encoded: encoded.sort(), stages, progress, path, bytes: await readFile(path) };
}

it('a second render encodes nothing, reports the same progress and writes the same file', async () => {
  const script = movie([{ text: 'one' }, { text: 'two', transition: { style: 'fade', duration: 0.2 } }]);
  const without = await render(script);
  const first = await render(script, 'same');
  const second = await render(script, 'same');
  expect([without, first, second].map(({ encoded }) => encoded)).toEqual([['rendering_scene_1', 'rendering_scene_2', 'sound'], without.encoded, []]);
  expect(second.bytes.equals(first.bytes)).toBe(true);
  expect(second.stages).toEqual(['preparing', 'rendering_scene_1', 'rendering_scene_2', 'stitching', 'complete']);
  expect(second.progress).toEqual([...second.progress].sort((a, b) => a - b));
  const [fresh, reused] = await Promise.all([without, second].map(({ path }) => decodeFrames(path, 'rgb')));
  expect(reused?.frames.length).toBe(20);
  expect(reused?.frames.every((frame, k) => fresh?.frames[k]?.equals(frame))).toBe(true);
});

it('a changed text renders its scene again and the one whose transition shows it', async () => {
  const fade = { transition: { style: 'fade', duration: 0.2 } };
  const scenes = (third: string): object => movie([{ text: 'one' }, { text: 'two' }, { text: third, ...fade }, { text: 'four' }]);
  await render(scenes('three'), 'changed');
  const changed = await render(scenes('drei'), 'changed');
  expect(changed.encoded).toEqual(['rendering_scene_2', 'rendering_scene_3']);
  const [fresh, reused] = await Promise.all([await render(scenes('drei')), changed].map(({ path }) => decodeFrames(path, 'gray')));
  expect(reused?.frames.every((frame, k) => fresh?.frames[k]?.equals(frame))).toBe(true);
});

it('a scene is found at any position and rendered once if it occurs twice', async () => {
  await render(movie(plain('one', 'two')), 'moved');
  expect((await render(movie(plain('two', 'new', 'one', 'new')), 'moved')).encoded).toEqual(['rendering_scene_2', 'sound']);
});

it('a change of sound reuses the frames, and the other way round', async () => {
  const louder = { elements: [logo, { ...tone, volume: 0.7 }] };
  await render(movie(plain('one')), 'sound');
  expect((await render(movie(plain('one'), louder), 'sound')).encoded).toEqual(['sound']);
  expect((await render(movie(plain('eins'), louder), 'sound')).encoded).toEqual(['rendering_scene_1']);
  expect((await render(movie(plain('eins'), { ...louder, loudness: -20 }), 'sound')).encoded).toEqual(['sound']);
});

it('a replaced file with the same name is rendered again', async () => {
  const script = movie(plain('one'));
  await render(script, 'files');
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc=s=160x90', '-frames:v', '1', join(folder.path, 'photo.png'));
  expect((await render(script, 'files')).encoded).toEqual(['rendering_scene_1']);
});

it('quality and size are part of the key', async () => {
  await render(movie(plain('one')), 'settings');
  expect((await render(movie(plain('one'), { quality: 'low' }), 'settings')).encoded).toEqual(['rendering_scene_1', 'sound']);
  expect((await render(movie(plain('one'), { width: 120 }), 'settings')).encoded).toEqual(['rendering_scene_1']);
});

it.each([
  ['the movie', movie(plain('one', 'two'), { cache: false }), ['rendering_scene_1', 'rendering_scene_2', 'sound']],
  ['a scene', movie([{ text: 'one', cache: false }, { text: 'two' }]), ['rendering_scene_1']],
  [
    'a scene under a transition',
    movie([{ text: 'one' }, { text: 'two', cache: false, transition: { duration: 0.1 } }]),
    ['rendering_scene_1', 'rendering_scene_2'],
  ],
  ['an element', movie([{ text: 'one' }, { text: 'two', elements: [{ ...logo, cache: false }] }]), ['rendering_scene_2']],
  [
    'an element over some scenes',
    movie(plain('one', 'two', 'three'), { elements: [{ ...logo, start: 0.5, cache: false }] }),
    ['rendering_scene_2', 'rendering_scene_3'],
  ],
  ['music', movie(plain('one', 'two'), { elements: [{ ...tone, cache: false }] }), ['sound']],
])('cache: false of %s', async (what, script, anew) => {
  await render(script, `off ${what}`);
  expect((await render(script, `off ${what}`)).encoded).toEqual(anew);
});

it('a waveform is drawn again only if the sound of the movie changes', async () => {
  const wave = { type: 'audiogram', x: 0, y: 60, width: 160, height: 30 };
  const script = (volume: number): object => movie([{ text: 'one', elements: [wave] }, { text: 'two' }], { elements: [{ ...tone, volume }] });
  await render(script(0.5), 'wave');
  expect((await render(script(0.5), 'wave')).encoded).toEqual([]);
  expect((await render(script(0.6), 'wave')).encoded).toEqual(['rendering_scene_1', 'sound']);
});

it('a damaged cache file is rendered again', async () => {
  const script = movie(plain('one'));
  await render(script, 'damaged');
  const stored = join(folder.path, 'damaged/segments');
  for (const name of await readdir(stored)) await truncate(join(stored, name), 300);
  const repaired = await render(script, 'damaged');
  expect(repaired.encoded).toEqual(['rendering_scene_1', 'sound']);
  expect((await decodeFrames(repaired.path, 'gray')).frames).toHaveLength(10);
  expect((await render(script, 'damaged')).encoded).toEqual([]);
});

it('an unwritable cache only slows renders down', async () => {
  await writeFile(join(folder.path, 'no-folder'), '');
  for (const _ of [1, 2]) expect((await render(movie(plain('one')), 'no-folder')).encoded).toEqual(['rendering_scene_1', 'sound']);
});

it('the command line caches scenes and drawn texts in --cache or in the user’s cache folder', async () => {
  const home = join(folder.path, 'home');
  const stored = async (name: string): Promise<number> => (await readdir(join(folder.path, name)).catch(() => [])).length;
  const run = (name: string, args: string[], env: Record<string, string> = {}): Promise<string> =>
    renderScript(movie(plain('one', 'two')), folder.path, {
      name,
      args,
      env: { FRAMEWRIGHT_DATA_DIR: '', FRAMEWRIGHT_CACHE_DIR: '', XDG_CACHE_HOME: home, ...env },
    });
  const files = [
    await run('by-option', ['--cache', join(folder.path, 'told')]),
    await run('again', [], { FRAMEWRIGHT_CACHE_DIR: join(folder.path, 'named') }),
    await run('nowhere', ['--cache', join(folder.path, 'off')], { FRAMEWRIGHT_CACHE_MB: '0' }),
    await run('refused', ['--no-cache']),
  ];
  expect(files).toHaveLength(4);
  expect([await stored('told/segments'), await stored('named/segments'), await stored('off'), await stored('home')]).toEqual([3, 3, 0, 0]);
  await run('untold', []);
  expect(await stored('home/framewright/segments')).toBe(3);
});
