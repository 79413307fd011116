import { copyFile, open, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openSpriteCache } from '../../../src/cli/frame-cache/sprite-cache.js';
import { runCli } from '../../../src/cli/run-cli.js';
import { loadConfig } from '../../../src/config/index.js';
import { makeFoldersOfAgedMedia, writtenAt } from '../../support/aged-media.js';
import { temporaryFolder } from '../../support/cli.js';
import { ffmpeg } from '../../support/ffmpeg.js';

/** The images that `frame` caches in the form that the engine prepares. The tests change samples in cached files to recognise them in the output. */

let folder: { path: string; remove: () => Promise<void> };
/** Each contains images that are old enough to be cached. */
let places: string[] = [];
beforeAll(async () => {
  vi.stubEnv('FRAMEWRIGHT_COMPOSITOR', 'cpu');
  folder = await temporaryFolder();
  const images = ['photo.jpg', 'other.jpg', 'turned.jpg', 'logo.png', 'mask.png'].map((name) => join(folder.path, name));
  const [photo, other, rotated, logo, mask] = images as [string, string, string, string, string];
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=321x201', '-frames:v', '1', '-q:v', '2', photo);
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=321x201', '-vf', 'negate', '-frames:v', '1', '-q:v', '2', other);
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=51x51', '-vf', 'format=rgba,colorchannelmixer=aa=0.6', '-frames:v', '1', logo);
  await ffmpeg('-f', 'lavfi', '-i', 'mandelbrot=s=90x90', '-frames:v', '1', mask);
  await writeFile(rotated, withOrientation(await readFile(photo), 6));
  // Bytes after the end of an image are ignored.
  for (const path of [photo, other]) await truncate(path, 100_000);
  places = await makeFoldersOfAgedMedia(folder.path, images, 20);
});
afterAll(() => folder.remove());
afterEach(() => {
  vi.unstubAllEnvs();
  vi.stubEnv('FRAMEWRIGHT_COMPOSITOR', 'cpu');
});

/** A JPEG file with an EXIF orientation. */
function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
  const exif = [0xff, 0xe1, 0, 34, ...Buffer.from('Exif\0\0MM\0*'), 0, 0, 0, 8, 0, 1, ...entry, 0, 0, 0, 0];
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from(exif), jpeg.subarray(2)]);
}

const photo = { type: 'image', src: 'photo.jpg', resize: 'cover' };

interface Place {
  path: string;
  cache: string;
}

async function place(elements: object[], changes: object = {}, scene: object = {}): Promise<Place> {
  const own = places.pop() as string;
  const path = join(own, 'movie.json');
  await writeScript(path, elements, changes, scene);
  const cache = join(own, 'cache');
  vi.stubEnv('FRAMEWRIGHT_CACHE_DIR', cache);
  return { path, cache };
}

async function writeScript(path: string, elements: object[], changes: object = {}, scene: object = {}): Promise<void> {
  await writeFile(path, JSON.stringify({ width: 160, height: 90, fps: 10, scenes: [{ duration: 1, elements, ...scene }], ...changes }));
}

async function draw(path: string, ...args: string[]): Promise<Buffer> {
  const output = join(path, '..', 'frame.png');
  await rm(output, { force: true });
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  try {
    expect(await runCli(['frame', path, '-o', output, ...(args.includes('--at') ? [] : ['--at', '0.5']), ...args])).toBe(0);
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
  return readFile(output);
}

/** The engine's header follows the header of the cache file. */
const headerBytes = 48;
const stillHeaderBytes = 40;

/** Keys of cached stills. */
async function cachedStills({ cache }: Place): Promise<string[]> {
  const drawings = join(cache, 'drawings');
  const names = await readdir(drawings).catch(() => []);
  const files = await Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(drawings, name)) })));
  return files.filter(({ bytes }) => bytes.subarray(headerBytes, headerBytes + 4).equals(Buffer.from('FWST'))).map(({ name }) => basename(name, '.kept'));
}

/** The first bytes and the length of each cached still. */
async function heads(made: Place): Promise<string[]> {
  const files = await Promise.all((await cachedStills(made)).map((key) => readFile(join(made.cache, 'drawings', `${key}.kept`))));
  return files.map((bytes) => `${bytes.length} ${bytes.subarray(headerBytes, headerBytes + stillHeaderBytes).toString('hex')}`);
}

/** Replaces the cached bytes under the same keys. */
async function changeStills(made: Place, change: (still: Buffer) => Buffer): Promise<number> {
  const drawings = openSpriteCache(made.cache, loadConfig().cache);
  const keys = await cachedStills(made);
  const path = join(made.path, '..', 'changed.still');
  for (const key of keys) {
    await drawings.get(key, path);
    await writeFile(path, change(await readFile(path)));
    expect(await drawings.put(key, path)).toBeDefined();
  }
  return keys.length;
}

/** Inverts the cached stills, so that a frame drawn from them is recognisable. */
const markStills = (made: Place): Promise<number> =>
  changeStills(made, (still) => Buffer.concat([still.subarray(0, stillHeaderBytes), still.subarray(stillHeaderBytes).map((sample) => 255 - sample)]));

const fresh = (path: string, ...args: string[]): Promise<Buffer> => draw(path, '--no-cache', ...args);

describe('cached stills', () => {
  it.each([
    ['a photo that is scaled down, and one in its own size', [photo, { type: 'image', src: 'other.jpg', x: 0, y: 0, width: 321, height: 201 }], 2],
    ['a logo that lets through what lies below', [photo, { type: 'image', src: 'logo.png', x: 20, y: 10 }], 2],
    ['a photo that its file says to turn', [{ ...photo, src: 'turned.jpg' }], 1],
    ['one under a mask', [{ ...photo, mask: 'mask.png' }], 2],
    [
      'one that is cropped and turned',
      [{ ...photo, x: 40, y: 20, width: 70, height: 60, crop: { x: 20, y: 30, width: 200, height: 120 }, rotate: { angle: 30 } }],
      1,
    ],
    ['one that is shown twice, in two sizes', [photo, { type: 'image', src: 'photo.jpg', x: 5, y: 5, width: 48, height: 30 }], 1],
  ])('draw the same frames as none: %s', async (_, elements, count) => {
    const made = await place(elements);
    const first = await draw(made.path);
    expect(first.equals(await fresh(made.path))).toBe(true);
    expect(await cachedStills(made)).toHaveLength(count);
    for (const at of ['0.5', '0', '0.9']) {
      expect([at, (await draw(made.path, '--at', at)).equals(await fresh(made.path, '--at', at))]).toEqual([at, true]);
    }
    expect(await markStills(made)).toBe(count);
    expect((await draw(made.path)).equals(first)).toBe(false);
  });

  it('are used for a changed script if they are drawn at the same size', async () => {
    const made = await place([photo]);
    await draw(made.path);
    await markStills(made);
    await writeScript(made.path, [photo, { type: 'text', text: 'New', font: 'Inter', font_size: 30 }]);
    expect((await draw(made.path)).equals(await fresh(made.path))).toBe(false);
    await writeScript(made.path, [{ ...photo, zoom: 5 }]);
    expect((await draw(made.path)).equals(await fresh(made.path))).toBe(true);
    expect(await cachedStills(made)).toHaveLength(2);
  });

  it('contain only the images of the frame', async () => {
    const made = await place([photo], {
      scenes: [
        { duration: 1, elements: [photo] },
        { duration: 1, elements: [{ ...photo, src: 'other.jpg' }], transition: { style: 'fade', duration: 0.4 } },
      ],
    });
    for (const [at, count] of [
      ['0.2', 1],
      ['1.0', 2],
      ['1.8', 2],
    ] as const) {
      expect((await draw(made.path, '--at', at)).equals(await fresh(made.path, '--at', at))).toBe(true);
      expect([at, (await cachedStills(made)).length]).toEqual([at, count]);
      expect((await draw(made.path, '--at', at)).equals(await fresh(made.path, '--at', at))).toBe(true);
    }
  });

  it('are not used for a replaced image with equal name, size and time', async () => {
    const made = await place([photo]);
    const before = await draw(made.path);
    const named = join(made.path, '..', 'photo.jpg');
    const { size, ino } = await stat(named);
    await writeFile(named, await readFile(join(made.path, '..', 'other.jpg')));
    await utimes(named, ...writtenAt);
    expect([(await stat(named)).size, (await stat(named)).ino]).toEqual([size, ino]);
    const changedAt = Date.now();
    const after = await draw(made.path);
    expect(after.equals(before)).toBe(false);
    expect(after.equals(await fresh(made.path))).toBe(true);
    // Files younger than two seconds are not looked up.
    await vi.waitUntil(() => Date.now() - changedAt > 2100, { timeout: 10_000 });
    expect((await draw(made.path)).equals(after)).toBe(true);
    expect(await cachedStills(made)).toHaveLength(2);
  });

  it.each([
    ['the script', { cache: false }, {}, photo],
    ['its scene', {}, { cache: false }, photo],
    ['an element', {}, {}, { ...photo, cache: false }],
  ])('are not made where %s says so', async (_, changes, scene, element) => {
    const made = await place([element], changes, scene);
    await draw(made.path);
    expect(await cachedStills(made)).toEqual([]);
  });

  it('are neither stored nor used without a cache or for images written a moment ago', async () => {
    const made = await place([photo]);
    await draw(made.path, '--no-cache');
    expect(await cachedStills(made)).toEqual([]);
    const first = await draw(made.path);
    expect(await markStills(made)).toBe(1);
    expect((await fresh(made.path)).equals(first)).toBe(true);
    await writeScript(made.path, [photo], { cache: false });
    expect((await draw(made.path)).equals(first)).toBe(true);
    const other = await place([photo]);
    await copyFile(join(folder.path, 'other.jpg'), join(other.path, '..', 'photo.jpg'));
    await draw(other.path);
    expect(await cachedStills(other)).toEqual([]);
  });

  it('are rebuilt if they are damaged or of another type', async () => {
    const made = await place([photo]);
    const first = await draw(made.path);
    const spoils: ((still: Buffer) => Buffer)[] = [
      (still) => still.subarray(0, still.length - 1),
      (still) => Buffer.concat([still, Buffer.alloc(1)]),
      (still) => Buffer.concat([Buffer.from('FWST\x02'), still.subarray(5)]),
      (still) => Buffer.concat([still.subarray(0, 8), Buffer.alloc(8, 0xff), still.subarray(16)]),
    ];
    for (const [index, spoil] of spoils.entries()) {
      expect(await changeStills(made, spoil)).toBe(1);
      const spoilt = await heads(made);
      expect((await draw(made.path)).equals(first)).toBe(true);
      // The replacement is complete.
      expect([index, await heads(made)]).not.toEqual([index, spoilt]);
      expect(await markStills(made)).toBe(1);
      expect([index, (await draw(made.path)).equals(first)]).toEqual([index, false]);
    }
    const [key] = await cachedStills(made);
    const file = await open(join(made.cache, 'drawings', `${key}.kept`), 'r+');
    await file.write(Buffer.from([1, 2, 3, 4]), 0, 4, 2000);
    await file.close();
    expect((await draw(made.path)).equals(first)).toBe(true);
  });
});
