import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderScript, temporaryFolder } from '../support/cli.js';
import { decodeFrames, type Frames, ffmpeg, ffprobe } from '../support/ffmpeg.js';

/** Clips at other speeds: which frame shows, when a beep sounds, and how high. */

const FPS = 25;
const SECONDS = 4;
/** When the beeps of the clip begin, in seconds. */
const BEEPS = [0.5, 1.5, 3];
const GREY_STEP = 2;
let folder: { path: string; remove: () => Promise<void> };

beforeAll(async () => {
  folder = await temporaryFolder();
  const beeps = BEEPS.map((at) => `between(t,${at},${at + 0.1})`).join('+');
  // The grey of a frame is its number.
  await ffmpeg(
    ...['-f', 'lavfi', '-i', `color=black:s=64x64:r=${FPS}:d=${SECONDS},format=yuv420p,geq=lum='16+${GREY_STEP}*N':cb=128:cr=128`],
    ...['-f', 'lavfi', '-i', `aevalsrc='0.5*sin(2*PI*1000*t)*(${beeps})':s=48000:d=${SECONDS}`],
    ...['-c:v', 'libx264', '-crf', '1', '-preset', 'veryfast', '-g', '20', '-c:a', 'aac', '-b:a', '192k', join(folder.path, 'clip.mp4')],
  );
  await ffmpeg('-f', 'lavfi', '-i', `sine=440:r=48000:d=${SECONDS}`, '-c:a', 'pcm_s16le', join(folder.path, 'tone.wav'));
});
afterAll(() => folder.remove());

const movie = (element: object, more: object = {}) => ({ width: 64, height: 64, fps: FPS, ...more, scenes: [{ elements: [{ src: 'clip.mp4', ...element }] }] });

function samplesOf(path: string): Float32Array {
  const bytes = execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-map', '0:a', '-f', 'f32le', '-ac', '1', '-ar', '48000', '-'], { maxBuffer: 1 << 28 });
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/** Times at which a beep begins. */
function beepsIn(samples: Float32Array): number[] {
  const times: number[] = [];
  let quietSince = -1;
  for (const [index, value] of samples.entries()) {
    if (Math.abs(value) < 0.1) continue;
    if (quietSince < 0 || index - quietSince > 3000) times.push(index / 48_000);
    quietSince = index;
  }
  return times;
}

/** The luma in the middle of a frame. */
const greyAt = ({ frames }: Frames, frame: number): number => frames[frame]?.[32 * 64 + 32] ?? 0;

/** Frequency by rises through zero in the middle half. */
function pitchOf(samples: Float32Array): number {
  const [from, to] = [Math.floor(samples.length / 4), Math.floor((samples.length * 3) / 4)];
  let rises = 0;
  for (let index = from + 1; index < to; index++) if ((samples[index - 1] ?? 0) < 0 && (samples[index] ?? 0) >= 0) rises += 1;
  return (rises * 48_000) / (to - from);
}

describe('a clip', () => {
  it.each([0.5, 0.25, 1.5, 2, 7.3])('shows and sounds at %s times its speed', async (speed) => {
    const output = await renderScript(movie({ type: 'video', speed }), folder.path, { name: `speed-${speed}` });
    const length = SECONDS / speed;
    expect(Math.abs(Number(ffprobe(output).format.duration) - length)).toBeLessThan(1.1 / FPS);
    const decoded = await decodeFrames(output, 'gray');
    let wrong = 0;
    for (let frame = 0; frame < decoded.frames.length; frame++) {
      const shown = Math.min(SECONDS * FPS - 1, Math.floor(frame * speed + 1e-3));
      if (Math.abs(greyAt(decoded, frame) - (16 + GREY_STEP * shown)) > GREY_STEP) wrong += 1;
    }
    expect(wrong).toBe(0);
    const heard = beepsIn(samplesOf(output));
    expect(heard).toHaveLength(BEEPS.length);
    for (const [index, at] of BEEPS.entries()) expect(Math.abs((heard[index] ?? 0) - at / speed), `beep ${index}`).toBeLessThan(Math.max(0.02, 0.01 / speed));
  });

  it('plays the part from seek on, as often as it loops', async () => {
    const output = await renderScript(movie({ type: 'video', speed: 2, seek: 1, loop: 2 }), folder.path, { name: 'loops' });
    expect(Number(ffprobe(output).format.duration)).toBe(3);
    const decoded = await decodeFrames(output, 'gray');
    for (const frame of [0, 20, 38, 60]) {
      const shown = 25 + ((frame * 2) % 75);
      expect(Math.abs(greyAt(decoded, frame) - (16 + GREY_STEP * shown)), `frame ${frame}`).toBeLessThanOrEqual(GREY_STEP);
    }
    const heard = beepsIn(samplesOf(output));
    for (const [index, at] of [0.25, 1, 1.75, 2.5].entries()) expect(Math.abs((heard[index] ?? 0) - at), `beep ${index}`).toBeLessThan(0.02);
  });
});

describe('sound', () => {
  it.each([
    [2, true, 440],
    [2, false, 880],
    [0.5, true, 440],
    [0.5, false, 220],
    [1.25, true, 440],
  ])('at %s times its speed, pitch kept: %s, is at %s Hz', async (speed, keep_pitch, hertz) => {
    const script = movie({ type: 'audio', src: 'tone.wav', speed, keep_pitch });
    const samples = samplesOf(await renderScript(script, folder.path, { name: `tone-${speed}-${keep_pitch}` }));
    expect(Math.abs(samples.length / 48_000 - SECONDS / speed)).toBeLessThan(0.05);
    expect(Math.abs(pitchOf(samples) / hertz - 1)).toBeLessThan(0.005);
    // No gap, click or fade inside.
    let peak = 0;
    for (let at = 9600; at + 4800 < samples.length - 9600; at += 4800) {
      const power = Math.sqrt(samples.subarray(at, at + 4800).reduce((sum, value) => sum + value * value, 0) / 4800);
      expect(power).toBeGreaterThan(0.05);
      peak = Math.max(peak, power);
    }
    expect(peak).toBeLessThan(0.13);
  });
});
