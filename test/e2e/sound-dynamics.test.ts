import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderScript, temporaryFolder } from '../support/cli.js';
import { decodeSamples, ffmpeg } from '../support/ffmpeg.js';

/** Compressor, reverb and noise reduction, measured in what ffmpeg decodes: one movie each, each case a scene of its own. */

const RATE = 48_000;
const SECONDS = 2;
let folder: { path: string; remove: () => Promise<void> };

/** Peak levels in dBFS of the tones. */
const LEVELS = [-40, -27, -20, -6] as const;
const curve = { threshold: -30, ratio: 4, attack: 0.002, release: 0.1, knee: 0, makeup: 6 };
const cases = {
  ...Object.fromEntries(LEVELS.map((level) => [`${level} dB`, { src: `tone${level}.wav`, compressor: curve }])),
  plain: { src: 'tone-20.wav' },
  off: { src: 'tone-20.wav', compressor: false },
  usual: { src: 'tone-6.wav', compressor: true },
  video: { type: 'video', src: 'tone.mp4', compressor: curve },
  'two syllables': { src: 'step.wav', compressor: { ...curve, makeup: 0, attack: 0.02, release: 0.2 } },
  'after a peak of the equalizer': { src: 'tone-20.wav', equalizer: [{ type: 'peak', frequency: 1000, gain: 10 }], compressor: curve },
  'before the volume': { src: 'tone-20.wav', compressor: curve, volume: 0.5 },
};
let left: Float32Array;
let right: Float32Array;

beforeAll(async () => {
  folder = await temporaryFolder();
  const sound = (name: string, expression: string) => ffmpeg('-f', 'lavfi', '-i', `aevalsrc='${expression}':s=48000:d=${SECONDS}`, join(folder.path, name));
  for (const level of LEVELS) {
    const peak = 10 ** (level / 20);
    // The right channel is quieter by 20 dB.
    await sound(`tone${level}.wav`, `${peak}*sin(2*PI*1000*t)|${peak / 10}*sin(2*PI*1000*t)`);
  }
  await sound('step.wav', 'if(between(t,0.5,1.2),0.5,0.02)*sin(2*PI*1000*t)');
  await ffmpeg(
    '-f',
    'lavfi',
    '-i',
    `color=black:s=64x64:r=25:d=${SECONDS}`,
    '-i',
    join(folder.path, 'tone-20.wav'),
    '-b:a',
    '256k',
    join(folder.path, 'tone.mp4'),
  );
  const scenes = Object.values(cases).map((element) => ({ duration: SECONDS, elements: [{ type: 'audio', ...element }] }));
  const output = await renderScript({ width: 64, height: 64, fps: 25, quality: 'high', scenes }, folder.path);
  [left, right] = await Promise.all([decodeSamples(output), decodeSamples(output, 1)]);
}, 60_000);
afterAll(() => folder.remove());

/** Peak level of a tone in dBFS by its mean square, from `start` to `end` seconds of a case. */
function level(samples: Float32Array, name: keyof typeof cases | string, start = 0.8, end = 1.8): number {
  const first = Object.keys(cases).indexOf(name) * SECONDS;
  const part = samples.subarray(Math.round((first + start) * RATE), Math.round((first + end) * RATE));
  return 10 * Math.log10((2 * part.reduce((sum, value) => sum + value * value, 0)) / part.length + 1e-20);
}

describe('compressor', () => {
  it.each([
    [-40, -34],
    [-27, -23.25],
    [-20, -21.5],
    [-6, -18],
  ])('a tone of %s dB comes out at %s dB, and both channels change alike', (before, after) => {
    expect(Math.abs(level(left, `${before} dB`) - after)).toBeLessThan(0.25);
    expect(Math.abs(level(right, `${before} dB`) - (after - 20))).toBeLessThan(0.25);
  });

  it('false changes nothing', () => {
    expect(Math.abs(level(left, 'off') - level(left, 'plain'))).toBeLessThan(0.02);
  });

  it('true lowers by 3:1 above -24 dB and makes up for half of the reduction at full scale', () => {
    expect(Math.abs(level(left, 'usual') - (-24 + 18 / 3 + 8))).toBeLessThan(0.25);
  });

  it('works in videos', () => {
    expect(Math.abs(level(left, 'video') - -21.5)).toBeLessThan(0.3);
  });

  it('follows the equalizer and precedes the volume', () => {
    expect(Math.abs(level(left, 'after a peak of the equalizer') - -19)).toBeLessThan(0.3);
    expect(Math.abs(level(left, 'before the volume') - (-21.5 - 6.02))).toBeLessThan(0.25);
  });

  it('reacts with its attack and its release', () => {
    const at = (seconds: number) => level(left, 'two syllables', seconds - 0.001, seconds + 0.001);
    // The reduction rises at 0.5 s and falls at 1.2 s; of the change 1/e remains after one time constant. The release starts after the attack.
    const loud = level(left, 'two syllables', 0.9, 1.1);
    const quiet = level(left, 'two syllables', 0.4, 0.49);
    const reduction = quiet + 20 * Math.log10(0.5 / 0.02) - loud;
    expect(Math.abs(at(0.52) - loud - reduction / Math.E)).toBeLessThan(0.8);
    expect(Math.abs(quiet - at(1.2 + 0.2 + 0.02) - reduction / Math.E)).toBeLessThan(0.8);
  });
});

describe('reverb', () => {
  /** Seconds of a scene: a burst of noise of 0.2 s at its start, whose element ends with it, and then its reverb. */
  const SCENE = 3;
  const reverbs = {
    room: true,
    hall: 'hall',
    plate: 'plate',
    own: { decay: 1, wet: 1, pre_delay: 0.2, size: 0.5, damping: 0 },
    'none, after a reverb': undefined,
    'faded out': 'hall',
    'at the end': { decay: 5, wet: 0.8 },
  } as const;
  const sounds: Float32Array[] = [];
  const start = (name: keyof typeof reverbs) => Object.keys(reverbs).indexOf(name) * SCENE;
  const part = (name: keyof typeof reverbs, from: number, to: number, channel = 0) =>
    (sounds[channel] as Float32Array).subarray(Math.round((start(name) + from) * RATE), Math.round((start(name) + to) * RATE));
  const decibels = (samples: Float32Array) => 10 * Math.log10(samples.reduce((sum, value) => sum + value * value, 0) / samples.length + 1e-20);

  beforeAll(async () => {
    // Noise between 300 and 1500 Hz, where the reverb has its decay time.
    const noise = 'anoisesrc=a=0.5:d=0.2:r=48000:seed=4,highpass=f=300:p=2,lowpass=f=1500:p=2,afade=out:st=0.19:d=0.01';
    await ffmpeg('-f', 'lavfi', '-i', noise, '-ac', '2', join(folder.path, 'burst.wav'));
    const scenes = Object.entries(reverbs).map(([name, reverb]) => ({
      duration: name === 'at the end' ? 1 : SCENE,
      elements: [{ type: 'audio', src: 'burst.wav', ...(reverb && { reverb }), ...(name === 'faded out' && { fade_out: 0.1 }) }],
    }));
    const output = await renderScript({ width: 64, height: 64, fps: 25, quality: 'high', scenes }, folder.path, { name: 'reverb' });
    sounds.push(...(await Promise.all([decodeSamples(output), decodeSamples(output, 1)])));
  }, 60_000);

  /** Seconds for 60 dB by Schroeder's integral between two levels below that after the burst. */
  function decay(samples: Float32Array, from: number, to: number): number {
    let rest = samples.reduce((sum, value) => sum + value * value, 0);
    const total = rest;
    const times: number[] = [];
    for (const [index, value] of samples.entries()) {
      if (times.length < 2 && 10 * Math.log10(rest / total) < (times.length === 0 ? from : to)) times.push(index / RATE);
      rest -= value * value;
    }
    const [first = 0, last = 0] = times;
    return ((last - first) * 60) / (from - to);
  }

  it.each([
    ['room', 0.5],
    ['hall', 2.2],
    ['plate', 1.4],
    ['own', 1],
  ] as const)('%s falls by 60 dB in %s s after the end of its element', (name, seconds) => {
    for (const channel of [0, 1]) {
      const measured = decay(part(name, name === 'own' ? 0.6 : 0.25, SCENE - 0.05, channel), -3, -28);
      expect(Math.abs(measured / seconds - 1)).toBeLessThan(0.1);
    }
  });

  it('has the level of the sound at any share, and starts after its delay', () => {
    const plain = part('none, after a reverb', 0, 0.2);
    // The energy of the sound is that of its reverb.
    const energy = (samples: Float32Array) => samples.reduce((sum, value) => sum + value * value, 0);
    expect(Math.abs(10 * Math.log10(energy(part('own', 0, SCENE)) / energy(plain)))).toBeLessThan(2);
    expect(decibels(part('own', 0.01, 0.19)) - decibels(plain)).toBeLessThan(-50);
    expect(decibels(part('room', 0, 0.2)) - decibels(plain)).toBeGreaterThan(-1.5);
    expect(decibels(part('room', 0, 0.2)) - decibels(plain)).toBeLessThan(1.5);
  });

  it('is there in mono, too', () => {
    const [one, two] = [part('hall', 0.3, 1.5), part('hall', 0.3, 1.5, 1)];
    const mono = one.map((value, index) => (value + (two[index] ?? 0)) / 2);
    expect(decibels(mono) - decibels(one)).toBeGreaterThan(-4.5);
  });

  it('fades out with its element, and without one there is silence', () => {
    expect(decibels(part('none, after a reverb', 0.5, 2.5))).toBeLessThan(-80);
    expect(decibels(part('faded out', 0.3, 2.5))).toBeLessThan(-80);
  });

  it('has no click where the movie ends', () => {
    const end = part('at the end', 0.9, 1);
    expect(decibels(end)).toBeGreaterThan(-70);
    expect(decibels(end.subarray(-24))).toBeLessThan(decibels(end) - 15);
  });
});

it('brings quiet and loud words of a real voice closer together, and keeps the loudness', async () => {
  execFileSync('espeak-ng', ['-w', join(folder.path, 'espeak.wav'), 'Good evening. After a long discussion they decided to build the bridge.']);
  // The same words again, 12 dB quieter.
  const twice = ['-filter_complex', 'aresample=48000,asplit[a][b];[b]volume=-12dB[c];[a][c]concat=n=2:v=0:a=1'];
  await ffmpeg('-i', join(folder.path, 'espeak.wav'), ...twice, join(folder.path, 'words.wav'));
  const script = { width: 64, height: 64, fps: 25, scenes: [{ elements: [{ type: 'audio', src: 'words.wav', compressor: true }] }] };
  const output = await renderScript(script, folder.path, { name: 'words' });
  const before = await decodeSamples(join(folder.path, 'words.wav'));
  const after = await decodeSamples(output);
  const middle = before.length / 2;
  const decibels = (samples: Float32Array) => 10 * Math.log10(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);
  const loud = decibels(after.subarray(0, middle));
  const quiet = decibels(after.subarray(middle, before.length));
  expect(Math.abs(loud - quiet - 6)).toBeLessThan(1.5);
  expect(Math.abs(loud - decibels(before.subarray(0, middle)))).toBeLessThan(3);
});

it('lowers noise by its decibels and brings out the voice', async () => {
  execFileSync('espeak-ng', ['-w', join(folder.path, 'dry.wav'), 'Good evening. After a long discussion they decided to build the bridge.']);
  // A second of noise alone at the start and at the end.
  await ffmpeg('-i', join(folder.path, 'dry.wav'), '-af', 'aresample=48000,adelay=1000:all=1,apad=pad_dur=1', join(folder.path, 'clean.wav'));
  const mix = '[1]volume=-20dB[n];[0][n]amix=inputs=2:duration=first:normalize=0';
  const noise = 'anoisesrc=c=white:a=0.6:r=48000:seed=8';
  await ffmpeg('-i', join(folder.path, 'clean.wav'), '-f', 'lavfi', '-i', noise, '-filter_complex', mix, join(folder.path, 'noisy.wav'));
  const element = (denoise?: number | boolean) => ({ type: 'audio', src: 'noisy.wav', ...(denoise !== undefined && { denoise }) });
  const length = (await decodeSamples(join(folder.path, 'clean.wav'))).length / RATE;
  const duration = Math.ceil(length * 25) / 25;
  const settings = [undefined, true, 6];
  const script = { width: 64, height: 64, fps: 25, quality: 'high', scenes: settings.map((value) => ({ duration, elements: [element(value)] })) };
  const samples = await decodeSamples(await renderScript(script, folder.path, { name: 'noise' }));
  const clean = await decodeSamples(join(folder.path, 'clean.wav'));
  const [plain, usual, gentle] = settings.map((_, index) => samples.subarray(Math.round(index * duration * RATE), Math.round((index + 1) * duration * RATE)));
  const decibels = (part: Float32Array) => 10 * Math.log10(part.reduce((sum, value) => sum + value * value, 0) / part.length);
  const alone = (sound: Float32Array = new Float32Array()) => decibels(sound.subarray(0.1 * RATE, 0.9 * RATE));
  const atEnd = (sound: Float32Array = new Float32Array()) => decibels(sound.subarray((length - 0.8) * RATE, (length - 0.1) * RATE));
  for (const level of [alone, atEnd]) {
    expect(Math.abs(level(usual) - level(plain) + 15)).toBeLessThan(1.5);
    expect(Math.abs(level(gentle) - level(plain) + 6)).toBeLessThan(1);
  }
  const ratio = (sound: Float32Array = new Float32Array()) => decibels(clean) - decibels(clean.map((value, index) => (sound[index] ?? 0) - value));
  expect(ratio(plain)).toBeGreaterThan(2);
  expect(ratio(plain)).toBeLessThan(15);
  expect(ratio(usual) - ratio(plain)).toBeGreaterThan(4);
});
