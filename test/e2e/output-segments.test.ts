import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cachedRender } from '../support/cached-render.js';
import { temporaryFolder } from '../support/cli.js';
import { decodeFrames, ffmpeg, ffprobe } from '../support/ffmpeg.js';

/** Several videos of one movie are encoded in segments, which the cache keeps. */

let folder: { path: string; remove: () => Promise<void> };
beforeAll(async () => {
  folder = await temporaryFolder();
  await ffmpeg('-f', 'lavfi', '-i', 'mandelbrot=s=640x360', '-frames:v', '1', join(folder.path, 'photo.png'));
  await ffmpeg('-f', 'lavfi', '-i', 'sine=440:d=3', join(folder.path, 'tone.wav'));
});
afterAll(() => folder.remove());

const outputs = [
  { name: 'main', format: 'mp4' },
  { name: 'small', format: 'mp4', width: 160, quality: 'low' },
  { name: 'hevc', format: 'mp4', codec: 'hevc', audio: false },
  { name: 'loop', format: 'gif', width: 160, fps: 5 },
  { name: 'web', format: 'webm' },
];

const movie = (second: string, wanted: readonly object[] = outputs): object => ({
  width: 320,
  height: 180,
  fps: 25,
  scenes: [
    { duration: 1.6, elements: [{ type: 'image', src: 'photo.png', zoom: 3 }] },
    { duration: 1.4, transition: { style: 'fade', duration: 0.4 }, elements: [{ type: 'text', text: second }] },
  ],
  elements: [{ type: 'audio', src: 'tone.wav' }],
  outputs: wanted,
});

const render = (name: string, script: object) => cachedRender(folder.path, name, script);

it('all are composed once, and a second job takes them from the cache', async () => {
  const first = await render('first', movie('one'));
  expect(first.reused).toBe(0);
  for (const [name, codec, width, streams] of [
    ['main', 'h264', 320, 2],
    ['small', 'h264', 160, 2],
    ['hevc', 'hevc', 320, 1],
  ] as const) {
    const { streams: found } = ffprobe(first.path(name));
    expect(found).toHaveLength(streams);
    expect(found[0]).toMatchObject({ codec_name: codec, width, nb_frames: '75' });
  }
  await ffmpeg('-i', first.path('main'), '-vf', 'scale=160:90:flags=lanczos', '-an', '-c:v', 'libx264', '-qp', '0', join(folder.path, 'scaled.mp4'));
  const [scaled, small] = await Promise.all([join(folder.path, 'scaled.mp4'), first.path('small')].map((path) => decodeFrames(path, 'gray')));
  expect(small?.frames).toHaveLength(75);
  for (const [index, frame] of (small?.frames ?? []).entries()) expect(psnr(frame, scaled?.frames[index] ?? frame), `frame ${index}`).toBeGreaterThan(30);

  const again = await render('again', movie('one'));
  expect(again.reused).toBe(8);
  for (const name of ['main', 'small', 'hevc']) expect((await readFile(again.path(name))).equals(await readFile(first.path(name))), name).toBe(true);
  // A movie with one file has the same segments.
  const alone = await render('alone', movie('one', [{ name: 'main', format: 'mp4' }]));
  expect(alone.reused).toBe(2);
  expect((await readFile(alone.path('main'))).equals(await readFile(first.path('main')))).toBe(true);
  // The fade into the changed scene belongs to the first one.
  expect((await render('changed', movie('two'))).reused).toBe(0);
}, 120_000);

it('containers and sounds of all kinds take the same segments', async () => {
  const wanted = [
    { name: 'main', format: 'mp4' },
    { name: 'pieces', format: 'mp4', fragmented: true },
    { name: 'mono', format: 'mp4', audio: { channels: 1 } },
    { name: 'edit', format: 'mov', codec: 'h264' },
    { name: 'apple', format: 'mov', codec: 'h264', audio: { codec: 'aac' } },
    { name: 'web', format: 'webm', codec: 'av1' },
    { name: 'av1', format: 'mp4', codec: 'av1' },
    { name: 'vp9', format: 'webm' },
  ];
  const { path } = await render('containers', movie('three', wanted));
  const hashes = new Map<string, string>();
  for (const [name, extension, codec, sound, channels] of [
    ['main', 'mp4', 'h264', 'aac', 2],
    ['pieces', 'mp4', 'h264', 'aac', 2],
    ['mono', 'mp4', 'h264', 'aac', 1],
    ['edit', 'mov', 'h264', 'pcm_s16le', 2],
    ['apple', 'mov', 'h264', 'aac', 2],
    ['web', 'webm', 'av1', 'opus', 2],
    ['av1', 'mp4', 'av1', 'aac', 2],
    ['vp9', 'webm', 'vp9', 'opus', 2],
  ] as const) {
    const file = path(name, extension);
    const { streams, format } = ffprobe(file);
    expect([name, streams.map(({ codec_name }) => codec_name)]).toEqual([name, [codec, sound]]);
    expect([name, streams[0]?.avg_frame_rate, streams[1]?.channels]).toEqual([name, '25/1', channels]);
    expect(Math.abs(Number(format.duration) - 3), `${name} lasts ${format.duration} s`).toBeLessThan(0.03);
    const { frames } = await decodeFrames(file, 'gray');
    expect([name, frames.length]).toEqual([name, 75]);
    hashes.set(name, createHash('sha256').update(Buffer.concat(frames)).digest('hex'));
    expect([name, await startOfTone(file)]).toEqual([name, expect.closeTo(0, 2)]);
  }
  for (const name of ['pieces', 'mono', 'edit', 'apple']) expect([name, hashes.get(name)]).toEqual([name, hashes.get('main')]);
  expect(hashes.get('web')).toBe(hashes.get('av1'));
  const boxes = (await readFile(path('pieces'))).toString('latin1');
  expect([boxes.includes('moof'), boxes.indexOf('moov') < boxes.indexOf('moof')]).toEqual([true, true]);
  // Two segments of each codec, however many files have them.
  expect((await render('containers-again', movie('three', wanted))).reused).toBe(6);
}, 120_000);

/** When the sound of a file begins, in seconds. */
async function startOfTone(path: string): Promise<number> {
  const wav = `${path}.tone.wav`;
  await ffmpeg('-i', path, '-ac', '1', '-ar', '48000', '-c:a', 'pcm_s16le', wav);
  const samples = (await readFile(wav)).subarray(44);
  for (let index = 0; index < samples.length / 2; ++index) if (Math.abs(samples.readInt16LE(index * 2)) > 400) return index / 48_000;
  return Number.POSITIVE_INFINITY;
}

function psnr(a: Buffer, b: Buffer): number {
  const squares = a.reduce((sum, value, index) => sum + (value - (b[index] ?? 0)) ** 2, 0);
  return 10 * Math.log10((255 * 255 * a.length) / Math.max(1, squares));
}
