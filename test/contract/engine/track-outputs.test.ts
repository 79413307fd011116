import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputFileSpec } from '../../../src/contract/index.js';
import type { EngineProcess } from '../../../src/engine/index.js';
import { readCmafTrack } from '../../../src/render/outputs/streams/cmaf-track.js';
import { startTestEngine } from '../../support/engine-process.js';
import { ffmpeg, ffprobe } from '../../support/ffmpeg.js';

/** Fragmented files, tracks of streams, ten bits and sequences of stills, read by ffprobe and decoded by ffmpeg. */

const folder = mkdtempSync(join(tmpdir(), 'track-outputs-'));
const work = join(folder, 'work');
const [WIDTH, HEIGHT, FRAMES, FPS] = [320, 180, 130, 25];
const mix = join(work, 'mix.wav');
const inFolder = (name: string): string => join(folder, name);
let engine: EngineProcess;

/** A clip with a cut after 1.2 s, where encoders would like to place a key frame. */
const timeline = (): Buffer =>
  Buffer.from(
    JSON.stringify({
      version: 1,
      canvas: { width: WIDTH, height: HEIGHT, fps: { num: FPS, den: 1 }, frames: FRAMES },
      sources: [
        { kind: 'video', path: join(work, 'clip.mp4'), label: 'clip' },
        { kind: 'audio', path: join(work, 'tone.wav'), label: 'tone' },
      ],
      under: [],
      sections: [
        {
          label: 'scene_1',
          start: 0,
          frames: FRAMES,
          background: '#000000ff',
          clips: [{ source: 0, start: 0, frames: FRAMES, box: { x: 0, y: 0, width: WIDTH, height: HEIGHT }, media: { in: 0 } }],
        },
      ],
      over: [],
      audio: [{ source: 1, start: 0, frames: FRAMES, gain: 1, media: { in: 0 } }],
      encode: { encoder: 'libx264', preset: 'veryfast', crf: 20, keyframeSeconds: 5, audioBitrate: 128000 },
    }),
  );

const render = (...outputs: OutputFileSpec[]) => engine.renderOutputs(timeline(), outputs);

/** Times of the packets of a file, by ffprobe. */
const packets = (path: string): Array<{ dts: number; isKey: boolean }> =>
  execFileSync('ffprobe', ['-v', 'error', '-show_entries', 'packet=dts_time,flags', '-of', 'csv=p=0', path], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.split(','))
    .map(([time, flags]) => ({ dts: Number(time), isKey: flags?.startsWith('K') === true }));

/** What the header and one segment decode to, as a player reads them. */
const decodedFrames = (bytes: Buffer): number =>
  Number(
    execFileSync('ffprobe', ['-v', 'error', '-count_frames', '-show_entries', 'stream=nb_read_frames', '-of', 'csv=p=0', '-'], {
      input: bytes,
      encoding: 'utf8',
    }).trim(),
  );

beforeAll(async () => {
  mkdirSync(work);
  const cut = 'testsrc2=s=320x180:r=25:d=1.2[a];mandelbrot=s=320x180:r=25[b];[a][b]concat=n=2,format=yuv420p';
  await ffmpeg('-f', 'lavfi', '-i', cut, '-t', '6', '-c:v', 'libx264', '-crf', '12', join(work, 'clip.mp4'));
  await ffmpeg('-f', 'lavfi', '-i', 'sine=440:r=48000:d=6', '-ac', '2', join(work, 'tone.wav'));
  engine = startTestEngine(work, { readable: [work] });
  await engine.renderAudio(timeline(), mix);
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

describe('tracks', () => {
  it.each([
    ['h264', /^avc1\.[0-9a-f]{6}$/],
    ['hevc', /^hvc1\.1\.6\.L\d+(\.[0-9A-F]+)*$/],
    ['av1', /^av01\.0\.\d{2}M\.08$/],
  ] as const)('of %s begin a segment with a key frame at every boundary, and nowhere else', async (codec, codecString) => {
    const sizes = [320, 160] as const;
    await render(
      ...sizes.map((width) => ({
        path: inFolder(`${codec}-${width}.mp4`),
        format: 'mp4' as const,
        codec,
        width,
        height: (width * 9) / 16,
        fragmentSeconds: 2,
        timestampOffset: 4 / FPS,
        maxBitrate: 2_000_000,
      })),
    );
    for (const width of sizes) {
      const path = inFolder(`${codec}-${width}.mp4`);
      const track = await readCmafTrack(path);
      expect(track.codec).toMatch(codecString);
      expect(track.segments.map(({ durationSeconds }) => durationSeconds)).toEqual([2, 2, expect.closeTo(1.2, 3)]);
      const shown = packets(path);
      expect(shown).toHaveLength(FRAMES);
      // ffprobe adds the reordering delay to timestamps with negative offsets; the others are as written.
      const [first = 0] = shown.map(({ dts }) => dts);
      expect(first).toBe(0.16);
      expect(shown.filter(({ isKey }) => isKey).map(({ dts }) => dts - first)).toEqual([0, 2, 4]);
      const bytes = readFileSync(path);
      expect(bytes.includes('elst')).toBe(false);
      const part = ({ offset, size }: { offset: number; size: number }): Buffer => bytes.subarray(offset, offset + size);
      const [, second] = track.segments;
      expect(decodedFrames(Buffer.concat([part(track.header), second === undefined ? Buffer.alloc(0) : part(second)]))).toBe(50);
      const last = track.segments.at(-1);
      expect((last?.offset ?? 0) + (last?.size ?? 0)).toBe(track.sizeBytes);
    }
  });

  it('of AAC have segments of the same length within a frame, however many there are', async () => {
    await render({ path: inFolder('sound.mp4'), format: 'm4a', fragmentSeconds: 0.5, timestampOffset: 0.16, audio: { path: mix, codec: 'aac' } });
    const { codec, segments } = await readCmafTrack(inFolder('sound.mp4'));
    expect(codec).toBe('mp4a.40.2');
    expect(segments).toHaveLength(11);
    // The first one has the samples before the first frame, too.
    let end = -1024 / 48000;
    for (const [index, { durationSeconds }] of segments.slice(0, -1).entries()) {
      end += durationSeconds;
      expect(Math.abs(end - 0.5 * (index + 1))).toBeLessThan(1024 / 48000);
    }
    const [sound] = ffprobe(inFolder('sound.mp4')).streams;
    // The first packet has the samples before the first one.
    expect(Number(sound?.start_time)).toBeCloseTo(0.16 - 1024 / 48000, 4);
  });
});

describe('files', () => {
  it('are fragmented with picture and sound', async () => {
    await render({ path: inFolder('both.mp4'), format: 'mp4', fragmentSeconds: 1, audio: { path: mix, codec: 'aac' } });
    const text = readFileSync(inFolder('both.mp4')).toString('latin1');
    expect(text.split('moof').length - 1).toBeGreaterThanOrEqual(6);
    const { streams } = ffprobe(inFolder('both.mp4'));
    // The sound begins with a frame that decoders discard.
    expect(streams.map(({ codec_name, start_time }) => [codec_name, Number(start_time)])).toEqual([
      ['h264', 0],
      ['aac', expect.closeTo(-1024 / 48000, 5)],
    ]);
    expect(packets(inFolder('both.mp4')).length).toBeGreaterThan(FRAMES);
  });

  it.each(['hevc', 'av1'] as const)('of %s have ten bits', async (codec) => {
    await render({ path: inFolder(`ten-${codec}.mp4`), format: 'mp4', codec, bitDepth: 10 });
    expect(ffprobe(inFolder(`ten-${codec}.mp4`)).streams[0]).toMatchObject({ pix_fmt: 'yuv420p10le', nb_frames: String(FRAMES) });
  });

  it('are a sequence of stills, one for each frame', async () => {
    for (const format of ['png', 'jpeg', 'webp-still'] as const) {
      const stills = join(work, `stills-${format}`);
      mkdirSync(stills);
      await render({ path: stills, format, sequence: true, fps: { num: 5, den: 1 }, width: 80, height: 45 });
      const extension = { png: 'png', jpeg: 'jpg', 'webp-still': 'webp' }[format];
      expect(readdirSync(stills)).toEqual(Array.from({ length: 26 }, (_, index) => `frame-${String(index + 1).padStart(6, '0')}.${extension}`));
      expect(ffprobe(join(stills, `frame-000026.${extension}`)).streams[0]).toMatchObject({ width: 80, height: 45 });
    }
  });

  it.each([
    [{ path: '/a.webm', format: 'webm', fragmentSeconds: 2 }, 'only for mp4 and m4a'],
    [{ path: '/a.mp4', format: 'mp4', sequence: true }, 'only for png'],
    [{ path: '/a.mp4', format: 'mp4', bitDepth: 10 }, 'with hevc, av1, prores'],
    [{ path: '/a.png', format: 'png', maxBitrate: 100_000 }, 'only for webm, mov and mp4'],
  ] as const)('are rejected with the member that is invalid: %j', async (output, reason) => {
    await expect(engine.renderOutputs(timeline(), [output as OutputFileSpec])).rejects.toThrow(reason);
  });
});
