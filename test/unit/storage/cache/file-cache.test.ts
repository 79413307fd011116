import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFileCache, createScopedCache, type FileCache, type FileCacheSettings } from '../../../../src/storage/cache/index.js';
import { temporaryFolder } from '../../../support/cli.js';

const built = fileURLToPath(new URL('../../../../dist/storage/cache/index.js', import.meta.url));
const KILOBYTE = 1000;

let place: { path: string; remove: () => Promise<void> };
let folder: string;
beforeEach(async () => {
  place = await temporaryFolder();
  folder = join(place.path, 'kept');
});
afterEach(() => place.remove());

const keyOf = (name: string): string => createHash('sha256').update(name).digest('hex');
const cacheOf = (settings: Partial<FileCacheSettings> = {}): FileCache => createFileCache({ folder, maxBytes: 100 * KILOBYTE, reserveBytes: 0, ...settings });
const out = (): string => join(place.path, 'taken');
const cachedFile = (name: string): string => join(folder, `${keyOf(name)}.kept`);

async function source(bytes: Buffer): Promise<string> {
  const path = join(place.path, 'source');
  await writeFile(path, bytes);
  return path;
}

async function names(): Promise<string[]> {
  return (await readdir(folder)).sort();
}

it('returns stored files, also to later processes', async () => {
  const bytes = randomBytes(3 * KILOBYTE);
  expect(await cacheOf().get(keyOf('a'), out())).toBeUndefined();
  expect(await cacheOf().put(keyOf('a'), await source(bytes))).toBe(bytes.length);
  expect(await cacheOf().get(keyOf('a'), out())).toBe(bytes.length);
  expect((await readFile(out())).equals(bytes)).toBe(true);
  expect(await cacheOf().get(keyOf('b'), out())).toBeUndefined();
  expect(await names()).toEqual([`${keyOf('a')}.kept`]);
});

it('stores nothing and creates no folder when its size is 0', async () => {
  const none = cacheOf({ maxBytes: 0 });
  expect(await none.put(keyOf('a'), await source(randomBytes(10)))).toBeUndefined();
  expect(await none.get(keyOf('a'), out())).toBeUndefined();
  await expect(stat(folder)).rejects.toThrow();
});

it.each([
  ['cut short', (path: string) => truncate(path, 500)],
  ['cut within its header', (path: string) => truncate(path, 20)],
  ['empty', (path: string) => truncate(path, 0)],
  ['changed in one byte', flipByte],
  ['of another program', (path: string) => writeFile(path, randomBytes(4000))],
])('drops a file that is %s', async (_what, damage) => {
  const cache = cacheOf();
  await cache.put(keyOf('a'), await source(randomBytes(2 * KILOBYTE)));
  await damage(cachedFile('a'));
  expect(await cache.get(keyOf('a'), out())).toBeUndefined();
  expect(await names()).toEqual([]);
  await expect(stat(out())).rejects.toThrow();
});

it('ignores a file that is stored under another key', async () => {
  const cache = cacheOf();
  await cache.put(keyOf('a'), await source(randomBytes(100)));
  await writeFile(cachedFile('b'), await readFile(cachedFile('a')));
  expect(await cache.get(keyOf('b'), out())).toBeUndefined();
  expect(await cache.get(keyOf('a'), out())).toBe(100);
});

it('evicts the least recently used files', async () => {
  const cache = cacheOf();
  for (const [age, name] of ['oldest', 'old', 'used', 'new'].entries()) {
    await cache.put(keyOf(name), await source(randomBytes(20 * KILOBYTE)));
    const then = new Date(Date.now() - (10 - age) * 60_000);
    await utimes(cachedFile(name), then, then);
  }
  await cache.get(keyOf('oldest'), out());
  expect(await cache.put(keyOf('newest'), await source(randomBytes(40 * KILOBYTE)))).toBe(40 * KILOBYTE);
  const there = await Promise.all(['oldest', 'old', 'used', 'new', 'newest'].map(async (name) => (await cache.get(keyOf(name), out())) !== undefined));
  expect(there).toEqual([true, false, false, true, true]);
});

it('never exceeds its size and stores no larger file', async () => {
  const cache = cacheOf();
  await cache.put(keyOf('small'), await source(randomBytes(KILOBYTE)));
  expect(await cache.put(keyOf('huge'), await source(randomBytes(101 * KILOBYTE)))).toBeUndefined();
  expect(await cache.get(keyOf('small'), out())).toBe(KILOBYTE);
  for (let k = 0; k < 60; ++k) {
    await cache.put(keyOf(String(k)), await source(randomBytes(7 * KILOBYTE)));
    const sizes = await Promise.all((await names()).map(async (name) => (await stat(join(folder, name))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(100 * KILOBYTE);
  }
  expect(await cache.get(keyOf('59'), out())).toBe(7 * KILOBYTE);
});

it('leaves the reserved disk space free', async () => {
  await cacheOf().put(keyOf('a'), await source(randomBytes(KILOBYTE)));
  const modest = cacheOf({ reserveBytes: 2 ** 60 });
  expect(await modest.put(keyOf('b'), await source(randomBytes(KILOBYTE)))).toBeUndefined();
  expect(await names()).toEqual([]);
});

it('misses without failing when its folder cannot be created', async () => {
  await writeFile(folder, 'a file');
  const cache = cacheOf();
  expect(await cache.put(keyOf('a'), await source(randomBytes(10)))).toBeUndefined();
  expect(await cache.get(keyOf('a'), out())).toBeUndefined();
});

it('copies a file that another process removes meanwhile either completely or not at all', async () => {
  const bytes = randomBytes(30 * KILOBYTE);
  const path = await source(bytes);
  const caches = [cacheOf(), cacheOf(), cacheOf()];
  const round = caches.map(async (cache, who) => {
    for (let k = 0; k < 40; ++k) {
      const key = keyOf(`shared ${(k + who) % 5}`);
      const to = join(place.path, `taken-${who}`);
      const taken = await cache.get(key, to);
      if (taken === undefined) await cache.put(key, path);
      else expect((await readFile(to)).equals(bytes)).toBe(true);
    }
  });
  await Promise.all(round);
  expect((await names()).every((name) => name.endsWith('.kept'))).toBe(true);
});

it('stores the same file from two processes at once', async () => {
  const bytes = randomBytes(50 * KILOBYTE);
  const path = await source(bytes);
  const codes = await Promise.all([1, 2, 3].map(() => ended(spawnWriter(path, 20))));
  expect(codes).toEqual([0, 0, 0]);
  expect(await cacheOf().get(keyOf('a'), out())).toBe(bytes.length);
  expect(await names()).toEqual([`${keyOf('a')}.kept`]);
});

it('removes the partial file of a process that was killed while writing', async () => {
  const path = join(place.path, 'large');
  const file = await open(path, 'w');
  await file.truncate(2 ** 31);
  await file.close();
  const writer = spawnWriter(path, 1, 2 ** 40);
  await expect
    .poll(async () => (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.part')), { timeout: 20_000, interval: 1 })
    .toHaveLength(1);
  writer.kill('SIGKILL');
  await ended(writer);
  expect(await names()).toHaveLength(1);
  const cache = cacheOf();
  await cache.put(keyOf('b'), await source(randomBytes(10)));
  expect(await names()).toEqual([`${keyOf('b')}.kept`]);
  expect(await cache.get(keyOf('a'), out())).toBeUndefined();
});

it('keeps partial files of running processes', async () => {
  await mkdir(folder);
  const [another, forgotten] = ['0123456789ab-1-x.part', '0123456789ab-2-x.part'];
  for (const name of [another, forgotten]) await writeFile(join(folder, name), 'half');
  const longAgo = new Date(Date.now() - 2 * 3_600_000);
  await utimes(join(folder, forgotten), longAgo, longAgo);
  await cacheOf().put(keyOf('a'), await source(randomBytes(10)));
  expect(await names()).toEqual([another, `${keyOf('a')}.kept`].sort());
});

async function flipByte(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes.writeUInt8(bytes.readUInt8(700) ^ 1, 700);
  await writeFile(path, bytes);
}

/** Spawns a process that stores a file under the key `a` repeatedly. */
function spawnWriter(path: string, times: number, maxBytes = 10_000 * KILOBYTE) {
  const code = `
    const { createFileCache } = await import(process.argv[1]);
    const cache = createFileCache({ folder: process.argv[2], maxBytes: ${maxBytes}, reserveBytes: 0 });
    for (let k = 0; k < ${times}; ++k) if ((await cache.put('${keyOf('a')}', process.argv[3])) === undefined) process.exit(3);`;
  return spawn(process.execPath, ['--input-type=module', '-e', code, built, folder, path], { stdio: ['ignore', 'inherit', 'inherit'] });
}

function ended(child: ReturnType<typeof spawnWriter>): Promise<number | null> {
  return new Promise((resolve) => (child.exitCode !== null || child.signalCode !== null ? resolve(child.exitCode) : child.once('exit', resolve)));
}

it('keeps scopes apart', async () => {
  const whole = cacheOf();
  const [one, other] = [createScopedCache(whole, 'acc_1'), createScopedCache(whole, 'acc_2')];
  const bytes = randomBytes(KILOBYTE);
  await one.put(keyOf('a'), await source(bytes));
  expect(await other.get(keyOf('a'), out())).toBeUndefined();
  expect(await whole.get(keyOf('a'), out())).toBeUndefined();
  expect(await createScopedCache(cacheOf(), 'acc_1').get(keyOf('a'), out())).toBe(bytes.length);
  expect(await readFile(out())).toEqual(bytes);
});
