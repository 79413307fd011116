import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../../support/cli.js';
import { ffmpeg } from '../../support/ffmpeg.js';
import { type Image, largestDifference, readPng } from '../../support/golden-image.js';
import { callPreview, type MediaServer, readRecords, startMediaServer } from '../../support/previews.js';
import { type Service, startService } from '../../support/service-in-process.js';

const folder = mkdtempSync(join(tmpdir(), 'previews-'));
let media: MediaServer;
let service: Service;
let key: string;
let testKey: string;
beforeAll(async () => {
  await ffmpeg('-f', 'lavfi', '-i', 'mandelbrot=s=960x540', '-frames:v', '1', '-q:v', '2', join(folder, 'photo.jpg'));
  await ffmpeg(...['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=20:d=6', '-c:v', 'libx264', '-g', '40', '-pix_fmt', 'yuv420p'], join(folder, 'film.mp4'));
  media = await startMediaServer({ '/photo.jpg': readFileSync(join(folder, 'photo.jpg')), '/film.mp4': readFileSync(join(folder, 'film.mp4')) });
  service = await startService({ workers: 0, environment: { FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: media.url.slice('http://'.length) } });
  ({ key } = await service.createKey());
  ({ key: testKey } = await service.createKey({ mode: 'test', account: 'tester' }));
});
afterAll(async () => {
  await service.stop();
  await media.close();
  rmSync(folder, { recursive: true });
});

const call = (path: string, body: unknown, as: string | undefined = key) => callPreview(service.app.address, path, as, body);
const text = (words: string) => ({ type: 'text', text: words, position: 'center', font: 'Inter', font_size: 60, color: '#ffffff' });
const movieOf = (words: string) => ({
  width: 640,
  height: 360,
  fps: 10,
  scenes: [
    { duration: 2, background: '#203040', elements: [text(words)] },
    { duration: 3, background: '#884422', transition: { style: 'fade', duration: 1 } },
  ],
  variables: { name: 'film', '@name': 'for forms' },
});

/** A script with all kinds of motion and pixel sizes. */
const busyMovie = (base: string) => ({
  width: 640,
  height: 360,
  fps: 10,
  scenes: [
    { duration: 2, elements: [{ type: 'image', src: `${base}/photo.jpg`, resize: 'cover', zoom: 5, pan: 'left', duration: 2 }] },
    {
      duration: 4,
      transition: { style: 'wipeleft', duration: 1 },
      background: '#223344',
      elements: [
        { type: 'video', src: `${base}/film.mp4`, x: 40, y: 30, width: 400, height: 225, 'corner-radius': 40, rotate: { angle: 15, speed: 0 } },
        { type: 'image', src: `${base}/photo.jpg`, x: 420, y: 200, width: 200, height: 120, blur: 4, crop: { x: 100, y: 50, width: 600, height: 360 } },
        {
          ...text('Here it is'),
          style: '003',
          keyframes: [
            { time: 0, x: -100, y: 20 },
            { time: 3, x: 120, y: -40, scale: 1.4 },
          ],
        },
      ],
    },
  ],
});

describe('POST /api/preview', () => {
  test('returns timing and cost of a script', async () => {
    const answer = await call('', { movie: movieOf('Hello {{name}}') });
    expect(answer.status, String(answer.bytes)).toBe(200);
    expect(answer.body).toEqual({
      width: 640,
      height: 360,
      fps: 10,
      duration: 5,
      frames: 50,
      estimated_credits: 5,
      scenes: [
        { path: 'scenes.0', start: 0, duration: 2, elements: [{ path: 'scenes.0.elements.0', type: 'text', label: 'Hello film', start: 0, duration: 2 }] },
        { path: 'scenes.1', start: 2, duration: 3, transition: { style: 'fade', duration: 1 }, elements: [] },
      ],
      elements: [],
      variables: { name: 'film' },
      warnings: [],
    });
  });

  test('uses real file durations and estimates unavailable ones', async () => {
    const videoOf = (name: string) => ({ fps: 10, scenes: [{ elements: [{ type: 'video', src: `${media.url}/${name}` }] }] });
    expect((await call('', { movie: videoOf('film.mp4') })).body).toMatchObject({ duration: 6, warnings: [] });
    const absent = await call('', { movie: videoOf('absent.mp4') });
    expect(absent.status).toBe(200);
    expect(absent.body).toMatchObject({ duration: 10, warnings: [{ path: 'scenes.0.elements.0', message: expect.stringContaining('404') }] });
  });

  test('refuses the same scripts as /api/render, with the same errors', async () => {
    for (const movie of [
      { scenes: [{ elements: [{ type: 'text', text: 7 }] }] },
      { scenes: [{ elements: [{ type: 'image', src: 'http://10.0.0.1/a.png' }] }] },
    ]) {
      const refused = await service.call('POST', '/api/render', { key, body: movie });
      expect(refused.status).toBe(400);
      for (const [path, more] of [
        ['', {}],
        ['/frame', { time: 0 }],
        ['/frames', { times: [0] }],
      ] as const) {
        const answer = await call(path, { movie, ...more });
        expect([answer.status, answer.body]).toEqual([400, refused.body]);
      }
    }
  });

  test('requires a live or sandbox key and is free', async () => {
    for (const [path, more] of [
      ['', {}],
      ['/frame', { time: 0 }],
      ['/frames', { times: [0] }],
    ] as const) {
      const body = { movie: movieOf('Key'), ...more };
      expect(await callPreview(service.app.address, path, undefined, body)).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } });
      expect((await call(path, body, testKey)).status).toBe(200);
    }
    const { accountId } = await service.createKey();
    expect(await service.balance(accountId)).toBeGreaterThanOrEqual(1000);
    expect(await service.app.db.selectFrom('jobs').select('id').execute()).toEqual([]);
  });
});

describe('POST /api/preview/frame', () => {
  const draw = async (movie: unknown, time: number, more: object = {}): Promise<{ time: string | null; type: string | null; bytes: Buffer; image: Image }> => {
    const { status, headers, bytes } = await call('/frame', { movie, time, ...more });
    expect(status, String(bytes)).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    return { time: headers.get('x-preview-time'), type: headers.get('content-type'), bytes, image: await readPng(bytes) };
  };

  test('draws the frame at a time, and a new one after the text changes', async () => {
    const [first, second, again] = [await draw(movieOf('One'), 1.25), await draw(movieOf('Another'), 1.25), await draw(movieOf('One'), 1.25)];
    expect([first.time, first.type, first.image.width, first.image.height]).toEqual(['1.2', 'image/jpeg', 640, 360]);
    expect(first.bytes.equals(second.bytes)).toBe(false);
    expect(first.bytes.equals(again.bytes)).toBe(true);
    for (const [index, value] of [0x20, 0x30, 0x40].entries()) expect(Math.abs((first.image.pixels[index] ?? 0) - value)).toBeLessThan(6);
    const named = await draw({ ...movieOf('{{name}}') }, 1, { variables: { name: 'One' } });
    expect(named.bytes.equals((await draw(movieOf('One'), 1)).bytes)).toBe(true);
  });

  test('equals the frame that the command line draws at any time', async () => {
    const path = join(folder, 'movie.json');
    writeFileSync(path, JSON.stringify(busyMovie('.')));
    for (const [time, shown] of [
      [1.55, 1.5],
      [2.3, 2.3],
      [5.1, 5.1],
    ] as const) {
      const output = join(folder, 'frame.png');
      expect(await runCli(['frame', path, '--at', String(time), '-o', output], { env: { FRAMEWRIGHT_COMPOSITOR: 'cpu' } })).toMatchObject({ code: 0 });
      const drawn = await draw(busyMovie(media.url), time, { width: 640, format: 'png' });
      expect([drawn.time, drawn.type]).toEqual([String(shown), 'image/png']);
      expect(largestDifference(drawn.image, await readPng(readFileSync(output)))).toBe(0);
    }
  });

  test.each([0.8, 2.4, 3.7, 5.2])('draws a small frame that matches the scaled large one at %d s', async (time) => {
    const large = await draw(busyMovie(media.url), time, { width: 640, format: 'png' });
    const small = await draw(busyMovie(media.url), time, { width: 320, format: 'png' });
    expect([small.image.width, small.image.height]).toEqual([320, 180]);
    writeFileSync(join(folder, 'large.png'), large.bytes);
    await ffmpeg('-i', join(folder, 'large.png'), '-vf', 'scale=320:180:flags=area', join(folder, 'afar.png'));
    const afar = await readPng(readFileSync(join(folder, 'afar.png')));
    const differences = [...small.image.pixels].map((value, index) => Math.abs(value - (afar.pixels[index] ?? 0)));
    expect(differences.reduce((sum, one) => sum + one, 0) / differences.length).toBeLessThan(2.5);
    // Filters change edges; a misplaced or missing element changes whole areas.
    expect(differences.filter((one) => one > 48).length / differences.length).toBeLessThan(0.01);
  });

  test('shows the last frame past the end and never upscales', async () => {
    const late = await draw(movieOf('Late'), 99, { width: 1920 });
    expect([late.time, late.image.width]).toEqual(['4.9', 640]);
    expect((await draw(movieOf('Late'), 0, { width: 64 })).image).toMatchObject({ width: 64, height: 36 });
  });

  test('draws the same frames forwards, backwards and repeatedly', async () => {
    const frames = new Map<number, Buffer>();
    for (const time of [2.5, 2.7, 5.5, 2.5, 4, 3.9, 2.7, 5.5, 4]) {
      const { bytes } = await draw(busyMovie(media.url), time, { width: 320 });
      expect(frames.get(time) === undefined || frames.get(time)?.equals(bytes)).toBe(true);
      frames.set(time, bytes);
    }
    expect(new Set([...frames.values()].map((bytes) => bytes.toString('base64'))).size).toBe(frames.size);
  });

  test('reports elements that cannot be drawn, with their path', async () => {
    const movie = { scenes: [{ elements: [text('Fine'), { type: 'image', src: `${media.url}/absent.png` }] }] };
    for (const [path, more] of [
      ['/frame', { time: 0 }],
      ['/frames', { times: [0] }],
    ] as const) {
      const answer = await call(path, { movie, ...more });
      expect(answer.status).toBe(422);
      expect(answer.body.error).toEqual({ code: 'RENDER_FAILED', path: 'scenes.0.elements.1', message: expect.stringContaining('404') });
    }
    // A redirect to a forbidden address.
    const inside = await call('/frame', { movie: { scenes: [{ elements: [{ type: 'image', src: `${media.url}/to-metadata.png` }] }] }, time: 0 });
    expect(inside.status).toBe(422);
    expect(inside.body.error).toMatchObject({
      code: 'RENDER_FAILED',
      path: 'scenes.0.elements.0',
      message: expect.stringContaining('169.254.169.254 is not a public address'),
    });
  });

  test.each([
    [{ time: -1 }, 'time'],
    [{ time: '1' }, 'time'],
    [{ time: 0, width: 63 }, 'width'],
    [{ time: 0, format: 'gif' }, 'format'],
    [{ time: 0, sound: true }, 'sound'],
  ])('refuses %j', async (wrong, path) => {
    const answer = await call('/frame', { movie: movieOf('Wrong'), ...wrong });
    expect([answer.status, answer.body.error?.code, answer.body.error?.path]).toEqual([400, 'INVALID_REQUEST', path]);
  });
});

describe('POST /api/preview/frames', () => {
  test('draws a range and single times in order', async () => {
    const strip = await call('/frames', { movie: movieOf('Strip'), from: 1, to: 9, step: 0.5, width: 64 });
    expect(strip.status).toBe(200);
    expect(strip.headers.get('content-type')).toBe('application/octet-stream');
    const records = readRecords(strip.bytes);
    expect(records.map(({ time }) => time)).toEqual([1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5]);
    for (const { type, bytes } of records) {
      expect(type).toBe('image/jpeg');
      expect(await readPng(bytes)).toMatchObject({ width: 64, height: 36 });
    }
    const times = await call('/frames', { movie: movieOf('Strip'), times: [3, 0.25, 99], format: 'png' });
    expect(readRecords(times.bytes).map(({ time, type }) => [time, type])).toEqual([
      [3, 'image/png'],
      [0.2, 'image/png'],
      [4.9, 'image/png'],
    ]);
  });

  test.each([
    [{}, 'times'],
    [{ times: [0], from: 1 }, 'times'],
    [{ from: 0, to: 1 }, 'times'],
    [{ from: 2, to: 1, step: 0.1 }, 'to'],
    [{ from: 0, to: 12, step: 0.1 }, 'step'],
    [{ from: 0, to: 12, step: 0 }, 'step'],
    [{ times: [] }, 'times'],
  ])('refuses %j', async (wrong, path) => {
    const answer = await call('/frames', { movie: movieOf('Wrong'), ...wrong });
    expect([answer.status, answer.body.error?.code, answer.body.error?.path]).toEqual([400, 'INVALID_REQUEST', path]);
  });
});

test.each(['', '/frame', '/frames'])('POST /api/preview%s without a body is INVALID_REQUEST', async (path) => {
  for (const empty of [{}, { text: '', headers: { 'content-type': 'application/json' } }]) {
    const answer = await service.call('POST', `/api/preview${path}`, { key, ...empty });
    expect([answer.status, answer.body.error?.code]).toEqual([400, 'INVALID_REQUEST']);
  }
});
