import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderScript, temporaryFolder } from '../support/cli.js';
import { decodeFrames, ffmpeg } from '../support/ffmpeg.js';

/** Mixed frames of slow clips beside those of ffmpeg's minterpolate, which the ffmpeg program makes of its own decode. */

const [width, height] = [128, 72];
let folder: { path: string; remove: () => Promise<void> };

beforeAll(async () => {
  folder = await temporaryFolder();
  // Without colours, which depend on the matrix.
  const source = `testsrc2=s=${width}x${height}:r=10:d=3,hue=s=0,format=yuv420p`;
  await ffmpeg('-f', 'lavfi', '-i', source, '-c:v', 'libx264', '-crf', '1', '-bf', '2', '-g', '12', join(folder.path, 'clip.mp4'));
});
afterAll(() => folder.remove());

const movie = (element: object) => ({ width, height, fps: 30, quality: 'high', scenes: [{ elements: [{ type: 'video', src: 'clip.mp4', ...element }] }] });

/** Luma of the frames that ffmpeg mixes. */
function reference(filter: string): Uint8Array[] {
  const output = execFileSync(
    'ffmpeg',
    ['-v', 'error', '-i', join(folder.path, 'clip.mp4'), '-vf', `${filter},extractplanes=y`, '-f', 'rawvideo', '-pix_fmt', 'gray', '-'],
    {
      maxBuffer: 1 << 28,
    },
  );
  return Array.from({ length: output.length / (width * height) }, (_, index) => output.subarray(index * width * height, (index + 1) * width * height));
}

/** Mean difference of each frame to the reference. */
async function differences(element: object, filter: string, name: string): Promise<number[]> {
  const { frames } = await decodeFrames(await renderScript(movie(element), folder.path, { name }), 'gray');
  const expected = reference(filter);
  // At its start and its end the filter lacks a frame before or after.
  const ends = 12;
  const count = Math.min(frames.length, expected.length) - 2 * ends;
  expect(count).toBeGreaterThan(55);
  return Array.from({ length: count }, (_, index) => {
    const [own, theirs] = [frames[index + ends] as Uint8Array, expected[index + ends] as Uint8Array];
    return own.reduce((sum, value, at) => sum + Math.abs(value - (theirs[at] ?? 0)), 0) / own.length;
  });
}

describe('frame blending', () => {
  it('mixes frames of a clip with a lower frame rate as ffmpeg does', async () => {
    const mixed = await differences({ frame_blending: 'blend' }, 'minterpolate=fps=30:mi_mode=blend', 'rate');
    expect(Math.max(...mixed)).toBeLessThan(2);
  });

  it('mixes frames in slow motion as ffmpeg does', async () => {
    const mixed = await differences({ frame_blending: true, speed: 0.5, muted: true }, 'setpts=2*PTS,minterpolate=fps=30:mi_mode=blend', 'slow');
    expect(Math.max(...mixed)).toBeLessThan(2);
  });

  it('is off by default', async () => {
    const mixed = await differences({}, 'minterpolate=fps=30:mi_mode=blend', 'none');
    expect(Math.max(...mixed)).toBeGreaterThan(3);
  });
});
