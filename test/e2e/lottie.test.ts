import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderScript, runCli, temporaryFolder } from '../support/cli.js';
import { decodeFrames, ffprobe, pixelAt } from '../support/ffmpeg.js';

/** Lottie animations: their clock, loops and limits. */

let folder: { path: string; remove: () => Promise<void> };

const still = (k: number | number[]) => ({ a: 0, k });

/** A red square that moves from the left to the right of 200 × 100 pixels in 2 s, linearly. */
const animation = (change: object = {}, position: object = {}): object => ({
  v: '5.7.0',
  fr: 30,
  ip: 0,
  op: 60,
  w: 200,
  h: 100,
  assets: [],
  layers: [
    {
      ty: 4,
      ip: 0,
      op: 60,
      st: 0,
      ks: {
        o: still(100),
        r: still(0),
        a: still([0, 0, 0]),
        s: still([100, 100, 100]),
        p: {
          a: 1,
          k: [
            { t: 0, s: [0, 50, 0], i: { x: 1, y: 1 }, o: { x: 0, y: 0 } },
            { t: 60, s: [200, 50, 0] },
          ],
          ...position,
        },
      },
      shapes: [
        { ty: 'rc', p: still([0, 0]), s: still([20, 60]), r: still(0) },
        { ty: 'fl', c: still([1, 0, 0, 1]), o: still(100) },
      ],
    },
  ],
  ...change,
});

beforeAll(async () => {
  folder = await temporaryFolder();
  const files = {
    'move.json': animation(),
    'expression.json': animation({}, { x: 'var $bm_rt = [0, 0]' }),
    // A play that is no whole number of frames, so that none is drawn once and repeated.
    'long.json': animation({ op: 1201.5, w: 1280, h: 720 }),
    'hours.json': animation({ op: 30 * 3600 * 2 }),
    'data.json': { hello: 'world' },
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder.path, name), JSON.stringify(content));
});
afterAll(() => folder.remove());

const movie = (element: object, duration?: number): object => ({
  width: 200,
  height: 100,
  fps: 10,
  scenes: [{ ...(duration !== undefined && { duration }), background: '#ffffff', elements: [{ type: 'lottie', ...element }] }],
});

/** The middle of the red pixels of each frame. */
async function centres(path: string): Promise<number[]> {
  const decoded = await decodeFrames(path, 'rgb', { x: 0, y: 50, width: 200, height: 2 });
  return Array.from({ length: decoded.frames.length }, (_, frame) => {
    const red = Array.from({ length: 200 }, (_, x) => x).filter((x) => {
      const [r = 0, g = 255] = pixelAt(decoded, frame, x, 0);
      return r > 150 && g < 110;
    });
    return red.reduce((sum, x) => sum + x, 0) / red.length;
  });
}

it("plays on the movie's clock, as long as it lasts", async () => {
  const output = await renderScript(movie({ src: 'move.json' }), folder.path, { name: 'natural' });
  expect(Number(ffprobe(output).format.duration)).toBe(2);
  const seen = await centres(output);
  expect(seen).toHaveLength(20);
  for (const [frame, x] of seen.entries()) if (frame > 1 && frame < 19) expect(Math.abs(x - frame * 10), `frame ${frame}`).toBeLessThan(2);
});

it('plays endlessly, or as often as it should, and then stands', async () => {
  const endless = await centres(await renderScript(movie({ src: 'move.json' }, 5), folder.path, { name: 'endless' }));
  for (const frame of [5, 25, 45]) expect(Math.abs((endless[frame] ?? 0) - 50)).toBeLessThan(2);
  const once = await centres(await renderScript(movie({ src: 'move.json', loop: 1, duration: -2 }, 4), folder.path, { name: 'once' }));
  expect(Math.abs((once[15] ?? 0) - 150)).toBeLessThan(2);
  for (const frame of [20, 39]) expect(once[frame]).toBeGreaterThan(190);
});

it('is drawn at the size at which it is shown, also as an image element', async () => {
  const script = {
    width: 400,
    height: 200,
    fps: 10,
    scenes: [{ duration: 1, background: '#ffffff', elements: [{ type: 'image', src: 'move.json', resize: 'cover' }] }],
  };
  const decoded = await decodeFrames(await renderScript(script, folder.path, { name: 'large' }), 'rgb', { x: 0, y: 100, width: 400, height: 2 });
  const soft = Array.from({ length: 400 }, (_, x) => pixelAt(decoded, 5, x, 0)[1] ?? 0).filter((green) => green > 40 && green < 215);
  expect(soft.length).toBeLessThanOrEqual(8);
});

const failing = async (name: string, element: object): Promise<string> => {
  const script = join(folder.path, `${name}-script.json`);
  await writeFile(script, JSON.stringify(movie(element, 1)));
  const { code, stderr } = await runCli(['render', script, '-o', join(folder.path, `${name}.mp4`)]);
  expect(code).not.toBe(0);
  return stderr;
};

it('is refused by name where it is none, or is used as something else', async () => {
  expect(await failing('data', { src: 'data.json' })).toMatch(
    /scenes\.0\.elements\.0: the image at data\.json cannot be read as media: the file is JSON, but not a Lottie animation/,
  );
  expect(await failing('video', { type: 'video', src: 'move.json' })).toMatch(/needs a file with a video/);
  expect(await failing('mask', { src: 'move.json', mask: 'move.json' })).toMatch(/mask: a mask cannot be a Lottie animation/);
  expect(await failing('loop', { src: 'move.json', loop: -3 })).toMatch(/scenes\.0\.elements\.0\.loop: loop must be/);
});

it('draws a long animation in the memory of a short one', async () => {
  const script = { width: 1280, height: 720, fps: 30, scenes: [{ elements: [{ type: 'lottie', src: 'long.json' }] }] };
  await writeFile(join(folder.path, 'long-movie.json'), JSON.stringify(script));
  const { code, stderr } = await runCli(['frame', join(folder.path, 'long-movie.json'), '--at', '1', '-o', join(folder.path, 'long.png')]);
  expect(code, stderr).toBe(0);
});

it('of more than an hour is refused with its length', async () => {
  await writeFile(join(folder.path, 'hours-movie.json'), JSON.stringify(movie({ src: 'hours.json' }, 1)));
  const { code, stderr } = await runCli(['frame', join(folder.path, 'hours-movie.json'), '--at', '0', '-o', join(folder.path, 'hours.png')]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/scenes\.0\.elements\.0.*the Lottie animation lasts 7200 s; at most 3600 s are allowed/);
});

it('is rendered with a warning where the player leaves something out', async () => {
  const script = join(folder.path, 'expression-script.json');
  await writeFile(script, JSON.stringify(movie({ src: 'expression.json' }, 1)));
  const { code, stderr } = await runCli(['render', script, '-o', join(folder.path, 'expression.mp4')]);
  expect([code, stderr]).toEqual([0, expect.stringContaining('scenes.0.elements.0: of the Lottie animation, expressions are not evaluated')]);
});
