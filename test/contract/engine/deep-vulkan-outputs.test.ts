import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OutputFileSpec } from '../../../src/contract/index.js';
import { type Composition, createEngine } from '../../../src/engine/index.js';

const folder = mkdtempSync(join(tmpdir(), 'deep-vulkan-outputs-'));
const media = join(folder, 'media');
const [WIDTH, HEIGHT, FRAMES, FPS] = [320, 180, 12, 12];
const HALF = FRAMES / 2;
// Not sandboxed, so that it finds the software device.
const engine = createEngine();

const ffmpeg = (...args: string[]): Buffer => execFileSync('ffmpeg', ['-v', 'error', ...args], { maxBuffer: 1 << 28 });

beforeAll(() => {
  mkdirSync(media);
  const colors = ['-color_primaries', 'bt2020', '-color_trc', 'arib-std-b67', '-colorspace', 'bt2020nc', '-color_range', 'tv'];
  const source = `gradients=s=${WIDTH}x${HEIGHT}:r=${FPS}:n=3:seed=4:d=2,format=yuv420p10le`;
  ffmpeg(
    '-f',
    'lavfi',
    '-i',
    source,
    '-frames:v',
    String(FRAMES),
    '-c:v',
    'libx265',
    '-x265-params',
    'crf=8:log-level=none',
    '-tag:v',
    'hvc1',
    ...colors,
    join(media, 'clip.mp4'),
  );
  ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=400x240:d=1', '-frames:v', '1', join(media, 'photo.png'));
  ffmpeg(
    '-f',
    'lavfi',
    '-i',
    "color=c=orange:s=90x40:d=1,format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='255*lt(mod(X,12),8)'",
    '-frames:v',
    '1',
    join(media, 'sprite.png'),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const box = (x: number, y: number, width: number, height: number): object => ({ x, y, width, height });

/** A clip, then a photo that zooms; over both a sprite, rotated and fading in, and at the end a vignette, which has no version of 10 bits on devices. */
function timeline(compositor: 'cpu' | 'vulkan'): Buffer {
  const photo = {
    source: 1,
    start: 0,
    frames: HALF,
    box: box(-20, -10, WIDTH + 40, HEIGHT + 20),
    scale: [
      { frame: 0, value: 1 },
      { frame: HALF, value: 1.3 },
    ],
  };
  return Buffer.from(
    JSON.stringify({
      version: 1,
      compositor,
      canvas: { width: WIDTH, height: HEIGHT, fps: { num: FPS, den: 1 }, frames: FRAMES },
      sources: [
        { kind: 'video', path: join(media, 'clip.mp4'), label: 'clip' },
        { kind: 'image', path: join(media, 'photo.png'), label: 'photo' },
        { kind: 'image', path: join(media, 'sprite.png'), label: 'sprite' },
      ],
      under: [],
      sections: [
        {
          label: 'scene_1',
          start: 0,
          frames: HALF,
          background: '#000000ff',
          clips: [{ source: 0, start: 0, frames: HALF, box: box(0, 0, WIDTH, HEIGHT), media: { in: 0 } }],
        },
        { label: 'scene_2', start: HALF, frames: HALF, background: '#203040ff', clips: [photo] },
      ],
      over: [
        { source: 2, start: 0, frames: FRAMES, box: box(31, 21, 90, 40), fadeIn: 4 },
        { source: 2, start: 0, frames: FRAMES, box: box(170, 90, 120, 60), rotation: 20 },
        { source: 2, start: FRAMES - 2, frames: 2, box: box(0, 0, WIDTH, HEIGHT), vignette: { amount: 0.6 } },
      ],
      audio: [],
      encode: { encoder: 'libx264', preset: 'veryfast', crf: 20, keyframeSeconds: 5, audioBitrate: 128000 },
    }),
  );
}

interface Rendering {
  /** Codes of 10 bits of all frames: luma, then both chroma planes of each. */
  codes: Uint16Array;
  compositions: Composition[];
}

async function render(compositor: 'cpu' | 'vulkan', spec: Partial<OutputFileSpec>): Promise<Rendering> {
  const path = join(folder, `${compositor}-${spec.linear ? 'linear' : (spec.hdr ?? 'sdr')}.mov`);
  const output = { format: 'mov', codec: 'prores-422', bitDepth: 10, ...spec, path } as OutputFileSpec;
  const { compositions } = await engine.renderOutputs(timeline(compositor), [output]);
  const decoded = ffmpeg('-i', path, '-f', 'rawvideo', '-pix_fmt', 'yuv422p10le', '-');
  return { codes: new Uint16Array(decoded.buffer.slice(decoded.byteOffset, decoded.byteOffset + decoded.length)), compositions };
}

it.each([{}, { hdr: 'hlg' }, { hdr: 'pq' }] as const)('a device composes outputs of 10 bits like the CPU: %o', async (spec) => {
  const cpu = await render('cpu', spec);
  const device = await render('vulkan', spec);
  expect(cpu.compositions).toMatchObject([{ compositor: 'cpu', frames: FRAMES, hostFrames: 0 }]);
  expect(device.compositions).toMatchObject([{ compositor: 'vulkan', frames: FRAMES, hostFrames: 2 }]);
  expect(device.codes.length).toBe(cpu.codes.length);
  // 4:2:2: each frame has as many samples of chroma as of luma.
  const apart = { luma: { sum: 0, largest: 0 }, chroma: { sum: 0, largest: 0 } };
  for (const [index, code] of cpu.codes.entries()) {
    const plane = index % (2 * WIDTH * HEIGHT) < WIDTH * HEIGHT ? apart.luma : apart.chroma;
    const off = Math.abs(code - (device.codes[index] ?? 0));
    plane.sum += off;
    plane.largest = Math.max(plane.largest, off);
  }
  const samples = WIDTH * HEIGHT * FRAMES;
  // What ProRes makes of a difference of one code.
  expect(apart.luma.sum / samples).toBeLessThan(0.1);
  expect(apart.luma.largest).toBeLessThan(8);
  expect(apart.chroma.sum / samples).toBeLessThan(0.5);
});

it('a device leaves outputs in linear light to the CPU', async () => {
  const { compositions } = await render('vulkan', { linear: true });
  expect(compositions).toMatchObject([{ compositor: 'cpu' }]);
});
