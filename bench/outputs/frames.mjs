import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { loadConfig } from '../../dist/config/index.js';
import { run } from '../movies/measure.mjs';

/** Straight RGBA frames of a file, read by ffmpeg, or by Chromium where ffmpeg cannot. */

/** Chroma of 4:2:0 is interpolated, and that of 4:4:4 is kept. */
const toRgba = 'scale=flags=bicubic+full_chroma_int+full_chroma_inp+accurate_rnd,format=rgba';

/**
 * @param input options of ffmpeg before the file, such as a decoder
 * @returns one Buffer of width × height × 4 bytes a frame
 */
export function framesByFfmpeg(path, { width, height }, input = []) {
  const args = ['-v', 'error', '-nostdin', ...input, '-i', path, '-vf', toRgba, '-fps_mode', 'passthrough', '-f', 'rawvideo', '-'];
  const { status, stdout, stderr } = spawnSync('ffmpeg', args, { maxBuffer: 1 << 30 });
  if (status !== 0) throw new Error(`ffmpeg cannot read ${path}:\n${stderr}`);
  return split(stdout, width, height);
}

/** Of a ZIP file with PNG or JPEG frames. */
export function framesOfSequence(path, size, folder) {
  const into = mkdtempSync(join(folder, 'sequence-'));
  run(['unzip', '-q', path, '-d', into]);
  const [first] = readdirSync(into);
  const pattern = first.replace(/\d+/, '%06d');
  return framesByFfmpeg(join(into, pattern), size, ['-framerate', '25', '-start_number', '1']);
}

function split(bytes, width, height) {
  const size = width * height * 4;
  if (bytes.length === 0 || bytes.length % size !== 0) throw new Error(`${bytes.length} bytes are not frames of ${width}x${height}`);
  return Array.from({ length: bytes.length / size }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

/** Chromium with a server of its own; `close` ends both. */
export async function startChromium() {
  const files = new Map();
  const server = createServer((request, response) => {
    const path = files.get(request.url);
    if (path === undefined) return void response.setHeader('content-type', 'text/html').end('<!doctype html>');
    response.end(readFileSync(path));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await puppeteer.launch({ executablePath: loadConfig(process.env).html.chromium, args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage();
  const origin = `http://127.0.0.1:${server.address().port}`;
  await page.goto(`${origin}/`);
  return {
    /** @param type MIME type @returns frames, and how long each is shown in milliseconds */
    async framesOf(path, type, { width, height }) {
      const address = `/${files.size}`;
      files.set(address, path);
      const decoded = await page.evaluate(readImage, address, type, width, height);
      return { frames: decoded.map(({ pixels }) => Buffer.from(pixels, 'base64')), delays: decoded.map(({ delay }) => delay) };
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}

/** Runs in the page. */
async function readImage(address, type, width, height) {
  const decoder = new ImageDecoder({ data: (await fetch(address)).body, type, premultiplyAlpha: 'none' });
  await decoder.tracks.ready;
  await decoder.completed;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  const frames = [];
  for (let frameIndex = 0; frameIndex < decoder.tracks.selectedTrack.frameCount; ++frameIndex) {
    const { image } = await decoder.decode({ frameIndex });
    context.clearRect(0, 0, width, height);
    context.drawImage(image, 0, 0);
    const bytes = context.getImageData(0, 0, width, height).data;
    let text = '';
    for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
    frames.push({ pixels: btoa(text), delay: (image.duration ?? 0) / 1000 });
    image.close();
  }
  return frames;
}
