import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderScript, temporaryFolder } from '../support/cli.js';
import { decodeFrames, decodeSamples, ffmpeg } from '../support/ffmpeg.js';

const RATE = 48_000;
const FPS = 10;
const SCENES = 60;
const SECONDS = 300;

let folder: { path: string; remove: () => Promise<void> };
beforeAll(async () => {
  folder = await temporaryFolder();
  // A flash of 0.2 s and a falling chirp of 10 ms at the start of the clip, then black and silence.
  const clip = (name: string, rate: number, sound: number) =>
    ffmpeg(
      ...['-f', 'lavfi', '-i', `color=black:s=64x48:r=${rate}:d=6,drawbox=c=white:t=fill:enable='lt(t,0.2)'`],
      ...['-f', 'lavfi', '-i', `aevalsrc='${CHIRP}|${CHIRP}':s=${sound}:d=6`],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-b:a', '192k', join(folder.path, name)],
    );
  // Frame rates that the movie's rate does not divide.
  await Promise.all([clip('a.mp4', 25, 48_000), clip('b.mp4', 24, 44_100)]);
  // Syllables of a voice that starts and ends with silence.
  await ffmpeg('-f', 'lavfi', '-i', "aevalsrc='0.12*sin(2*PI*(140+20*sin(3*t))*t)*pow(sin(PI*t/0.25),2)':s=48000:d=3", join(folder.path, 'voice.wav'));
  await ffmpeg('-f', 'lavfi', '-i', 'aevalsrc=0.1*sin(2*PI*110*t)|0.1*sin(2*PI*110*t):s=48000:d=301', join(folder.path, 'drone.wav'));
});
afterAll(() => folder.remove());

const CHIRP = 'if(lt(t,0.01),0.35*sin(2*PI*(6000-200000*t)*t)*sin(PI*t/0.01),0)';
const chirp = Float32Array.from({ length: RATE / 100 }, (_, n) => {
  const t = n / RATE;
  return 0.35 * Math.sin(2 * Math.PI * (6000 - 200_000 * t) * t) * Math.sin((Math.PI * t) / 0.01);
});

/** The sample near the expected one at which the chirp correlates best. */
function chirpNear(samples: Float32Array, expected: number): number {
  let best = { at: -1, match: -1 };
  for (let at = Math.max(0, expected - RATE / 50); at < expected + RATE / 50; at += 1) {
    let match = 0;
    for (let n = 0; n < chirp.length; n += 1) match += (samples[at + n] ?? 0) * (chirp[n] ?? 0);
    if (match > best.match) best = { at, match };
  }
  return best.at;
}

/** The largest third difference near a sample, which is small for a smooth wave. */
function roughness(samples: Float32Array, at: number, reach: number): number {
  let largest = 0;
  for (let n = Math.max(3, at - reach); n < at + reach; n += 1) {
    const third = (samples[n] ?? 0) - 3 * (samples[n - 1] ?? 0) + 3 * (samples[n - 2] ?? 0) - (samples[n - 3] ?? 0);
    largest = Math.max(largest, Math.abs(third));
  }
  return largest;
}

test('video and sound stay in sync over five minutes of cuts', { timeout: 120_000 }, async () => {
  // Durations that are not whole frames, so that errors would add up.
  const lengths = Array.from({ length: SCENES }, (_, k) => SECONDS / SCENES + (k % 2 === 0 ? 0.037 : -0.037));
  const scenes = lengths.map((duration, k) => ({
    duration,
    elements: [
      { type: 'video', src: k % 3 === 0 ? 'b.mp4' : 'a.mp4', resize: 'cover' },
      { type: 'audio', src: 'voice.wav', start: 1 },
    ],
  }));
  const elements = [{ type: 'audio', src: 'drone.wav', duration: -2 }];
  const output = await renderScript({ width: 64, height: 48, fps: FPS, quality: 'high', scenes, elements }, folder.path, { name: 'cuts' });
  const [{ frames }, samples] = await Promise.all([decodeFrames(output, 'gray'), decodeSamples(output)]);
  expect(frames).toHaveLength(SECONDS * FPS);
  expect(Math.abs(samples.length - SECONDS * RATE)).toBeLessThan(2048);

  let end = 0;
  for (const [k, length] of lengths.entries()) {
    const frame = Math.round(end * FPS + 1e-6);
    const sample = (frame * RATE) / FPS;
    const isLit = (index: number) => (frames[index]?.[64 * 24 + 32] ?? 0) > 128;
    expect([frame - 1, frame, frame + 1, frame + 3].map(isLit), `the flash of scene ${k}`).toEqual([false, true, true, false]);
    expect(Math.abs(chirpNear(samples, sample) - sample), `the chirp of scene ${k}`).toBeLessThanOrEqual(1);
    end += length;
  }
  // The drone continues under every cut: its level stays, and there is no click before the chirp.
  let time = 0;
  for (const length of lengths.slice(0, -1)) {
    time += length;
    const cut = (Math.round(time * FPS + 1e-6) * RATE) / FPS;
    const before = samples.subarray(cut - 2400, cut - 480);
    expect(Math.sqrt(before.reduce((sum, x) => sum + x * x, 0) / before.length)).toBeCloseTo(0.0707, 2);
    expect(roughness(samples, cut - 300, 150)).toBeLessThan(0.004);
  }
});

test('a sound that continues from scene to scene has no seam, with and without transitions', async () => {
  const part = (k: number, more: object = {}) => ({ duration: 1, ...more, elements: [{ type: 'audio', src: 'drone.wav', seek: k, volume: 3 }] });
  const transition = { style: 'fade', duration: 0.5 };
  const scenes = [part(0), part(1), part(2), part(3, { transition }), part(4, { transition })];
  const samples = await decodeSamples(await renderScript({ width: 64, height: 48, fps: FPS, scenes }, folder.path, { name: 'seam' }));
  let farthest = 0;
  for (let n = 2400; n < 4.9 * RATE; n += 1) farthest = Math.max(farthest, Math.abs((samples[n] ?? 0) - 0.3 * Math.sin((2 * Math.PI * 110 * n) / RATE)));
  expect(farthest).toBeLessThan(0.02);
});

test('unrelated sounds crossfade at equal power', async () => {
  await ffmpeg('-f', 'lavfi', '-i', 'anoisesrc=c=pink:a=0.5:d=6:r=48000:seed=1', join(folder.path, 'one.wav'));
  await ffmpeg('-f', 'lavfi', '-i', 'anoisesrc=c=pink:a=0.5:d=6:r=48000:seed=2', join(folder.path, 'two.wav'));
  const scene = (src: string, more: object = {}) => ({ duration: 3, ...more, elements: [{ type: 'audio', src }] });
  const scenes = [scene('one.wav'), scene('two.wav', { transition: { style: 'fade', duration: 2 } })];
  const samples = await decodeSamples(await renderScript({ width: 64, height: 48, fps: FPS, scenes }, folder.path, { name: 'cross' }));
  const level = (from: number, to: number) => Math.sqrt(samples.subarray(from * RATE, to * RATE).reduce((sum, x) => sum + x * x, 0) / ((to - from) * RATE));
  for (const [from, to] of [
    [3.2, 3.8],
    [3.7, 4.3],
    [4.2, 4.8],
  ] as const) {
    expect(20 * Math.log10(level(from, to) / level(0.5, 2.5))).toBeGreaterThan(-1.5);
    expect(20 * Math.log10(level(from, to) / level(0.5, 2.5))).toBeLessThan(1.5);
  }
});
