import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderScript, runCli, temporaryFolder } from '../support/cli.js';
import { decodeFrames, ffmpeg, pixelAt } from '../support/ffmpeg.js';

let folder: { path: string; remove: () => Promise<void> };

/** Red, green and blue for 0.2 s each; the right half is transparent if the format supports it. */
const files = {
  'sticker.gif': ['-vf', 'split[a][b];[a]palettegen=reserve_transparent=1[p];[b][p]paletteuse=alpha_threshold=128', '-loop', '0'],
  'sticker.png': ['-f', 'apng', '-plays', '0'],
  'sticker.webp': ['-c:v', 'libwebp_anim', '-lossless', '1', '-loop', '0'],
  'twice.gif': ['-vf', 'split[a][b];[a]palettegen=reserve_transparent=1[p];[b][p]paletteuse=alpha_threshold=128', '-loop', '1'],
};

beforeAll(async () => {
  folder = await temporaryFolder();
  const halved = "format=rgba,geq=r='255*eq(N,0)':g='255*eq(N,1)':b='255*eq(N,2)':a='if(lt(X,32),255,0)'";
  await ffmpeg('-f', 'lavfi', '-i', `color=black:s=64x32:r=5:d=0.6,${halved}`, '-c:v', 'ffv1', '-pix_fmt', 'bgra', join(folder.path, 'source.mkv'));
  for (const [name, options] of Object.entries(files)) await ffmpeg('-i', join(folder.path, 'source.mkv'), ...options, join(folder.path, name));
});
afterAll(() => folder.remove());

/** The colour at a point of every frame: the full channel, or `-` for white. */
async function coloursOf(output: string, x: number, y: number): Promise<string> {
  const decoded = await decodeFrames(output, 'rgb', { x, y, width: 2, height: 2 });
  return decoded.frames
    .map((_, index) => {
      const pixel = pixelAt(decoded, index, 0, 0);
      const full = [...'rgb'].filter((_name, channel) => (pixel[channel] ?? 0) > 200);
      return full.length === 3 ? '-' : full.length === 1 ? (full[0] ?? '') : `(${pixel})`;
    })
    .join('');
}

const scene = (elements: object[], duration: number | 'auto' = 1.4) => ({
  width: 128,
  height: 64,
  fps: 10,
  scenes: [{ duration, background: '#ffffff', elements }],
});

describe('an animated image', () => {
  test.each(Object.keys(files).slice(0, 3))('%s plays on the movie’s clock, loops and keeps its transparency', async (src) => {
    const output = await renderScript(scene([{ type: 'image', src, x: 0, y: 0, start: 0.2 }]), folder.path, { name: `plays-${src}` });
    expect(await coloursOf(output, 10, 10)).toBe('--rrggbbrrggbb');
    expect(await coloursOf(output, 50, 10)).toBe('--------------');
  });

  test('loops as often as its file says, then freezes', async () => {
    const output = await renderScript(scene([{ type: 'image', src: 'twice.gif' }], 1.6), folder.path, { name: 'twice' });
    expect(await coloursOf(output, 10, 10)).toBe('rrggbbrrggbbbbbb');
  });

  test('supports size, crop, zoom, colour correction and duration like a still image', async () => {
    const elements = [
      { type: 'image', src: 'sticker.gif', width: 128, height: 64, crop: { x: 0, y: 0, width: 32, height: 32 }, zoom: 3, correction: { saturation: 0 } },
    ];
    const output = await renderScript(scene(elements, 'auto'), folder.path, { name: 'zoomed' });
    const { frames } = await decodeFrames(output, 'gray');
    expect(frames).toHaveLength(50);
    const decoded = await decodeFrames(output, 'rgb', { x: 100, y: 30, width: 2, height: 2 });
    const greys = [0, 2, 4].map((index) => pixelAt(decoded, index, 0, 0));
    for (const [r = 0, , b = 0] of greys) expect(Math.abs(r - b)).toBeLessThan(12);
    expect(new Set(greys.map(([r = 0]) => Math.round(r / 12))).size).toBe(3);
  });

  test('continues over scenes and transitions', async () => {
    const sticker = { type: 'image', src: 'sticker.gif', x: 0, y: 0 };
    const script = {
      ...{ width: 128, height: 64, fps: 10 },
      elements: [sticker],
      scenes: [
        { duration: 0.5, background: '#ffffff', elements: [] },
        { duration: 0.7, background: '#ffffff', transition: { style: 'fade', duration: 0.3 }, elements: [{ ...sticker, y: 32 }] },
        { duration: 0.6, background: '#ffffff', transition: { style: 'wipeleft', duration: 0.2 }, elements: [] },
      ],
    };
    const output = await renderScript(script, folder.path, { name: 'scenes' });
    expect(await coloursOf(output, 10, 10)).toBe('rrggbbrrggbbrrggbb');
    // The animation of the scene starts with the scene, is alone after the fade, and freezes on its last frame under the wipe.
    expect((await coloursOf(output, 10, 50)).slice(8, 12)).toBe('gbbr');
  });

  test('works as a video element, with seek, loop and its own duration', async () => {
    const elements = [{ type: 'video', src: 'sticker.webp', seek: 0.2, loop: 2 }];
    const output = await renderScript(scene(elements, 'auto'), folder.path, { name: 'film' });
    expect(await coloursOf(output, 10, 10)).toBe('ggbbggbb');
  });

  test('works as a mask', async () => {
    await ffmpeg(...['-f', 'lavfi', '-i', "color=black:s=16x8:r=5:d=0.4,format=gray,geq='255*N'", '-loop', '0', join(folder.path, 'blink.gif')]);
    await ffmpeg('-f', 'lavfi', '-i', 'color=red:s=64x32', '-frames:v', '1', join(folder.path, 'red.png'));
    const output = await renderScript(scene([{ type: 'image', src: 'red.png', mask: 'blink.gif' }], 0.8), folder.path, { name: 'masked' });
    expect(await coloursOf(output, 10, 10)).toBe('--rr--rr');
  });

  test('reuses cached segments that did not change, and none of a changed file', async () => {
    const cache = join(folder.path, 'cache');
    const script = scene([{ type: 'image', src: 'now.gif' }], 0.6);
    await ffmpeg('-i', join(folder.path, 'sticker.gif'), '-c', 'copy', '-loop', '0', join(folder.path, 'now.gif'));
    const first = await renderScript(script, folder.path, { name: 'cached', args: ['--cache', cache] });
    expect(await coloursOf(first, 10, 10)).toBe('rrggbb');
    await ffmpeg('-i', join(folder.path, 'source.mkv'), '-vf', 'reverse,split[a][b];[a]palettegen[p];[b][p]paletteuse', join(folder.path, 'now.gif'));
    const second = await renderScript(script, folder.path, { name: 'cached', args: ['--cache', cache] });
    expect(await coloursOf(second, 10, 10)).toBe('bbggrr');
  });
});

test('a component shows the first frame, with a warning', async () => {
  const { writeFile } = await import('node:fs/promises');
  const script = join(folder.path, 'component.json');
  const settings = { headline: { text: 'x' }, image: { src: 'sticker.gif' } };
  await writeFile(script, JSON.stringify(scene([{ type: 'component', component: 'basic/051', settings }], 0.5)));
  const { code, stderr } = await runCli(['render', script, '-o', join(folder.path, 'component.mp4')]);
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/scenes\.0\.elements\.0: settings\.image\.src: only the first frame of the animated image .*sticker\.gif is shown/),
  });
});

test('a truncated animation fails with its name', async () => {
  const { readFile, writeFile } = await import('node:fs/promises');
  const whole = await readFile(join(folder.path, 'sticker.png'));
  await writeFile(join(folder.path, 'short.png'), whole.subarray(0, Math.floor(whole.length * 0.7)));
  const script = join(folder.path, 'short.json');
  await writeFile(script, JSON.stringify(scene([{ type: 'image', src: 'short.png' }])));
  const { code, stderr } = await runCli(['render', script, '-o', join(folder.path, 'short.mp4')]);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/scenes\.0\.elements\.0.*short\.png.*png file is truncated/s);
});
