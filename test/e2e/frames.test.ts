import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine } from '../../src/engine/index.js';
import { loadPacks } from '../../src/graphics/components/index.js';
import { createTextSprites } from '../../src/graphics/index.js';
import { createOutbound } from '../../src/outbound/index.js';
import { createAssets } from '../../src/render/assets/index.js';
import { planMovie } from '../../src/render/index.js';
import { renderScript, temporaryFolder } from '../support/cli.js';
import { decodeFrames, ffmpeg, ffprobe, pixelAt } from '../support/ffmpeg.js';

let folder: { path: string; remove: () => Promise<void> };
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const colours = [
  '#ff0000',
  '#00ff00',
  '#0000ff',
  '#ffffff',
  '#000000',
  '#808080',
  '#404040',
  '#c0c0c0',
  '#1db954',
  '#ff9900',
  '#4a154b',
  '#1877f2',
  '#e60023',
  '#ffff00',
  '#00ffff',
  '#ff00ff',
];

describe('solid colours decode back to the script hex', () => {
  test.each([
    [320, 180],
    [1920, 1080],
  ])('within 3 of 255 at %i × %i', async (width, height) => {
    const script = { width, height, fps: 10, scenes: colours.map((background) => ({ duration: 0.3, background, elements: [] })) };
    const output = await renderScript(script, folder.path, { name: `colours-${width}` });
    const decoded = await decodeFrames(output, 'rgb', { x: width / 2, y: height / 2, width: 2, height: 2 });
    expect(decoded.frames).toHaveLength(colours.length * 3);
    for (const [index, colour] of colours.entries()) {
      const wanted = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
      for (const frame of [0, 1, 2]) {
        const got = pixelAt(decoded, index * 3 + frame, 0, 0);
        const worst = Math.max(...got.map((value, channel) => Math.abs(value - (wanted[channel] ?? 0))));
        expect(worst, `${colour} came back as ${got}`).toBeLessThanOrEqual(3);
      }
    }
  });
});

test('the file has the properties that players and editors expect', async () => {
  const script = {
    width: 641,
    height: 359,
    fps: 29.97,
    scenes: [
      { duration: 2, background: '#336699', elements: [] },
      { duration: 1.5, background: '#993366', elements: [] },
    ],
  };
  const output = await renderScript(script, folder.path, { name: 'facts' });
  const { format, streams } = ffprobe(output);
  expect(streams).toHaveLength(1);
  expect(streams[0]).toMatchObject({
    codec_name: 'h264',
    profile: 'High',
    pix_fmt: 'yuv420p',
    width: 642,
    height: 360,
    r_frame_rate: '30000/1001',
    avg_frame_rate: '30000/1001',
    color_range: 'tv',
    color_space: 'bt709',
    color_transfer: 'bt709',
    color_primaries: 'bt709',
    nb_frames: '105',
  });
  expect(Number(format.start_time)).toBe(0);
  expect(Number(format.duration)).toBeCloseTo((105 * 1001) / 30000, 5);
});

describe('a 1080p Ken Burns move has no visible steps', () => {
  const markers = [
    [400, 300],
    [1900, 350],
    [700, 1000],
  ] as const;
  const script = { width: 1920, height: 1080, fps: 30, scenes: [{ duration: 4, elements: [{ type: 'image', src: 'blobs.png', resize: 'cover', zoom: 2 }] }] };

  beforeAll(async () => {
    const blob = ([x, y]: readonly [number, number]) => `220*exp(-((X-${x})*(X-${x})+(Y-${y})*(Y-${y}))/200)`;
    const source = `color=black:s=2400x1350,format=gray,geq=lum='20+${markers.map(blob).join('+')}'`;
    await ffmpeg('-f', 'lavfi', '-i', source, '-frames:v', '1', '-pix_fmt', 'rgb24', join(folder.path, 'blobs.png'));
  });

  test('composed: a marker stays within 0.05 px of an even path', async () => {
    const workDir = join(folder.path, 'work');
    const engine = createEngine();
    const assets = createAssets({
      folder: workDir,
      outbound: createOutbound({ allowPrivateHosts: [] }),
      probe: (path) => engine.probe(path),
      localRoot: folder.path,
    });
    const parts = { engine, assets, sprites: createTextSprites({ folder: workDir }), packs: loadPacks(undefined), checkUrl: assets.checkUrl };
    const { signal } = new AbortController();
    const { timeline } = await planMovie({ script, workDir, signal }, parts);
    const document = Buffer.from(JSON.stringify(timeline));
    const paths: Point[][] = markers.map(() => []);
    for (let frame = 0; frame < 120; frame++) {
      const image = await engine.composeFrame(document, frame, { signal });
      for (const [index, marker] of markers.entries()) {
        const around = areaAround(markerAt(marker, frame / 120), 55);
        paths[index]?.push(centreOf((x, y) => image.pixels[(y * image.width + x) * 4] ?? 0, around));
      }
    }
    for (const path of paths) {
      expect(worst(secondDifferences(path, 'x'))).toBeLessThan(0.05);
      expect(worst(secondDifferences(path, 'y'))).toBeLessThan(0.05);
    }
  });

  // The encoder adds rounding errors, so this measures the mean deviation.
  test('encoded: a marker deviates less than 0.05 px', async () => {
    const output = await renderScript(script, folder.path, { name: 'kenburns' });
    for (const marker of markers) {
      const ends = [areaAround(markerAt(marker, 0), 60), areaAround(markerAt(marker, 1), 60)] as const;
      const area = {
        left: Math.min(ends[0].left, ends[1].left),
        top: Math.min(ends[0].top, ends[1].top),
        right: Math.max(ends[0].right, ends[1].right),
        bottom: Math.max(ends[0].bottom, ends[1].bottom),
      };
      const crop = { x: area.left, y: area.top, width: area.right - area.left, height: area.bottom - area.top };
      const { frames, width } = await decodeFrames(output, 'gray', crop);
      expect(frames).toHaveLength(120);
      const path = frames.map((frame) => centreOf((x, y) => frame[(y - area.top) * width + x - area.left] ?? 0, area));
      expect(rms(secondDifferences(path, 'x'))).toBeLessThan(0.05);
      expect(rms(secondDifferences(path, 'y'))).toBeLessThan(0.05);
    }
  });
});

interface Point {
  x: number;
  y: number;
}

interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Position of a marker of the 2400 px wide image on the canvas at `progress` (0–1) of a zoom to 1.2. */
function markerAt([x, y]: readonly [number, number], progress: number): Point {
  const scale = 1 + 0.2 * progress;
  return { x: 960 + ((x * 1920) / 2400 - 960) * scale, y: 540 + ((y * 1080) / 1350 - 540) * scale };
}

function areaAround({ x, y }: Point, radius: number): Area {
  const clamp = (value: number, limit: number) => Math.min(limit, Math.max(0, Math.round(value)));
  return { left: clamp(x - radius, 1920), top: clamp(y - radius, 1080), right: clamp(x + radius, 1920), bottom: clamp(y + radius, 1080) };
}

/** Intensity-weighted centre of the pixels that are brighter than the background. */
function centreOf(brightness: (x: number, y: number) => number, area: Area): Point {
  let [sum, sumX, sumY] = [0, 0, 0];
  for (let y = area.top; y < area.bottom; y++) {
    for (let x = area.left; x < area.right; x++) {
      const weight = Math.max(0, brightness(x, y) - 60);
      sum += weight;
      sumX += weight * x;
      sumY += weight * y;
    }
  }
  return { x: sumX / sum, y: sumY / sum };
}

function secondDifferences(path: Point[], axis: 'x' | 'y'): number[] {
  const values = path.map((point) => point[axis]);
  return values.slice(2).map((value, index) => value - 2 * (values[index + 1] ?? 0) + (values[index] ?? 0));
}

const worst = (values: number[]) => Math.max(...values.map(Math.abs));
const rms = (values: number[]) => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);

describe('frame k of a clip with `seek` shows the source frame of that time', () => {
  test.each([
    [25, 25, 1.48],
    [30, 30, 2],
    [24, 30, 0.5],
    [60, 30, 1.1],
    [30, 24, 0],
  ])('source at %i fps, movie at %i fps, seek %f', async (sourceFps, fps, seek) => {
    // Every source frame is one grey level, 40 + its number, with B-frames and a long GOP between key frames.
    const name = `steps-${sourceFps}`;
    await ffmpeg(
      '-f',
      'lavfi',
      '-i',
      `color=black:s=320x180:r=${sourceFps}:d=5,format=yuv420p,geq=lum='40+mod(N\\,150)':cb=128:cr=128`,
      '-c:v',
      'libx264',
      '-qp',
      '0',
      '-bf',
      '3',
      '-g',
      '250',
      join(folder.path, `${name}.mp4`),
    );
    const script = {
      width: 320,
      height: 180,
      fps,
      scenes: [{ duration: 1.5, elements: [{ type: 'video', src: `${name}.mp4`, seek, resize: 'cover', duration: 1.5 }] }],
    };
    const output = await renderScript(script, folder.path, { name: `seek-${sourceFps}-${fps}`, args: ['--crf', '1'] });
    const decoded = await decodeFrames(output, 'gray', { x: 160, y: 90, width: 2, height: 2 });
    const wanted = Array.from({ length: Math.round(1.5 * fps) }, (_, k) => 40 + (Math.floor((seek + k / fps) * sourceFps + 1e-6) % 150));
    expect(decoded.frames.map((frame) => frame[0])).toEqual(wanted);
  });
});

test('fades, opacity and z-index compose as written', async () => {
  await ffmpeg('-f', 'lavfi', '-i', 'color=white:s=64x64', '-frames:v', '1', join(folder.path, 'white.png'));
  const script = {
    width: 64,
    height: 64,
    fps: 20,
    scenes: [
      {
        duration: 2,
        background: '#000000',
        elements: [
          { type: 'image', src: 'white.png', 'fade-in': 1, 'fade-out': 0.5, 'z-index': 1, duration: 2 },
          { type: 'image', src: 'white.png', opacity: 0.5, x: 32, width: 32, height: 64, duration: 2 },
        ],
      },
    ],
  };
  const output = await renderScript(script, folder.path, { name: 'fades', args: ['--crf', '1'] });
  const decoded = await decodeFrames(output, 'rgb');
  const grey = (frame: number, x: number) => pixelAt(decoded, frame, x, 32)[0];
  expect(Math.abs(grey(0, 8) - 0)).toBeLessThanOrEqual(3);
  expect(Math.abs(grey(0, 48) - 128)).toBeLessThanOrEqual(3);
  expect(Math.abs(grey(10, 8) - 128)).toBeLessThanOrEqual(3);
  expect(Math.abs(grey(20, 8) - 255)).toBeLessThanOrEqual(3);
  expect(Math.abs(grey(35, 8) - 128)).toBeLessThanOrEqual(3);
});

test.each([
  { duration: -1, shown: 'background' },
  { duration: -2, shown: 'last frame' },
  { duration: 2, shown: 'last frame' },
])('after a clip with duration $duration its scene shows the $shown', async ({ duration, shown }) => {
  await ffmpeg('-f', 'lavfi', '-i', 'color=c=0x0000ff:size=64x64:rate=10:duration=1', join(folder.path, 'blue.mp4'));
  const elements = [{ type: 'video', src: 'blue.mp4', duration }];
  const script = { width: 64, height: 64, fps: 10, scenes: [{ duration: 2, background: '#ff0000', elements }] };
  const decoded = await decodeFrames(await renderScript(script, folder.path, { name: `after${duration}` }), 'rgb', { x: 30, y: 30, width: 2, height: 2 });
  const [red = 0, , blue = 0] = pixelAt(decoded, 18, 0, 0);
  expect(shown === 'background' ? red - blue : blue - red).toBeGreaterThan(200);
});
