import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputFileSpec } from '../../../src/contract/index.js';
import type { EngineProcess } from '../../../src/engine/index.js';
import { startTestEngine } from '../../support/engine-process.js';
import { ffmpeg, ffprobe } from '../../support/ffmpeg.js';

const folder = mkdtempSync(join(tmpdir(), 'render-outputs-'));
const work = join(folder, 'work');
const media = join(folder, 'media');
const [WIDTH, HEIGHT, FRAMES, FPS] = [160, 96, 30, 15];
const mix = join(work, 'mix.wav');
let engine: EngineProcess;

/** A soft disc that stands, then moves, on a transparent canvas. */
const timeline = (background = '#00000000'): Buffer =>
  Buffer.from(
    JSON.stringify({
      version: 1,
      canvas: { width: WIDTH, height: HEIGHT, fps: { num: FPS, den: 1 }, frames: FRAMES },
      sources: [
        { kind: 'image', path: join(media, 'disc.png'), label: 'disc' },
        { kind: 'audio', path: join(media, 'sweep.wav'), label: 'sweep' },
      ],
      under: [],
      sections: [
        {
          label: 'scene_1',
          start: 0,
          frames: FRAMES,
          background,
          clips: [
            {
              source: 0,
              start: 0,
              frames: FRAMES,
              box: { x: 0, y: 0, width: WIDTH, height: HEIGHT },
              x: [
                { frame: 10, value: 0 },
                { frame: 20, value: 20 },
              ],
            },
          ],
        },
      ],
      over: [],
      audio: [{ source: 1, start: 0, frames: FRAMES, gain: 1, media: { in: 0 } }],
      encode: { encoder: 'libx264', preset: 'veryfast', crf: 20, keyframeSeconds: 5, audioBitrate: 128000 },
    }),
  );

const inFolder = (name: string): string => join(folder, name);
const render = async (...outputs: OutputFileSpec[]) => (await engine.renderOutputs(timeline(), outputs)).outputs;

/** Keeps the chroma of each pixel of 4:4:4, which ffmpeg halves by default. */
const toRgba = ['-vf', 'scale=flags=full_chroma_int+full_chroma_inp+accurate_rnd,format=rgba'];

/** Straight RGBA frames, decoded by ffmpeg. */
function decoded(path: string, ...input: string[]): Buffer[] {
  const bytes = execFileSync('ffmpeg', ['-v', 'error', ...input, '-i', path, ...toRgba, '-f', 'rawvideo', '-'], { maxBuffer: 1 << 28 });
  const size = WIDTH * HEIGHT * 4;
  return Array.from({ length: bytes.length / size }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

const psnr = (squares: number, count: number): number => (squares === 0 ? 99 : 10 * Math.log10((255 * 255 * count) / squares));

/** PSNR of the colors over a checkerboard, and of the alpha channel. */
function similarity(a: Buffer, b: Buffer): { color: number; alpha: number } {
  let [color, alpha] = [0, 0];
  for (let pixel = 0; pixel < WIDTH * HEIGHT; ++pixel) {
    const board = ((((pixel % WIDTH) >> 3) + (Math.floor(pixel / WIDTH) >> 3)) & 1) * 105 + 100;
    const [alphaA = 0, alphaB = 0] = [a[4 * pixel + 3], b[4 * pixel + 3]];
    alpha += (alphaA - alphaB) ** 2;
    for (let channel = 0; channel < 3; ++channel) {
      const [colorA = 0, colorB = 0] = [a[4 * pixel + channel], b[4 * pixel + channel]];
      color += ((colorA * alphaA + board * (255 - alphaA) - colorB * alphaB - board * (255 - alphaB)) / 255) ** 2;
    }
  }
  return { color: psnr(color, WIDTH * HEIGHT * 3), alpha: psnr(alpha, WIDTH * HEIGHT) };
}

function expectSimilar(frames: readonly Buffer[], reference: readonly Buffer[], decibels = 45): void {
  expect(frames).toHaveLength(reference.length);
  for (const [index, frame] of frames.entries()) {
    const { color, alpha } = similarity(frame, reference[index] ?? frame);
    expect(color, `color of frame ${index}`).toBeGreaterThan(decibels);
    expect(alpha, `alpha of frame ${index}`).toBeGreaterThan(decibels);
  }
}

function samplesOf(path: string): Float32Array {
  const bytes = execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-map', '0:a', '-f', 'f32le', '-ac', '1', '-ar', '48000', '-'], { maxBuffer: 1 << 28 });
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

beforeAll(async () => {
  mkdirSync(work);
  mkdirSync(media);
  const disc = "geq=r='128+100*sin(X/30)':g='128+100*cos(Y/25)':b='200-X':a='clip(255*(1.4-hypot(X-80,Y-48)/40),0,255)'";
  await ffmpeg('-f', 'lavfi', '-i', `color=white:s=${WIDTH}x${HEIGHT},format=rgba,${disc}`, '-frames:v', '1', join(media, 'disc.png'));
  await ffmpeg('-f', 'lavfi', '-i', 'aevalsrc=0.4*sin(2*PI*(300+700*t)*t)|0.4*sin(2*PI*(300+700*t)*t):s=48000:d=3', join(media, 'sweep.wav'));
  engine = startTestEngine(work, { readable: [media] });
  await engine.renderAudio(timeline(), mix);
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

describe('several outputs of one composition', () => {
  it('keep transparency: PNG, APNG, WebP, VP9 and ProRes 4444', async () => {
    const paths = { png: inFolder('a.png'), apng: inFolder('a.apng'), webp: inFolder('a.webp'), webm: inFolder('a.webm'), mov: inFolder('a.mov') };
    const progress: number[] = [];
    const { outputs } = await engine.renderOutputs(
      timeline(),
      [
        { path: paths.png, format: 'png', alpha: true },
        { path: paths.apng, format: 'apng', alpha: true },
        { path: paths.webp, format: 'webp-still', alpha: true, crf: 0 },
        { path: paths.webm, format: 'webm', alpha: true, crf: 4 },
        { path: paths.mov, format: 'mov', alpha: true },
      ],
      { onProgress: (done) => progress.push(done) },
    );
    expect(progress.at(-1)).toBe(FRAMES);
    expect(outputs.map(({ path, bytes }) => [path, bytes])).toEqual(Object.values(paths).map((path) => [path, statSync(path).size]));
    expect(outputs[1]).toMatchObject({ frames: FRAMES, width: WIDTH, height: HEIGHT, durationSeconds: FRAMES / FPS });
    const composed = decoded(paths.apng, '-f', 'apng', '-r', String(FPS));
    expectSimilar(decoded(join(media, 'disc.png')), composed.slice(0, 1));
    expectSimilar(decoded(paths.png), composed.slice(0, 1), 98);
    expectSimilar(decoded(paths.webp), composed.slice(0, 1), 98);
    const constantRate = composed.length === FRAMES ? composed : decoded(paths.mov);
    expectSimilar(decoded(paths.webm, '-c:v', 'libvpx-vp9'), constantRate);
    expectSimilar(decoded(paths.mov), constantRate);
    expect(ffprobe(paths.mov).streams[0]).toMatchObject({ codec_name: 'prores', profile: '4444', color_space: 'bt709', nb_frames: String(FRAMES) });
  });

  it('keep one-pixel stripes of saturated colors in every format that stores the color of each pixel', async () => {
    const stripes = join(media, 'stripes.png');
    const colors = "geq=r='255*mod(X,2)':g='255*mod(Y,2)':b='255-255*mod(X,2)':a='clip(255*(1.4-hypot(X-80,Y-48)/40),0,255)'";
    await ffmpeg('-f', 'lavfi', '-i', `color=white:s=${WIDTH}x${HEIGHT},format=rgba,${colors}`, '-frames:v', '1', stripes);
    const striped = Buffer.from(timeline().toString().replace('disc.png', 'stripes.png'));
    const files: OutputFileSpec[] = [
      { path: inFolder('s.png'), format: 'png', alpha: true },
      { path: inFolder('s.apng'), format: 'apng', alpha: true },
      { path: inFolder('still.webp'), format: 'webp-still', alpha: true, crf: 0 },
      { path: inFolder('s.mov'), format: 'mov', codec: 'prores-4444', alpha: true },
    ];
    await engine.renderOutputs(striped, files);
    for (const { path } of files) expectSimilar(decoded(path).slice(0, 1), decoded(stripes));
  });

  it('have the chroma of ProRes at the height of its luma', async () => {
    const halves = join(media, 'halves.png');
    const path = inFolder('halves.mov');
    await ffmpeg(
      '-f',
      'lavfi',
      '-i',
      `color=red:s=${WIDTH}x${HEIGHT / 2}[top];color=blue:s=${WIDTH}x${HEIGHT / 2}[low];[top][low]vstack`,
      '-frames:v',
      '1',
      halves,
    );
    for (const codec of ['prores-422', 'prores-4444'] as const) {
      await engine.renderOutputs(Buffer.from(timeline('#000000ff').toString().replace('disc.png', 'halves.png')), [{ path, format: 'mov', codec }]);
      const planes = ['-frames:v', '1', '-vf', 'extractplanes=v', '-f', 'rawvideo', '-pix_fmt', 'gray10le', '-'];
      const bytes = execFileSync('ffmpeg', ['-v', 'error', '-i', path, ...planes]);
      const width = bytes.length / 2 / HEIGHT;
      const rows = [0, 47, 48, HEIGHT - 1].map((row) => bytes.readUInt16LE((row * width + width / 2) * 2));
      const [top = 0, above = 0, below = 0, low = 0] = rows;
      expect(top - low, `${codec}: ${rows}`).toBeGreaterThan(400);
      expect(Math.abs(top - above - (below - low)), `${codec}: ${rows}`).toBeLessThan(12);
    }
  });

  it('show the matte where alpha is not kept, in the colors of BT.709', async () => {
    const codecs = [
      { format: 'mp4', codec: 'h264' },
      { format: 'mp4', codec: 'hevc' },
      { format: 'webm', codec: 'av1' },
      { format: 'mov', codec: 'prores-422' },
    ] as const;
    const files = codecs.map((codec) => ({ ...codec, path: inFolder(`matte-${codec.codec}.${codec.format}`), matte: '#20a0e0', crf: 10 }));
    await render(...files, { path: inFolder('matte.png'), format: 'png', matte: '#20a0e0' });
    const [reference] = decoded(inFolder('matte.png'));
    expect([...(reference?.subarray(0, 4) ?? [])]).toEqual([0x20, 0xa0, 0xe0, 255]);
    for (const { path } of files) {
      const [video] = ffprobe(path).streams;
      expect(video).toMatchObject({ color_range: 'tv', color_space: 'bt709', color_transfer: 'bt709', color_primaries: 'bt709' });
      expectSimilar(decoded(path).slice(0, 1), reference === undefined ? [] : [reference], 36);
    }
  });

  it('have their own size, rate and range', async () => {
    const [small, part] = await render(
      { path: inFolder('small.mp4'), format: 'mp4', width: 80, height: 48, fps: { num: 5, den: 1 } },
      { path: inFolder('part.mp4'), format: 'mp4', first: 10, end: 20, fps: { num: 30, den: 1 } },
    );
    expect(small).toMatchObject({ frames: 10, width: 80, height: 48, durationSeconds: 2 });
    expect(part).toMatchObject({ frames: 20, width: WIDTH, durationSeconds: 2 / 3 });
    expect(ffprobe(inFolder('small.mp4')).streams[0]).toMatchObject({ width: 80, height: 48, nb_frames: '10', avg_frame_rate: '5/1' });
  });

  it('have audio in step with the mix, in every codec', async () => {
    const audio = (codec: NonNullable<OutputFileSpec['audio']>['codec']) => ({ path: mix, codec });
    await render(
      { path: inFolder('s.webm'), format: 'webm', audio: audio('opus') },
      { path: inFolder('s.mov'), format: 'mov', audio: audio('pcm') },
      { path: inFolder('s.mp4'), format: 'mp4', audio: audio('aac') },
      { path: inFolder('s.mp3'), format: 'mp3', audio: audio('mp3') },
      { path: inFolder('s.m4a'), format: 'm4a', audio: audio('aac') },
      { path: inFolder('s.opus'), format: 'opus', audio: audio('opus') },
      { path: inFolder('s.flac'), format: 'flac', audio: audio('flac') },
      { path: inFolder('s.wav'), format: 'wav', audio: audio('pcm') },
    );
    const reference = samplesOf(mix);
    expect(reference).toHaveLength((FRAMES / FPS) * 48000);
    for (const name of ['s.webm', 's.mov', 's.mp4', 's.mp3', 's.m4a', 's.opus', 's.flac', 's.wav']) {
      const samples = samplesOf(inFolder(name));
      expect(Math.abs(samples.length - reference.length), name).toBeLessThan(1024);
      let [error, power] = [0, 0];
      for (let i = 2000; i < 90_000; ++i) {
        error += ((samples[i] ?? 0) - (reference[i] ?? 0)) ** 2;
        power += (reference[i] ?? 0) ** 2;
      }
      // A shift by one sample at 1.5 kHz is an error of 20 %.
      expect(Math.sqrt(error / power), name).toBeLessThan(0.06);
    }
    for (const stream of ffprobe(inFolder('s.webm')).streams) expect(Math.abs(Number(stream.start_time))).toBeLessThan(0.008);
    expect(ffprobe(inFolder('s.webm')).streams[0]).toMatchObject({ start_time: '0.000000' });
  });

  it('fit into maxBytes, or fail with the size that was reached', async () => {
    for (const format of ['gif', 'webp', 'apng', 'jpeg'] as const) {
      const [plain] = await render({ path: inFolder(`plain.${format}`), format });
      const maxBytes = Math.round((plain?.bytes ?? 0) / 2);
      const [fitted] = await render({ path: inFolder(`fitted.${format}`), format, maxBytes });
      expect(fitted?.bytes).toBeLessThanOrEqual(maxBytes);
    }
    await expect(render({ path: inFolder('tiny.gif'), format: 'gif', maxBytes: 100 })).rejects.toThrow('does not fit into 100 bytes');
  });

  it('are animations that end when the timeline ends', async () => {
    await render({ path: inFolder('loop.gif'), format: 'gif', alpha: true }, { path: inFolder('loop.webp'), format: 'webp', alpha: true });
    const composed = decoded(inFolder('a.mov'));
    const shown = decoded(inFolder('loop.gif'), '-r', String(FPS)).at(-1);
    const last = composed.at(-1);
    for (let i = 3; last !== undefined && i < last.length; i += 4) {
      const [exact = 0, isShown = 0] = [last[i], shown?.[i]];
      if (Math.abs(exact - 128) > 8) expect(isShown > 127).toBe(exact > 127);
    }
    const bytes = readFileSync(inFolder('loop.gif'));
    expect(bytes.includes(Buffer.from('NETSCAPE2.0'))).toBe(true);
    const probe = await engine.probe(await copied('loop.webp'));
    expect(probe).toMatchObject({ container: 'webp', width: WIDTH, height: HEIGHT, durationSeconds: FRAMES / FPS, plays: 0 });
  });

  it('leave no file behind after a failure or a cancellation', async () => {
    const before = [...readdirSync(folder), ...readdirSync(work)];
    const fine: OutputFileSpec = { path: inFolder('fine.mp4'), format: 'mp4' };
    const missing: OutputFileSpec = { path: inFolder('none.mp3'), format: 'mp3', audio: { path: join(work, 'none.wav'), codec: 'mp3' } };
    await expect(render(fine, missing)).rejects.toThrow('WAV file cannot be read');
    const controller = new AbortController();
    const slow: OutputFileSpec = { path: inFolder('slow.webm'), format: 'webm', alpha: true };
    const cancelled = engine.renderOutputs(timeline(), [slow], { signal: controller.signal, onProgress: () => controller.abort(new Error('stop')) });
    await expect(cancelled).rejects.toThrow('stop');
    expect([...readdirSync(folder), ...readdirSync(work)]).toEqual(before);
  });

  it.each([
    [{ path: '/a.webm', format: 'webm', codec: 'h264' }, 'outputs[0].codec'],
    [{ path: '/a.mp4', format: 'mp4', width: 81 }, 'even width and height'],
    [{ path: '/a.mp4', format: 'mp4', end: FRAMES + 1 }, 'outputs[0].end'],
    [{ path: '/a.png', format: 'png', first: 3, end: 5 }, 'first + 1'],
    [{ path: '/a.mp4', format: 'mp4', alpha: true }, 'no alpha'],
    [{ path: '/a.png', format: 'png', maxBytes: 10 }, 'only for gif'],
    [{ path: '/a.mp3', format: 'mp3' }, 'outputs[0].audio'],
  ] as const)('are rejected with the member that is invalid: %j', async (output, reason) => {
    await expect(engine.renderOutputs(timeline(), [output])).rejects.toMatchObject({ detail: expect.stringContaining(reason) });
  });
});

/** The engine reads its own folders only. */
async function copied(name: string): Promise<string> {
  const path = join(work, name);
  await ffmpeg('-f', 'data', '-i', inFolder(name), '-map', '0', '-c', 'copy', '-f', 'data', path);
  return path;
}
