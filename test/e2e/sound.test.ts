import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderScript, temporaryFolder } from '../support/cli.js';
import { decodeSamples, ffmpeg, ffprobe, rms } from '../support/ffmpeg.js';

let folder: { path: string; remove: () => Promise<void> };
beforeAll(async () => {
  folder = await temporaryFolder();
  await ffmpeg('-f', 'lavfi', '-i', 'aevalsrc=0.5*sin(2*PI*1000*t)|0.5*sin(2*PI*1000*t):s=48000:d=4', join(folder.path, 'tone.wav'));
  // A single click, one second in.
  await ffmpeg('-f', 'lavfi', '-i', "aevalsrc='if(between(n,48000,48010),0.9,0)':s=48000:d=2", join(folder.path, 'click.wav'));
});
afterAll(() => folder.remove());

const amplitude = 0.5 / Math.SQRT2;

test('sound starts, stops, fades and has the volume of the script', async () => {
  const script = {
    width: 320,
    height: 180,
    fps: 30,
    scenes: [
      { duration: 1, elements: [] },
      { duration: 3, elements: [{ type: 'audio', src: 'tone.wav', start: 0.5, duration: 2, volume: 0.5, 'fade-out': 1 }] },
    ],
  };
  const output = await renderScript(script, folder.path, { name: 'levels' });
  const samples = await decodeSamples(output);
  expect(rms(samples, 0, 1.45)).toBeLessThan(0.002);
  expect(rms(samples, 1.6, 2.4)).toBeCloseTo(amplitude * 0.5, 2);
  expect(rms(samples, 2.98, 3.02)).toBeCloseTo(amplitude * 0.25, 2);
  expect(rms(samples, 3.6, 4)).toBeLessThan(0.002);
  const { streams } = ffprobe(output);
  expect(streams.find((stream) => stream.codec_type === 'audio')).toMatchObject({ codec_name: 'aac', sample_rate: '48000', channels: 2 });
  expect(Number(streams.find((stream) => stream.codec_type === 'audio')?.duration)).toBeCloseTo(4, 1);
});

test('a click is at its exact time, after a seek and over scene cuts', async () => {
  const script = {
    width: 320,
    height: 180,
    fps: 29.97,
    scenes: Array.from({ length: 5 }, () => ({ duration: 0.5, elements: [] })),
    elements: [{ type: 'audio', src: 'click.wav', seek: 0.25, start: 0.5 }],
  };
  const samples = await decodeSamples(await renderScript(script, folder.path, { name: 'click' }));
  const loudest = samples.reduce((best, sample, index) => (Math.abs(sample) > Math.abs(samples[best] ?? 0) ? index : best), 0);
  expect(Math.abs(loudest / 48_000 - 1.25)).toBeLessThan(0.001 + 1 / 59.94);
});

test('a sum above full scale neither wraps nor crackles', async () => {
  const tone = { type: 'audio', src: 'tone.wav', volume: 1.5 };
  const script = { width: 320, height: 180, scenes: [{ duration: 2, elements: [tone, tone, tone] }] };
  const samples = await decodeSamples(await renderScript(script, folder.path, { name: 'loud' }));
  const steady = samples.subarray(24_000, 72_000);
  expect(Math.max(...steady)).toBeLessThanOrEqual(1.02);
  // A 1 kHz sine of full scale moves at most 0.131 a sample; wrapped or clipped corners would jump further.
  const steps = steady.subarray(1).map((sample, index) => Math.abs(sample - (steady[index] ?? 0)));
  expect(Math.max(...steps)).toBeLessThan(0.16);
});
