import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import puppeteer from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import yauzl from 'yauzl';
import { loadConfig } from '../../src/config/index.js';
import { parseCaptions } from '../../src/graphics/index.js';
import { runCli, temporaryFolder } from '../support/cli.js';
import { ffprobe } from '../support/ffmpeg.js';

/** Outputs that are not one plain video: animations in Chromium, sequences, storyboards, transparent AVIF and ASS captions, by the command line. */

const FPS = 10;
const SECONDS = 2;
const FRAMES = FPS * SECONDS;
let folder: { path: string; remove: () => Promise<void> };
const file = (...names: string[]): string => join(folder.path, ...names);

/** A white disc that fades in on a transparent canvas, over bars whose grey changes every half second. */
const script = {
  width: 160,
  height: 90,
  fps: FPS,
  background: 'transparent',
  outputs: [
    { name: 'video', format: 'mp4', fragmented: true, codec: 'hevc', bit_depth: 10 },
    { name: 'gif', format: 'gif', fps: FPS },
    { name: 'webp', format: 'webp', fps: FPS, alpha: true },
    { name: 'apng', format: 'apng', fps: FPS, alpha: true },
    { name: 'still', format: 'png', alpha: true, time: 1 },
    { name: 'exact', format: 'webp-still', alpha: true, lossless: true, time: 1 },
    { name: 'avif', format: 'avif', alpha: true, time: 1 },
    { name: 'frames', format: 'png', alpha: true, sequence: true },
    { name: 'board', format: 'storyboard', interval: 0.5, width: 80 },
    { name: 'lines', format: 'ass' },
  ],
  elements: [{ type: 'subtitles', captions: '1\n00:00:00,250 --> 00:00:01,500\nBraces {and} <b>bold</b>\nin two lines\n', settings: { 'font-size': 4 } }],
  scenes: [0, 1, 2, 3].map((part) => ({
    duration: SECONDS / 4,
    elements: [
      {
        type: 'component',
        component: 'shape/rectangle',
        settings: { rectangle1: { left: '0%', top: '0%', width: '100%', height: '100%', background: `rgb(${40 + 60 * part},0,0)` } },
        x: 0,
        y: 0,
        width: 60,
        height: 90,
      },
      { type: 'text', text: '●', 'font-size': 60, x: 80, y: 0, width: 80, height: 90, opacity: 0.5, color: '#3060c0' },
    ],
  })),
};

beforeAll(async () => {
  folder = await temporaryFolder();
  await writeFile(file('movie.json'), JSON.stringify(script));
  const { code, stderr } = await runCli(['render', file('movie.json'), '-o', file('out.mp4')]);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
}, 120_000);
afterAll(() => folder.remove());

/** The entries of a ZIP file, by a reader of its own. */
function unzip(path: string): Promise<Map<string, Buffer>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, Buffer>();
    yauzl.open(path, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      zip.on('entry', (entry: yauzl.Entry) =>
        zip.openReadStream(entry, async (failed, stream) => {
          if (failed) return reject(failed);
          const chunks: Buffer[] = [];
          for await (const chunk of stream) chunks.push(chunk as Buffer);
          entries.set(entry.fileName, Buffer.concat(chunks));
          zip.readEntry();
        }),
      );
      zip.on('end', () => resolve(entries));
      zip.on('error', reject);
      zip.readEntry();
    });
  });
}

async function pixelsOf(image: Buffer): Promise<Uint8ClampedArray> {
  const decoded = await loadImage(image);
  const context = createCanvas(decoded.width, decoded.height).getContext('2d');
  context.drawImage(decoded, 0, 0);
  return context.getImageData(0, 0, decoded.width, decoded.height).data;
}

it('animations have the right frames and delays in Chromium', async () => {
  const server: Server = createServer(async (request, response) => {
    const name = request.url?.slice(1) ?? '';
    if (name === '') return void response.setHeader('content-type', 'text/html').end('<!doctype html>');
    response.end(await readFile(file(name)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await puppeteer.launch({ executablePath: loadConfig(process.env).html.chromium ?? '', args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    for (const [name, type, isTransparent] of [
      ['out-gif.gif', 'image/gif', false],
      ['out-webp.webp', 'image/webp', true],
      ['out-apng.png', 'image/png', true],
    ] as const) {
      const shown = (await page.evaluate(`(async () => {
        const decoder = new ImageDecoder({ data: (await fetch('/${name}')).body, type: '${type}' });
        await decoder.tracks.ready;
        const { frameCount, repetitionCount } = decoder.tracks.selectedTrack;
        const context = new OffscreenCanvas(160, 90).getContext('2d', { willReadFrequently: true });
        const frames = [];
        await decoder.completed;
        for (let frameIndex = 0; frameIndex < decoder.tracks.selectedTrack.frameCount; ++frameIndex) {
          const { image } = await decoder.decode({ frameIndex });
          context.clearRect(0, 0, 160, 90);
          context.drawImage(image, 0, 0);
          const at = (x) => [...context.getImageData(x, 10, 1, 1).data];
          frames.push({ seconds: image.duration / 1e6, bar: at(20)[0], alpha: at(70)[3] });
        }
        return { repetitionCount, frames };
      })()`)) as { repetitionCount: number | null; frames: Array<{ seconds: number; bar: number; alpha: number }> };
      const shownAt = (time: number) => {
        const ends = shown.frames.map((_, index) => shown.frames.slice(0, index + 1).reduce((sum, { seconds }) => sum + seconds, 0));
        return shown.frames[ends.findIndex((end) => end > time)];
      };
      const total = shown.frames.reduce((sum, { seconds }) => sum + seconds, 0);
      expect(total, name).toBeCloseTo(SECONDS, 3);
      for (let frame = 0; frame < FRAMES; ++frame) {
        const at = shownAt((frame + 0.5) / FPS);
        expect(Math.abs((at?.bar ?? 0) - (40 + 60 * Math.floor(frame / 5))), `${name}, frame ${frame}`).toBeLessThan(6);
        expect(at?.alpha, `${name}, frame ${frame}`).toBe(isTransparent ? 0 : 255);
      }
    }
  } finally {
    await browser.close();
    server.close();
  }
});

it('a sequence has every frame in a ZIP file', async () => {
  const entries = await unzip(file('out-frames.zip'));
  expect([...entries.keys()]).toEqual(Array.from({ length: FRAMES }, (_, index) => `frame-${String(index + 1).padStart(6, '0')}.png`));
  const still = await pixelsOf(readFileSync(file('out-still.png')));
  expect(await pixelsOf(entries.get('frame-000011.png') ?? Buffer.alloc(0))).toEqual(still);
});

it('a lossless WebP still has the pixels of the PNG', () => {
  const [png, webp] = [file('out-still.png'), file('out-exact.webp')].map((path) =>
    execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'rgba', '-']),
  );
  expect(webp).toHaveLength(160 * 90 * 4);
  const differing = (png ?? Buffer.alloc(0)).filter((value, index, all) => all[index | 3] !== 0 && value !== webp?.[index]);
  expect(differing).toHaveLength(0);
});

it('AVIF keeps transparency', async () => {
  const [still, avif] = [await pixelsOf(readFileSync(file('out-still.png'))), await pixelsOf(readFileSync(file('out-avif.avif')))];
  let [color, alpha] = [0, 0];
  for (let index = 0; index < still.length; index += 4) {
    const [a = 0, b = 0] = [still[index + 3], avif[index + 3]];
    alpha += (a - b) ** 2;
    for (let channel = 0; channel < 3; ++channel) color += (((still[index + channel] ?? 0) * a - (avif[index + channel] ?? 0) * b) / 255) ** 2;
  }
  const decibels = (squares: number, count: number): number => (squares === 0 ? 99 : 10 * Math.log10((255 * 255 * count) / squares));
  expect(decibels(alpha, still.length / 4)).toBeGreaterThan(45);
  expect(decibels(color, (still.length / 4) * 3)).toBeGreaterThan(45);
  expect(still.some((value, index) => index % 4 === 3 && value > 100 && value < 160)).toBe(true);
});

it('a storyboard says which part of its sheet shows which time', async () => {
  const text = readFileSync(file('out-board', 'storyboard.vtt'), 'utf8');
  expect(
    text
      .split('\n\n')
      .slice(1)
      .map((block) => block.trim().split('\n')),
  ).toEqual(
    ['00:00:00.000 --> 00:00:00.500', '00:00:00.500 --> 00:00:01.000', '00:00:01.000 --> 00:00:01.500', '00:00:01.500 --> 00:00:02.000'].map((times, index) => [
      times,
      `storyboard-1.jpg#xywh=${80 * index},0,80,46`,
    ]),
  );
  expect(readdirSync(file('out-board'))).toEqual(['storyboard-1.jpg', 'storyboard.vtt']);
  const sheet = await loadImage(readFileSync(file('out-board', 'storyboard-1.jpg')));
  expect([sheet.width, sheet.height]).toEqual([320, 46]);
  const pixels = await pixelsOf(readFileSync(file('out-board', 'storyboard-1.jpg')));
  for (let part = 0; part < 4; ++part) expect(Math.abs((pixels[(10 * 320 + 80 * part + 10) * 4] ?? 0) - (40 + 60 * part))).toBeLessThan(10);
});

it('ASS captions are read by ffmpeg and by this program', () => {
  const text = readFileSync(file('out-lines.ass'), 'utf8');
  const [cue] = parseCaptions(text);
  expect([cue?.start, cue?.end, cue?.spans.map((span) => span.text).join('')]).toEqual([0.25, 1.5, expect.stringContaining('bold\nin two lines')]);
  const srt = execFileSync('ffmpeg', ['-v', 'error', '-i', file('out-lines.ass'), '-f', 'srt', '-'], { encoding: 'utf8' });
  expect(srt).toMatch(/00:00:00,250 --> 00:00:01,500/);
  expect(srt).toContain('<b>bold</b>');
});

it('HEVC in fragments has ten bits', () => {
  expect(ffprobe(file('out.mp4')).streams[0]).toMatchObject({
    codec_name: 'hevc',
    codec_tag_string: 'hvc1',
    pix_fmt: 'yuv420p10le',
  });
  expect(readFileSync(file('out.mp4')).toString('latin1').split('moof').length).toBeGreaterThan(1);
});
