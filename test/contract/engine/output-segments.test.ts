import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EncodeSettings, OutputFileSpec, OutputSegmentSpec, Timeline } from '../../../src/contract/index.js';
import { createEngine, type EngineProcess } from '../../../src/engine/index.js';
import { AppError } from '../../../src/errors/index.js';
import { cutSegment, segmentRange } from '../../../src/timeline/index.js';
import { startTestEngine } from '../../support/engine-process.js';
import { decodeFrames, ffmpeg, ffprobe } from '../../support/ffmpeg.js';

/** Segments that are encoded from the composition of other outputs. */

const folder = mkdtempSync(join(tmpdir(), 'output-segments-'));
const work = join(folder, 'work');
const media = join(folder, 'media');
const [WIDTH, HEIGHT, FPS, SCENE] = [160, 96, 15, 20];
const h264: EncodeSettings = { encoder: 'libx264', preset: 'veryfast', crf: 23, keyframeSeconds: 5, audioBitrate: 128_000 };
const hevc: EncodeSettings = { ...h264, encoder: 'libx265' };
let engine: EngineProcess;

/** Three scenes, which stand and move, with a fade between the first two. */
function movie(background = '#204060ff', source: Timeline['sources'][number] = { kind: 'image', path: join(media, 'disc.png'), label: 'disc' }): Timeline {
  const section = (index: number): Timeline['sections'][number] => ({
    label: `scene_${index + 1}`,
    start: index * SCENE,
    frames: SCENE,
    background,
    clips: [
      {
        source: 0,
        start: 0,
        frames: SCENE,
        box: { x: 10 * index, y: 0, width: 96, height: HEIGHT },
        ...(source.kind === 'video' && { media: { in: 0, out: 2 } }),
        ...(index !== 1 && {
          x: [
            { frame: 5, value: 0 },
            { frame: 15, value: 40 },
          ],
        }),
      },
    ],
    ...(index === 1 && { transition: { style: 'fade', frames: 6 } }),
  });
  return {
    version: 1,
    canvas: { width: WIDTH, height: HEIGHT, fps: { num: FPS, den: 1 }, frames: 3 * SCENE },
    sources: [source],
    under: [],
    sections: [0, 1, 2].map(section),
    over: [],
    audio: [],
    encode: h264,
  };
}

const bytesOf = (document: object): Buffer => Buffer.from(JSON.stringify(document));

/** Renders the segments of a movie beside outputs, and each alone as well; returns the files of both. */
async function sharedAndAlone(timeline: Timeline, outputs: OutputFileSpec[], given: Partial<OutputSegmentSpec> = {}): Promise<Array<[Buffer, Buffer]>> {
  const segments = timeline.sections.map((_, index) => ({ path: join(work, `shared-${index}.nut`), ...segmentRange(timeline, index), ...given }));
  const made = await engine.renderOutputs(bytesOf(timeline), outputs, { segments });
  const pairs: Array<[Buffer, Buffer]> = [];
  for (const [index, { path }] of segments.entries()) {
    const { timeline: cut, range } = cutSegment({ ...timeline, ...(given.encode && { encode: given.encode }) }, index);
    const alone = join(work, `alone-${index}.nut`);
    const result = await engine.renderSegment(bytesOf(cut), range, alone);
    expect(made.segments[index]).toMatchObject({ frames: result.frames, bytes: result.bytes, composedFrames: result.composedFrames });
    pairs.push([readFileSync(path), readFileSync(alone)]);
  }
  return pairs;
}

function psnr(a: Buffer, b: Buffer): number {
  const squares = a.reduce((sum, value, index) => sum + (value - (b[index] ?? 0)) ** 2, 0);
  return 10 * Math.log10((255 * 255 * a.length) / Math.max(1, squares));
}

beforeAll(async () => {
  mkdirSync(work);
  mkdirSync(media);
  const disc = "geq=r='128+100*sin(X/30)':g='128+100*cos(Y/25)':b='200-X':a='clip(255*(1.4-hypot(X-48,Y-48)/40),0,255)'";
  await ffmpeg('-f', 'lavfi', '-i', `color=white:s=96x96,format=rgba,${disc}`, '-frames:v', '1', join(media, 'disc.png'));
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=96x96:r=15:d=3', '-pix_fmt', 'yuv420p', join(media, 'clip.mp4'));
  engine = startTestEngine(work, { readable: [media] });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

describe('segments beside outputs', () => {
  const output = (name: string, spec: Omit<OutputFileSpec, 'path'>): OutputFileSpec => ({ path: join(folder, name), ...spec });

  it('have the bytes of segments that are rendered alone', async () => {
    const gif = output('a.gif', { format: 'gif', width: 80, height: 48, fps: { num: 5, den: 1 } });
    for (const [shared, alone] of await sharedAndAlone(movie(), [gif])) expect(shared.equals(alone)).toBe(true);
    for (const [shared, alone] of await sharedAndAlone(movie(), [gif], { encode: hevc })) expect(shared.equals(alone)).toBe(true);
    expect(ffprobe(gif.path).streams[0]).toMatchObject({ width: 80, height: 48 });
  });

  it('have them also where a source is a video, and where other outputs keep transparency', async () => {
    const clip = { kind: 'video', path: join(media, 'clip.mp4'), label: 'clip' } as const;
    for (const [shared, alone] of await sharedAndAlone(movie('#204060ff', clip), [])) expect(shared.equals(alone)).toBe(true);
    const webm = output('a.webm', { format: 'webm', alpha: true });
    for (const [shared, alone] of await sharedAndAlone(movie('#00000000'), [webm])) expect(shared.equals(alone)).toBe(true);
    expect(ffprobe(webm.path).streams[0]).toMatchObject({ width: WIDTH, height: HEIGHT });
  });

  it('are scaled to their own size', async () => {
    const timeline = movie();
    const range = segmentRange(timeline, 0);
    const whole = { path: join(work, 'whole.nut'), ...range };
    const small = { path: join(work, 'small.nut'), ...range, width: 80, height: 48, encode: { ...h264, crf: 10 } };
    await engine.renderOutputs(bytesOf(timeline), [], { segments: [{ ...whole, encode: { ...h264, crf: 10 } }, small] });
    for (const { path } of [whole, small]) await engine.stitch({ segmentPaths: [path], outputPath: `${path}.mp4` });
    expect(ffprobe(`${small.path}.mp4`).streams[0]).toMatchObject({ width: 80, height: 48 });
    await ffmpeg('-i', `${whole.path}.mp4`, '-vf', 'scale=80:48:flags=lanczos', '-c:v', 'libx264', '-qp', '0', join(folder, 'reference.mp4'));
    const [reference, scaled] = await Promise.all([join(folder, 'reference.mp4'), `${small.path}.mp4`].map((path) => decodeFrames(path, 'gray')));
    expect(scaled?.frames).toHaveLength(range.end - range.first);
    for (const [index, frame] of (scaled?.frames ?? []).entries()) expect(psnr(frame, reference?.frames[index] ?? frame)).toBeGreaterThan(35);
  });

  it('report an encoder that does not open without failing the outputs', async () => {
    const still = output('still.png', { format: 'png' });
    const segments = [{ path: join(work, 'bad.nut'), first: 0, end: SCENE, encode: { ...h264, crf: 60 } }];
    const made = await engine.renderOutputs(bytesOf(movie()), [still], { segments });
    expect(made.segments[0]).toBeInstanceOf(AppError);
    expect(ffprobe(still.path).streams[0]).toMatchObject({ width: WIDTH });
  });

  it('are checked', async () => {
    const renderWith = (...segments: OutputSegmentSpec[]) => engine.renderOutputs(bytesOf(movie()), [], { segments });
    const path = join(work, 'x.nut');
    await expect(renderWith({ path, first: 0, end: 99 })).rejects.toThrow(/segments\[0\]\.end: must be an integer from 1 to 60/);
    await expect(renderWith({ path, first: 0, end: 9, width: 81 })).rejects.toThrow(/segments\[0\]: needs an even width and height/);
    await expect(renderWith({ path, first: 0, end: 9 }, { path: `${path}2`, first: 5, end: 12 })).rejects.toThrow(/equal ranges where they overlap/);
  });
});

it('transparent frames are the same on the CPU and on a graphics device', async () => {
  // Not sandboxed, so that it finds the software device.
  const unconfined = createEngine();
  const frames = async (compositor: 'cpu' | 'vulkan'): Promise<Buffer[]> => {
    const path = join(work, `${compositor}.webm`);
    await unconfined.renderOutputs(bytesOf({ ...movie('#00000000'), compositor }), [{ path, format: 'webm', alpha: true, first: 15, end: 35 }]);
    const planes = ['-c:v', 'libvpx-vp9', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'yuva420p', '-'];
    const bytes = execFileSync('ffmpeg', ['-v', 'error', ...planes]);
    const size = WIDTH * HEIGHT * 2.5;
    return Array.from({ length: bytes.length / size }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
  };
  const [cpu, vulkan] = [await frames('cpu'), await frames('vulkan')];
  expect(vulkan).toHaveLength(20);
  for (const [index, frame] of vulkan.entries()) expect(frame.equals(cpu[index] ?? frame), `frame ${index}`).toBe(true);
}, 120_000);

it('an output that fails ends the others early', async () => {
  const timeline = movie();
  const x = [
    { frame: 0, value: 0 },
    { frame: 4000, value: 60 },
  ];
  const clips = timeline.sections[0]?.clips.map((clip) => ({ ...clip, frames: 4000, x }));
  const long = { ...timeline, canvas: { ...timeline.canvas, frames: 4000 }, sections: [{ ...timeline.sections[0], frames: 4000, clips }] };
  const tooLarge: OutputFileSpec = { path: join(folder, 'b.gif'), format: 'gif', first: 0, end: 2, maxBytes: 20 };
  const other: OutputFileSpec = { path: join(folder, 'b.webm'), format: 'webm', fps: { num: 15, den: 1 } };
  let composed = 0;
  const onProgress = (done: number): void => {
    composed = done;
  };
  await expect(engine.renderOutputs(bytesOf(long), [tooLarge, other], { onProgress })).rejects.toThrow(/bytes/);
  expect(composed).toBeLessThan(4000);
}, 60_000);
