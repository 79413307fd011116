import { copyFile, mkdir, readdir, readFile, realpath, rename, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { buildKey, planKey } from '../../../src/cli/frame-cache/cache-key.js';
import { openSpriteCache } from '../../../src/cli/frame-cache/sprite-cache.js';
import { runCli } from '../../../src/cli/run-cli.js';
import { loadConfig } from '../../../src/config/index.js';
import { makeFoldersOfAgedMedia, writtenAt } from '../../support/aged-media.js';
import { temporaryFolder } from '../../support/cli.js';
import { ffmpeg } from '../../support/ffmpeg.js';

/** The plans that `frame` caches and when they are invalid. The tests add a warning to a cached plan to recognise its use. */

let folder: { path: string; remove: () => Promise<void> };
/** Each contains media that are old enough to be cached. */
let places: string[] = [];
beforeAll(async () => {
  folder = await temporaryFolder();
  const media = ['photo.png', 'other.png', 'film.mp4'].map((name) => join(folder.path, name));
  const [one, other, video] = media as [string, string, string];
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=160x90', '-frames:v', '1', one);
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=10', '-vf', 'negate', '-frames:v', '1', other);
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=10', '-frames:v', '8', video);
  // Bytes after the end of an image are ignored.
  for (const path of [one, other]) await truncate(path, 100_000);
  places = await makeFoldersOfAgedMedia(folder.path, media, 16);
});
afterAll(() => folder.remove());
afterEach(() => vi.unstubAllEnvs());

const mark = 'drawn by what was kept';
const photo = { type: 'image', src: 'photo.png', zoom: 2 };
const text = { type: 'text', text: 'Kept', font: 'Inter', font_size: 30 };

interface Place {
  path: string;
  cache: string;
}

/** A script beside media, with a separate cache. */
async function place(scene: object, changes: object = {}): Promise<Place> {
  const own = places.pop() as string;
  const path = join(own, 'movie.json');
  await writeFile(path, JSON.stringify({ width: 160, height: 90, fps: 10, scenes: [{ duration: 1, ...scene }], ...changes }));
  const cache = join(own, 'cache');
  vi.stubEnv('FRAMEWRIGHT_CACHE_DIR', cache);
  return { path, cache };
}

interface Drawn {
  png: Buffer;
  warnings: string[];
}

async function draw(path: string, ...args: string[]): Promise<Drawn> {
  const output = join(path, '..', 'frame.png');
  await rm(output, { force: true });
  let answer = '';
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => {
    answer += line;
  });
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  try {
    expect(await runCli(['frame', path, '-o', output, '--json', ...(args.includes('--at') ? [] : ['--at', '0.5']), ...args])).toBe(0);
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
  return { png: await readFile(output), warnings: (JSON.parse(answer) as { warnings: string[] }).warnings };
}

const keyOf = async (path: string): Promise<string> =>
  planKey({ text: await readFile(path, 'utf8'), folder: join(path, '..'), build: await buildKey(loadConfig()) });

/** Applies `change` to the cached plan of a script; returns false if there is none. */
async function changeCachedPlan({ path, cache }: Place, change: (plan: string) => string): Promise<boolean> {
  const drawings = openSpriteCache(cache, loadConfig().cache);
  const list = join(path, '..', 'plan.json');
  if ((await drawings.get(await keyOf(path), list)) === undefined) return false;
  await writeFile(list, change(await readFile(list, 'utf8')));
  return (await drawings.put(await keyOf(path), list)) !== undefined;
}

const markCachedPlan = (stored: Place): Promise<boolean> =>
  changeCachedPlan(stored, (plan) => JSON.stringify({ ...(JSON.parse(plan) as object), warnings: [{ path: '', message: mark }] }));

/** Draws once and marks the cached plan. */
async function drawnBefore(elements: object[]): Promise<Place> {
  const made = await place({ elements });
  await draw(made.path);
  expect(await markCachedPlan(made)).toBe(true);
  return made;
}

const isMarked = ({ warnings }: Drawn): boolean => warnings.includes(mark);

/** Equals a run without a cache. */
async function expectFresh({ path }: Place, drawn: Drawn): Promise<void> {
  expect(isMarked(drawn)).toBe(false);
  expect(drawn.png.equals((await draw(path, '--no-cache')).png)).toBe(true);
}

it('draws every frame from the cached plan with identical bytes', async () => {
  const made = await drawnBefore([photo, { type: 'video', src: 'film.mp4', x: 80, width: 80, height: 45 }, { ...text, mask: 'other.png' }]);
  for (const at of ['0', '0.5', '0.9']) {
    const again = await draw(made.path, '--at', at);
    expect([at, isMarked(again)]).toEqual([at, true]);
    expect(again.png.equals((await draw(made.path, '--at', at, '--no-cache')).png)).toBe(true);
  }
});

it('misses when a file is replaced by one with equal name, size and time', async () => {
  const made = await drawnBefore([photo]);
  const named = join(made.path, '..', 'photo.png');
  const before = await stat(named);
  await writeFile(named, await readFile(join(made.path, '..', 'other.png')));
  await utimes(named, ...writtenAt);
  const after = await stat(named);
  expect([after.size, after.ino, after.mtimeMs]).toEqual([before.size, before.ino, before.mtimeMs]);
  await expectFresh(made, await draw(made.path));
});

it('misses when a symbolic link changes its target', async () => {
  const made = await place({ elements: [{ ...photo, src: 'link.png' }] });
  const link = join(made.path, '..', 'link.png');
  await symlink('photo.png', link);
  await draw(made.path);
  expect(await markCachedPlan(made)).toBe(true);
  await symlink('other.png', `${link}.new`);
  await rename(`${link}.new`, link);
  await expectFresh(made, await draw(made.path));
});

it('misses when the script or a setting changes or a file is removed', async () => {
  const made = await drawnBefore([photo, text]);
  await writeFile(made.path, (await readFile(made.path, 'utf8')).replace('Kept', 'Held'));
  await expectFresh(made, await draw(made.path));
  expect(await markCachedPlan(made)).toBe(true);
  vi.stubEnv('FRAMEWRIGHT_COMPOSITOR', 'cpu');
  await expectFresh(made, await draw(made.path));
  vi.stubEnv('FRAMEWRIGHT_COMPOSITOR', undefined);
  expect(isMarked(await draw(made.path))).toBe(true);
  await rm(join(made.path, '..', 'photo.png'));
  await expect(draw(made.path)).rejects.toThrow();
});

it('uses separate keys per engine, font set and folder', async () => {
  const made = await place({ elements: [text] });
  const installed = [join(made.path, '..', 'engine'), join(made.path, '..', 'fonts')];
  const keyIn = async (place: string): Promise<string> => planKey({ text: 'script', folder: place, build: await buildKey(loadConfig(), installed) });
  const own = join(made.path, '..');
  const keys = [await keyIn(own)];
  await mkdir(installed[1] as string);
  keys.push(await keyIn(own));
  await writeFile(join(installed[1] as string, 'font.woff2'), 'font');
  keys.push(await keyIn(own));
  await writeFile(installed[0] as string, 'engine');
  keys.push(await keyIn(own), await keyIn(folder.path));
  expect(new Set(keys).size).toBe(keys.length);
  const link = join(folder.path, 'the-same');
  await symlink(await realpath(own), link);
  expect(await keyIn(link)).toBe(keys.at(-2));
});

it.each([
  ['the script says so', { cache: false }, {}, text],
  ['its scene says so', {}, { cache: false }, text],
  ['an element says so', {}, {}, { ...text, cache: false }],
  ['a font is the system’s to find', {}, {}, { ...text, font: 'No Such Family' }],
  ['a font is a file of its own', {}, {}, { ...text, font: 'missing.woff2' }],
  ['it shows what is worked out anew', {}, {}, { type: 'component', component: 'shape/rectangle', settings: {} }],
])('keeps nothing where %s', async (_, changes, scene, element) => {
  const made = await place({ elements: [element], ...scene }, changes);
  await draw(made.path);
  expect(await markCachedPlan(made)).toBe(false);
});

it('stores nothing for media written a moment ago or without a cache', async () => {
  const made = await place({ elements: [photo] });
  await copyFile(join(folder.path, 'other.png'), join(made.path, '..', 'photo.png'));
  await draw(made.path);
  expect(await markCachedPlan(made)).toBe(false);
  const texts = await place({ elements: [text] });
  await draw(texts.path, '--no-cache');
  vi.stubEnv('FRAMEWRIGHT_CACHE_MB', '0');
  await draw(texts.path);
  await expect(readdir(texts.cache)).rejects.toThrow('ENOENT');
});

it('renders normally when the cached plan is damaged, foreign or missing', async () => {
  const made = await drawnBefore([text]);
  const stored = async (): Promise<string[]> => (await readdir(join(made.cache, 'drawings'))).map((name) => join(made.cache, 'drawings', name));
  for (const spoil of ['{}', 'no JSON', '{"files":[],"timeline":{"sources":[{"path":"../../../etc/passwd"}]}}']) {
    expect(await changeCachedPlan(made, () => spoil)).toBe(true);
    await expectFresh(made, await draw(made.path));
  }
  expect(await markCachedPlan(made)).toBe(true);
  const key = await keyOf(made.path);
  const [plan, ...others] = (await stored()).sort((a, b) => Number(b.includes(key)) - Number(a.includes(key)));
  for (const path of others) await rm(path);
  await expectFresh(made, await draw(made.path));
  await truncate(plan as string, 60);
  await expectFresh(made, await draw(made.path));
});
