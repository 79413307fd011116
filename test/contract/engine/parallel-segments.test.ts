import { mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { profileTable } from '../../../src/cli/profile/profile-table.js';
import type { Section, Timeline } from '../../../src/contract/index.js';
import type { EngineProcess } from '../../../src/engine/index.js';
import { renderVideo } from '../../../src/render/encode/render-video.js';
import { SegmentCache } from '../../../src/render/encode/segment-cache.js';
import { segmentPath } from '../../../src/render/encode/segments.js';
import { RenderProfile } from '../../../src/render/render-profile.js';
import { temporaryFolder } from '../../support/cli.js';
import { startTestEngine } from '../../support/engine-process.js';
import { ffmpeg } from '../../support/ffmpeg.js';

/** Segments of one movie encoded in parallel: zooming photos, a clip split into three segments, and transitions. */

const fps = 5;
const photoFrames = 90;
const clipFrames = 46 * fps;
const engines: EngineProcess[] = [];
let folder: { path: string; remove: () => Promise<void> };
let alone: Map<string, Buffer>;
beforeAll(async () => {
  folder = await temporaryFolder();
  await ffmpeg('-f', 'lavfi', '-i', 'mandelbrot=s=960x540', '-frames:v', '1', join(folder.path, 'photo.png'));
  // With a single keyframe, a decoder that starts at a later segment has to decode the whole clip.
  await ffmpeg('-f', 'lavfi', '-i', `testsrc2=s=160x90:r=${fps}`, '-t', '46', '-g', '1000', join(folder.path, 'film.mp4'));
  const { workDir, profile } = await render(1);
  expect(profile.maxParallelEncoders).toBe(1);
  alone = await filesOf(workDir);
  expect(alone.size).toBe(8);
}, 120_000);
afterAll(async () => {
  await Promise.all(engines.map((engine) => engine.close()));
  await folder.remove();
});

function movie(): Timeline {
  const zoom = (to: number): object[] => [
    { frame: 0, value: 1, easing: 'linear' },
    { frame: photoFrames, value: to },
  ];
  const box = { x: 0, y: 0, width: 512, height: 288 };
  const photo = (to: number): Omit<Section, 'label' | 'start'> => ({
    frames: photoFrames,
    background: '#000000ff',
    clips: [{ source: 0, start: 0, frames: photoFrames, box, scale: zoom(to) }] as Section['clips'],
  });
  const video = { frames: clipFrames, background: '#204060ff', clips: [{ source: 1, start: 0, frames: clipFrames, box }] as Section['clips'] };
  const fade = { transition: { style: 'fade', frames: 4 } } as Partial<Section>;
  const scenes = [photo(1.1), { ...photo(1.2), ...fade }, video, { ...photo(1.3), ...fade }, photo(1.4), photo(1.5)];
  let frames = 0;
  const sections = scenes.map((scene, index) => {
    frames += scene.frames;
    return { ...scene, label: `scene_${index + 1}`, start: frames - scene.frames } as Section;
  });
  return {
    version: 1,
    canvas: { width: 512, height: 288, fps: { num: fps, den: 1 }, frames },
    sources: [
      { kind: 'image', path: join(folder.path, 'photo.png'), label: 'photo' },
      { kind: 'video', path: join(folder.path, 'film.mp4'), label: 'film' },
    ],
    under: [],
    sections,
    over: [],
    audio: [],
    encode: { encoder: 'libx264', preset: 'veryfast', crf: 26, keyframeSeconds: 5, audioBitrate: 128_000, copy: false },
  };
}

interface Run {
  workDir?: string;
  signal?: AbortSignal;
  onProgress?: (stage: string, done: number) => void;
}

async function render(maxParallelSegments: number, { workDir, signal, onProgress }: Run = {}) {
  const place = workDir ?? (await mkdtemp(join(folder.path, 'work-')));
  const engine = startTestEngine(place, { maxParallelSegments, readable: [folder.path] });
  engines.push(engine);
  const profile = new RenderProfile();
  const call = { workDir: place, signal: signal ?? new AbortController().signal, profile, reuse: new SegmentCache({ engine }), parts: { engine } };
  await renderVideo({ timeline: movie(), uncached: { sections: new Set(), audio: false } }, { ...call, onProgress: onProgress ?? (() => {}) });
  return { workDir: place, profile };
}

async function filesOf(workDir: string): Promise<Map<string, Buffer>> {
  const files = (await readdir(workDir, { withFileTypes: true })).filter((entry) => entry.isFile()).map(({ name }) => name);
  return new Map(await Promise.all(files.map(async (name) => [name, await readFile(join(workDir, name))] as const)));
}

/** Cancelled segments leave no file. */
async function expectWholeSegments(workDir: string): Promise<number> {
  const left = await filesOf(workDir);
  for (const [name, bytes] of left) expect(alone.get(name)?.equals(bytes), name).toBe(true);
  return left.size;
}

it('parallel segments equal sequential ones byte for byte and report every frame', { timeout: 120_000 }, async () => {
  const reported: number[] = [];
  const { workDir, profile } = await render(3, { onProgress: (_stage, done) => reported.push(done) });
  expect(profile.maxParallelEncoders).toBeGreaterThan(1);
  expect(profile.maxParallelEncoders).toBeLessThanOrEqual(3);
  expect(profileTable(profile, 1)).toContain(`  up to ${profile.maxParallelEncoders} segments were encoded at once`);
  expect(await expectWholeSegments(workDir)).toBe(alone.size);
  expect(reported).toEqual([...reported].sort((a, b) => a - b));
  expect(reported.at(-1)).toBe(1);
});

it('cancellation ends all segments and leaves no file', { timeout: 120_000 }, async () => {
  const workDir = await mkdtemp(join(folder.path, 'work-'));
  const cancel = new AbortController();
  const onProgress = (_stage: string, done: number): void => void (done > 0.2 && cancel.abort());
  await expect(render(3, { workDir, signal: cancel.signal, onProgress })).rejects.toThrow(/abort/i);
  expect(await expectWholeSegments(workDir)).toBeLessThan(alone.size);
});

it('a failed segment ends the others and is reported', { timeout: 120_000 }, async () => {
  const workDir = await mkdtemp(join(folder.path, 'work-'));
  await mkdir(segmentPath(workDir, 1));
  await expect(render(3, { workDir })).rejects.toMatchObject({ detail: expect.stringContaining('IO_FAILED') });
  expect(await expectWholeSegments(workDir)).toBeLessThan(alone.size - 1);
});
