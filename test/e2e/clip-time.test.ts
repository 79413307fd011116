import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderScript, temporaryFolder } from '../support/cli.js';
import { decodeFrames, type Frames, ffmpeg, ffprobe } from '../support/ffmpeg.js';

/** Freeze frames, ramps and reversed clips: which frame of the source shows, and when its sounds are heard. */

const FPS = 25;
const SECONDS = 4;
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
});
afterAll(() => folder.remove());

const movie = (element: object) => ({ width: 64, height: 64, fps: FPS, scenes: [{ elements: [{ type: 'video', src: 'clip.mp4', ...element }] }] });

/** Times at which a beep begins. */
function beepsIn(path: string): number[] {
  const bytes = execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-map', '0:a', '-f', 'f32le', '-ac', '1', '-ar', '48000', '-'], { maxBuffer: 1 << 28 });
  const times: number[] = [];
  let quietSince = -1;
  for (const [index, value] of new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)).entries()) {
    if (Math.abs(value) < 0.1) continue;
    if (quietSince < 0 || index - quietSince > 3000) times.push(index / 48_000);
    quietSince = index;
  }
  return times;
}

/** The frames of the source that a movie shows. */
async function shownFrames(output: string): Promise<number[]> {
  const { frames }: Frames = await decodeFrames(output, 'gray');
  return frames.map((frame) => Math.round(((frame[32 * 64 + 32] ?? 0) - 16) / GREY_STEP));
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);
const repeated = (frame: number, count: number): number[] => Array.from({ length: count }, () => frame);

describe('a freeze', () => {
  it('holds one frame in silence, and then the clip plays on', async () => {
    const output = await renderScript(movie({ freeze: { time: 1, duration: 1.2 } }), folder.path, { name: 'once' });
    expect(Number(ffprobe(output).format.duration)).toBeCloseTo(5.2, 2);
    expect(await shownFrames(output)).toEqual([...range(0, 25), ...repeated(25, 30), ...range(25, 100)]);
    const heard = beepsIn(output);
    expect(heard).toHaveLength(3);
    for (const [index, at] of [0.5, 2.7, 4.2].entries()) expect(Math.abs((heard[index] ?? 0) - at)).toBeLessThan(0.003);
  });

  it('cuts a beep in two without losing any of it', async () => {
    const output = await renderScript(movie({ freeze: [{ time: 1.54, duration: 0.96 }] }), folder.path, { name: 'inside' });
    const heard = beepsIn(output);
    for (const [index, at] of [0.5, 1.5, 2.5, 3.96].entries()) expect(Math.abs((heard[index] ?? 0) - at)).toBeLessThan(0.005);
  });

  it('works at the start, at the end, several times, with speed, seek and loops', async () => {
    const ends = [
      { time: 0, duration: 0.4 },
      { time: 4.4, duration: 0.4 },
    ];
    expect(await shownFrames(await renderScript(movie({ freeze: ends }), folder.path, { name: 'ends' }))).toEqual([
      ...repeated(0, 10),
      ...range(0, 100),
      ...repeated(99, 10),
    ]);
    const fast = movie({ speed: 2, seek: 2, loop: 2, freeze: { time: 1.2, duration: 0.2 } });
    const output = await renderScript(fast, folder.path, { name: 'fast' });
    const pass = range(0, 25).map((index) => 50 + 2 * index);
    expect(await shownFrames(output)).toEqual([...pass, ...pass.slice(0, 5), ...repeated(60, 5), ...pass.slice(5)]);
    const heard = beepsIn(output);
    for (const [index, at] of [0.5, 1.7].entries()) expect(Math.abs((heard[index] ?? 0) - at)).toBeLessThan(0.02);
  });
});

describe('keyframes of speed', () => {
  it('show and sound as their integral, and decide the length', async () => {
    const speed = [
      { time: 0.4, value: 1 },
      { time: 1.4, value: 3 },
    ];
    // 0.4 s at normal speed, 2 s of the clip in 1 s, and 1.6 s of it at three times its speed.
    const mediaAt = (at: number): number => (at < 0.4 ? at : at < 1.4 ? at + (at - 0.4) ** 2 : 2.4 + 3 * (at - 1.4));
    const length = 1.4 + 1.6 / 3;
    const output = await renderScript(movie({ speed }), folder.path, { name: 'ramp' });
    expect(Math.abs(Number(ffprobe(output).format.duration) - length)).toBeLessThan(1.1 / FPS);
    const shown = await shownFrames(output);
    expect(shown).toEqual(shown.map((_, index) => Math.min(99, Math.floor(mediaAt(index / FPS) * FPS + 1e-3))));
    const heard = beepsIn(output);
    const times = BEEPS.map((beep) => range(0, 2000).find((ms) => mediaAt(ms / 1000) >= beep) ?? 0);
    expect(heard).toHaveLength(3);
    for (const [index, ms] of times.entries()) expect(Math.abs((heard[index] ?? 0) - ms / 1000), `beep ${index}`).toBeLessThan(0.02);
  });
});

describe('a reversed clip', () => {
  it('shows its frames and sounds from the end on', async () => {
    const output = await renderScript(movie({ reverse: true }), folder.path, { name: 'reverse' });
    expect(await shownFrames(output)).toEqual(range(0, 100).reverse());
    const heard = beepsIn(output);
    for (const [index, at] of [0.9, 2.4, 3.4].entries()) expect(Math.abs((heard[index] ?? 0) - at), `beep ${index}`).toBeLessThan(0.005);
  });

  it('plays the part that seek and duration choose, also at another speed and with a freeze', async () => {
    const part = await renderScript(movie({ reverse: true, seek: 1, duration: 2 }), folder.path, { name: 'part' });
    expect(await shownFrames(part)).toEqual(range(25, 75).reverse());
    const output = await renderScript(movie({ reverse: true, speed: 2, freeze: { time: 1, duration: 0.4 } }), folder.path, { name: 'reverse-fast' });
    const fast = range(0, 50).map((index) => 99 - 2 * index);
    expect(await shownFrames(output)).toEqual([...fast.slice(0, 25), ...repeated(49, 10), ...fast.slice(25)]);
  });
});
