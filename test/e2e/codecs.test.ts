import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withLocalRender } from '../../src/cli/local-render.js';
import { loadConfig } from '../../src/config/index.js';
import type { Engine } from '../../src/engine/index.js';
import { AppError } from '../../src/errors/index.js';
import { type EncoderFallback, type RenderContext, type RenderOutput, renderMovie } from '../../src/render/index.js';
import { renderScript, runCli, temporaryFolder } from '../support/cli.js';
import { decodeFrames, ffmpeg, ffprobe } from '../support/ffmpeg.js';

const FRAMES = 30;
const SIZE = { width: 160, height: 96 };

let folder: { path: string; remove: () => Promise<void> };
beforeAll(async () => {
  folder = await temporaryFolder();
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=320x192', '-frames:v', '1', join(folder.path, 'photo.png'));
  await ffmpeg('-f', 'lavfi', '-i', 'sine=330', '-t', '3', join(folder.path, 'tone.wav'));
});
afterAll(() => folder.remove());

const movie = (fields: object = {}): object => ({
  ...SIZE,
  fps: 25,
  elements: [{ type: 'audio', src: 'tone.wav', duration: -2 }],
  scenes: ['#204060', '#806020', '#207040'].map((background) => ({
    duration: 0.4,
    background,
    elements: [{ type: 'image', src: 'photo.png', width: 100, height: 60, x: 20, y: 10, zoom: 3 }],
  })),
  ...fields,
});

/** Peak signal to noise of the luma of all frames, in dB. */
function psnr(a: Uint8Array, b: Uint8Array): number {
  expect(a.length).toBe(b.length);
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += ((a[i] ?? 0) - (b[i] ?? 0)) ** 2;
  return 10 * Math.log10((255 * 255 * a.length) / Math.max(sum, 1));
}

async function luma(path: string): Promise<Buffer> {
  return Buffer.concat((await decodeFrames(path, 'gray')).frames);
}

describe('the codec of a movie', () => {
  it.each([
    ['hevc', 'hvc1'],
    ['av1', 'av01'],
  ])('%s shows what h264 shows, frame by frame, with its sound', async (codec, tag) => {
    const plain = await renderScript(movie(), folder.path, { name: `plain-for-${codec}` });
    const other = await renderScript(movie({ codec }), folder.path, { name: codec });
    const streams: object[] = ffprobe(other).streams;
    expect(streams).toMatchObject([{ codec_name: codec }, { codec_name: 'aac' }]);
    expect(streams[0]).toMatchObject({ codec_tag_string: tag, nb_frames: String(FRAMES), r_frame_rate: '25/1', color_space: 'bt709' });
    const [expected, seen] = [await luma(plain), await luma(other)];
    expect(seen.length).toBe(SIZE.width * SIZE.height * FRAMES);
    expect(psnr(expected, seen)).toBeGreaterThan(32);
  });

  it.each([
    ['h265', /^codec must be one of "h264", "hevc", "av1", not "h265"/],
    ['vp8', /^codec must be one of "h264", "hevc", "av1", not "vp8"/],
  ])('%s is refused by name', async (codec, message) => {
    await expect(renderWith({ codec }, {})).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_ERROR', path: 'codec', message: expect.stringMatching(message) });
  });
});

/** Renders with the real engine, with some parts replaced. */
async function renderWith(
  fields: object,
  changes: (Partial<RenderContext> & { around?: (engine: Engine) => Partial<Engine> }) | object,
): Promise<RenderOutput> {
  const { around, ...parts } = changes as { around?: (engine: Engine) => Partial<Engine> } & Partial<RenderContext>;
  const outputPath = join(folder.path, 'fallback.mp4');
  return withLocalRender(join(folder.path, 'movie.json'), loadConfig({}), (own, workDir) => {
    const engine = around === undefined ? own.engine : changed(own.engine, around(own.engine));
    const request = { script: movie(fields), workDir, outputPath, signal: new AbortController().signal, onProgress: () => {} };
    return renderMovie(request, { ...own, ...parts, engine });
  });
}

function changed(engine: Engine, changes: Partial<Engine>): Engine {
  return new Proxy(engine, {
    get(target, name) {
      if (Object.hasOwn(changes, name)) return changes[name as keyof Engine];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** The host reports NVENC, but the engine cannot open it. */
const chosen = {
  select: async () => 'h264_nvenc' as const,
  variantOf: async () => undefined,
  checkRequired: async () => {},
  invalidate: () => {},
  requiresHardware: false,
};

const encoderOfDocument = (timeline: Uint8Array): string => (JSON.parse(Buffer.from(timeline).toString()) as { encode: { encoder: string } }).encode.encoder;

/** A fake hardware encoder: x264 with other headers, which fails as given after the first section. */
function failingHardware(asked: string[], detail: string, failures = Number.POSITIVE_INFINITY) {
  let failed = 0;
  return (engine: Engine): Partial<Engine> => ({
    renderSegment: async (timeline, range, path, options) => {
      const encoder = encoderOfDocument(timeline);
      asked.push(`${encoder} ${asked.length}`);
      if (encoder !== 'h264_nvenc') return engine.renderSegment(timeline, range, path, options);
      if (asked.length > 1 && failed < failures) {
        failed++;
        throw new AppError('RENDER_FAILED', { message: 'the encoder rejected a frame', detail });
      }
      const document = JSON.parse(Buffer.from(timeline).toString()) as { encode: object };
      const placeholder = { ...document, encode: { ...document.encode, encoder: 'libx264', preset: 'medium' } };
      return engine.renderSegment(Buffer.from(JSON.stringify(placeholder)), range, path, options);
    },
  });
}

describe('a hardware encoder', () => {
  it('that cannot be opened is replaced in the same render', async () => {
    const fallbacks: EncoderFallback[] = [];
    const output = await renderWith({}, { encoders: chosen, onFallback: (fallback: EncoderFallback) => fallbacks.push(fallback) });
    expect(fallbacks).toMatchObject([{ from: 'h264_nvenc', to: 'libx264', reason: 'unavailable' }]);
    // The library's own words.
    expect(fallbacks[0]?.detail).toMatch(/^ENCODER_UNAVAILABLE: .*\[.*(libcuda|nvenc|built|device)/i);
    expect(output).toMatchObject({ frames: FRAMES, encoder: 'libx264' });
    expect(output.warnings).toEqual(['h264_nvenc could not be opened; the video was encoded with libx264 instead.']);
  });

  it('that fails in the middle is replaced for the whole file', async () => {
    const asked: string[] = [];
    const output = await renderWith({}, { encoders: chosen, around: failingHardware(asked, 'ENCODE_FAILED: the encoder rejected a frame [driver reset]') });
    expect(asked).toEqual(['h264_nvenc 0', 'h264_nvenc 1', 'libx264 2', 'libx264 3', 'libx264 4']);
    expect(output.warnings).toEqual(['h264_nvenc stopped working during the render; the video was encoded with libx264 instead.']);
    const plain = await renderScript(movie(), folder.path, { name: 'plain-for-fallback' });
    expect(psnr(await luma(plain), await luma(join(folder.path, 'fallback.mp4')))).toBeGreaterThan(45);
  });

  it('is awaited while all its sessions are in use', async () => {
    const asked: string[] = [];
    const busy = failingHardware(asked, 'ENCODER_BUSY: all sessions of h264_nvenc are in use', 2);
    const output = await renderWith({}, { encoders: chosen, around: busy, sessionRetryDelaysMs: [1, 1, 1] });
    expect(asked.every((name) => name.startsWith('h264_nvenc'))).toBe(true);
    expect(asked.length).toBe(5);
    expect(output).toMatchObject({ encoder: 'h264_nvenc', warnings: [] });
  });

  it('is replaced when no session becomes free in time', async () => {
    const asked: string[] = [];
    const busy = failingHardware(asked, 'ENCODER_BUSY: all sessions of h264_nvenc are in use');
    const output = await renderWith({}, { encoders: chosen, around: busy, sessionRetryDelaysMs: [1, 1] });
    expect(asked.filter((name) => name.startsWith('h264_nvenc')).length).toBe(4);
    expect(output.warnings).toEqual(['h264_nvenc had no session free; the video was encoded with libx264 instead.']);
  });
});

it('the command line refuses an encoder that cannot be opened and reports why', async () => {
  const script = join(folder.path, 'for-no-encoder.json');
  await writeFile(script, JSON.stringify(movie()));
  const result = await runCli(['render', script, '-o', join(folder.path, 'no.mp4')], { env: { FRAMEWRIGHT_ENCODER: 'vaapi' } });
  expect(result.code).not.toBe(0);
  expect(result.stderr).toMatch(/FRAMEWRIGHT_ENCODER is vaapi, which cannot be opened on this host \(h264_vaapi: .+; hevc_vaapi: .+\)/);
  const doctor = await runCli(['doctor', '--json'], { env: { FRAMEWRIGHT_ENCODER: 'vaapi' } });
  expect(doctor.stdout).toContain('FRAMEWRIGHT_ENCODER is vaapi, which cannot be opened on this host');
});
