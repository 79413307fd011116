import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderScript, temporaryFolder } from '../support/cli.js';
import { ffmpeg } from '../support/ffmpeg.js';

/** Balance, pitch and equalizer, measured in what ffmpeg decodes. */

const SECONDS = 3;
const RATE = 48_000;
/** When the click sounds, in seconds. */
const CLICK = 1.5;
let folder: { path: string; remove: () => Promise<void> };

beforeAll(async () => {
  folder = await temporaryFolder();
  const tone = (hertz: number, name: string) =>
    ffmpeg(...['-f', 'lavfi', '-i', `aevalsrc='0.1*sin(2*PI*${hertz}*t)|0.1*sin(2*PI*${hertz}*t)':s=48000:d=${SECONDS}`, join(folder.path, name)]);
  await tone(100, 'low.wav');
  await tone(1000, 'tone.wav');
  await tone(8000, 'high.wav');
  await ffmpeg('-i', join(folder.path, 'tone.wav'), '-t', '0.5', join(folder.path, 'short.wav'));
  const video = ['-f', 'lavfi', '-i', `testsrc=s=64x64:r=25:d=${SECONDS}`, '-i', join(folder.path, 'tone.wav')];
  await ffmpeg(...video, '-c:v', 'libx264', '-c:a', 'aac', '-shortest', join(folder.path, 'tone.mp4'));
  await ffmpeg('-f', 'lavfi', '-i', `aevalsrc='0.5*between(t,${CLICK},${CLICK + 0.001})':s=48000:d=${SECONDS}`, join(folder.path, 'click.wav'));
});
afterAll(() => folder.remove());

let count = 0;
const rendered = new Map<string, ReturnType<typeof renderOnce>>();

/** Both channels of a movie with one sound; each is rendered once. */
function render(element: object) {
  const key = JSON.stringify(element);
  const known = rendered.get(key) ?? renderOnce(element);
  rendered.set(key, known);
  return known;
}

async function renderOnce(element: object): Promise<[left: Float32Array, right: Float32Array]> {
  const script = { width: 64, height: 64, fps: 25, scenes: [{ elements: [{ type: 'audio', src: 'tone.wav', ...element }] }] };
  const output = await renderScript(script, folder.path, { name: `sound-${count++}` });
  const bytes = execFileSync('ffmpeg', ['-v', 'error', '-i', output, '-map', '0:a', '-f', 'f32le', '-ac', '2', '-ar', `${RATE}`, '-'], {
    maxBuffer: 1 << 28,
  });
  const samples = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  expect(samples.every(Number.isFinite)).toBe(true);
  expect(Math.abs(samples.length / 2 / RATE - SECONDS)).toBeLessThan(0.05);
  return [samples.filter((_, index) => index % 2 === 0), samples.filter((_, index) => index % 2 === 1)];
}

/** Level of the middle second in dB. */
function level(samples: Float32Array): number {
  const middle = samples.subarray(RATE, 2 * RATE);
  return 10 * Math.log10(middle.reduce((sum, value) => sum + value * value, 0) / middle.length + 1e-20);
}

/** Frequency by rises through zero in the middle second. */
function frequency(samples: Float32Array): number {
  let rises = 0;
  for (let index = RATE; index < 2 * RATE; index++) if ((samples[index - 1] ?? 0) < 0 && (samples[index] ?? 0) >= 0) rises += 1;
  return rises;
}

/** Time of the largest sample, in seconds. */
const peakTime = (samples: Float32Array) => samples.reduce((best, value, index) => (Math.abs(value) > Math.abs(samples[best] ?? 0) ? index : best), 0) / RATE;

describe('balance', () => {
  it.each([
    [-1, 0, -100],
    [-0.5, 0, -3.01],
    [0.5, -3.01, 0],
    [1, -100, 0],
  ])('%s changes left by %s dB and right by %s dB', async (balance, left, right) => {
    const [plain, balanced] = [await render({}), await render({ balance })];
    for (const [channel, change] of [left, right].entries()) {
      const measured = level(balanced[channel] as Float32Array) - level(plain[channel] as Float32Array);
      if (change === -100) expect(measured).toBeLessThan(-60);
      else expect(Math.abs(measured - change)).toBeLessThan(0.2);
    }
  });
});

describe('pitch', () => {
  it.each([
    [12, 2000],
    [-12, 500],
    [7, 1498.3],
  ])('%s semitones put 1000 Hz at %s Hz', async (pitch, hertz) => {
    const [left, right] = await render({ pitch });
    expect(Math.abs(frequency(left) / hertz - 1)).toBeLessThan(0.005);
    expect(Math.abs(level(left) - level(right))).toBeLessThan(0.1);
    // No gap, no change of the level.
    expect(Math.abs(level(left) - 20 * Math.log10(0.1 / Math.SQRT2))).toBeLessThan(1);
  });

  it('is higher or lower at another speed, too', async () => {
    const [left] = await render({ pitch: 12, speed: 0.5, duration: SECONDS });
    expect(Math.abs(frequency(left) / 2000 - 1)).toBeLessThan(0.005);
    const speed = [
      { time: 0, value: 1 },
      { time: SECONDS, value: 0.999 },
    ];
    const [ramped] = await render({ pitch: 12, speed, keep_pitch: false, duration: SECONDS });
    expect(Math.abs(frequency(ramped) / 2000 - 1)).toBeLessThan(0.01);
  });
});

describe('equalizer', () => {
  it.each([
    ['low.wav', [{ type: 'high_pass', frequency: 1000 }], -40],
    ['high.wav', [{ type: 'high_pass', frequency: 1000 }], 0],
    ['high.wav', [{ type: 'low_pass', frequency: 1000 }], -37],
    ['low.wav', [{ type: 'low_pass', frequency: 1000 }], 0],
    ['tone.wav', [{ type: 'peak', frequency: 1000, gain: 6 }], 6],
    ['high.wav', [{ type: 'peak', frequency: 1000, gain: 6, q: 2 }], 0],
    ['low.wav', [{ type: 'low_shelf', frequency: 1000, gain: -12 }], -12],
    ['high.wav', [{ type: 'low_shelf', frequency: 1000, gain: -12 }], 0],
    ['high.wav', [{ type: 'high_shelf', frequency: 1000, gain: 6 }], 6],
    ['low.wav', [{ type: 'high_shelf', frequency: 1000, gain: 6 }], 0],
    ['tone.wav', Array(10).fill({ type: 'peak', frequency: 1000, gain: 1 }), 10],
  ])('%s through %j changes by %s dB', async (src, equalizer, change) => {
    const [plain, filtered] = [await render({ src }), await render({ src, equalizer })];
    expect(Math.abs(level(filtered[0]) - level(plain[0]) - change)).toBeLessThan(change < -30 ? 2 : 0.5);
  });
});

it.each([
  ['a loop', { src: 'short.wav', loop: 6 }],
  ['reverse', { reverse: true }],
  ['seek', { src: 'tone.wav', seek: -2, loop: 2, duration: SECONDS }],
  ['fades', { fade_in: 0.5, fade_out: 0.5 }],
  [
    'keyframes of the volume',
    {
      keyframes: [
        { time: 0, volume: 0.2 },
        { time: 0.9, volume: 1 },
      ],
    },
  ],
  ['a video', { type: 'video', src: 'tone.mp4' }],
  ['a reversed video at another speed', { type: 'video', src: 'tone.mp4', reverse: true, speed: 0.8, duration: SECONDS }],
])('pitch, equalizer and balance go together with %s', async (_, more) => {
  const [plain] = await render({ ...more, pitch: 12 });
  expect(Math.abs(frequency(plain) / 2000 - 1)).toBeLessThan(0.01);
  const equalizer = [{ type: 'peak', frequency: 2000, gain: 6 }];
  const [left, right] = await render({ ...more, pitch: 12, equalizer, balance: -1 });
  expect(Math.abs(level(left) - level(plain) - 6)).toBeLessThan(0.5);
  expect(level(right) - level(plain)).toBeLessThan(-50);
});

it.each([{ balance: 0.3 }, { pitch: 5 }, { pitch: -5 }, { equalizer: [{ type: 'high_shelf', frequency: 2000, gain: 6 }] }])(
  '%j leaves a click at its time',
  async (effects) => {
    const at = peakTime((await render({ src: 'click.wav', ...effects }))[1]);
    expect(Math.abs(at - CLICK)).toBeLessThan('pitch' in effects ? 0.005 : 0.0015);
  },
);

describe('keyframes', () => {
  const keyed = (first: object, last: object) => [
    { time: 0.5, ...first },
    { time: 2.5, ...last },
  ];

  it('of pitch move a tone evenly', async () => {
    const [left] = await render({ keyframes: keyed({ pitch: 0 }, { pitch: 12 }) });
    const around = (seconds: number) => {
      const part = left.subarray((seconds - 0.1) * RATE, (seconds + 0.1) * RATE);
      return part.reduce((rises, value, index) => rises + Number(index > 0 && (part[index - 1] as number) < 0 && value >= 0), 0) / 0.2;
    };
    for (const [seconds, expected] of [
      [0.3, 1000],
      [1, 2 ** (3 / 12) * 1000],
      [1.5, 2 ** (6 / 12) * 1000],
      [2, 2 ** (9 / 12) * 1000],
      [2.7, 2000],
    ] as const)
      expect(Math.abs(around(seconds) / expected - 1), `at ${seconds} s`).toBeLessThan(0.04);
    // No clicks: between samples a tone of this level changes little.
    expect(
      left.subarray(RATE / 10).reduce((largest, value, index) => Math.max(largest, Math.abs(value - (left[RATE / 10 + index - 1] as number))), 0),
    ).toBeLessThan(0.04);
  });

  it('of the equalizer move its filters', async () => {
    const equalizer = [{ type: 'peak', frequency: 1000, gain: 0, q: 1 }];
    const [left] = await render({ equalizer, keyframes: keyed({ equalizer: [{ gain: 0 }] }, { equalizer: [{ gain: -24 }] }) });
    const at = (seconds: number) => {
      const part = left.subarray((seconds - 0.05) * RATE, (seconds + 0.05) * RATE);
      return 10 * Math.log10(part.reduce((sum, value) => sum + value * value, 0) / part.length);
    };
    expect(Math.abs(at(1.5) - at(0.3) + 12)).toBeLessThan(0.5);
    expect(Math.abs(at(2.7) - at(0.3) + 24)).toBeLessThan(0.5);
  });

  it('of the reverb take the sound into the room', async () => {
    const reverb = { size: 0.5, decay: 2, wet: 0.5, damping: 0 };
    const wet = (share: number) => render({ src: 'click.wav', reverb, keyframes: [{ time: 0, reverb: { wet: share } }] });
    const tail = ([left]: Awaited<ReturnType<typeof render>>) =>
      10 * Math.log10(left.subarray(2 * RATE, 2.5 * RATE).reduce((sum, value) => sum + value * value, 1e-20));
    const [dry, half] = [tail(await wet(0)), tail(await wet(0.5))];
    expect(half - dry).toBeGreaterThan(60);
  });
});
