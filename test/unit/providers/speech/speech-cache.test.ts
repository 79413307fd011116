import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SpeechCache } from '../../../../src/providers/speech/speech-cache.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framewright-cache-'));
});
afterEach(() => rm(folder, { recursive: true }));

const speech = { durationSeconds: 1, words: [{ text: 'a', start: 0, end: 1 }], isEstimated: false, warnings: [] };
const store = () => join(folder, 'store');

async function putSpeech(cache: SpeechCache, name: string, bytes = 1000): Promise<string> {
  const key = cache.keyOf(name);
  const path = join(folder, 'made.wav');
  await writeFile(path, Buffer.alloc(bytes, name));
  await cache.put(key, path, speech);
  return key;
}

it('returns a cached entry as a separate file that outlives the cache', async () => {
  const cache = new SpeechCache(store(), 100_000);
  const key = await putSpeech(cache, 'x');
  expect(cache.keyOf('x')).toBe(key);
  expect(cache.keyOf('y')).not.toBe(key);
  const path = join(folder, 'taken.wav');
  expect(await cache.get(key, path)).toEqual(speech);
  // A compromised engine can write to its job's file, but not to the cached one.
  expect((await stat(path)).ino).not.toBe((await stat(join(store(), `${key}.wav`))).ino);
  await rm(store(), { recursive: true });
  expect(await readFile(path, 'utf8')).toBe('x'.repeat(1000));
  expect(await cache.get(key, path)).toBeUndefined();
});

it('evicts the least recently used entry', async () => {
  const cache = new SpeechCache(store(), 3500);
  const keys = [];
  for (const [i, name] of ['a', 'b', 'c'].entries()) {
    const key = await putSpeech(cache, name);
    keys.push(key);
    for (const kind of ['wav', 'json']) await utimes(join(store(), `${key}.${kind}`), 1000 + i, 1000 + i);
  }
  await cache.get(keys[0] ?? '', join(folder, 'used.wav'));
  await putSpeech(cache, 'd');
  const left = (await readdir(store())).filter((name) => name.endsWith('.wav')).map((name) => name.slice(0, -4));
  expect(left.sort()).toEqual([keys[0], cache.keyOf('d'), keys[2]].sort().filter((key) => left.includes(key ?? '')));
  expect(left).toContain(keys[0]);
  expect(left).not.toContain(keys[1]);
  const sizes = await Promise.all((await readdir(store())).map(async (name) => (await stat(join(store(), name))).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(3500);
});

it('concurrent writers and readers of one key see complete entries', async () => {
  const caches = Array.from({ length: 8 }, () => new SpeechCache(store(), 100_000));
  await Promise.all(
    caches.map(async (cache, i) => {
      const key = cache.keyOf('same');
      const path = join(folder, `own-${i}.wav`);
      await writeFile(path, 'z'.repeat(50_000));
      await cache.put(key, path, speech);
      const taken = join(folder, `taken-${i}.wav`);
      expect(await cache.get(key, taken)).toEqual(speech);
      expect((await stat(taken)).size).toBe(50_000);
    }),
  );
  expect((await readdir(store())).filter((name) => name.endsWith('.partial'))).toEqual([]);
});

it('treats an unwritable folder as a miss; a size of 0 disables the cache', async () => {
  await writeFile(join(folder, 'file'), '');
  const broken = new SpeechCache(join(folder, 'file', 'store'), 1000);
  await putSpeech(broken, 'x');
  expect(await broken.get(broken.keyOf('x'), join(folder, 't.wav'))).toBeUndefined();
  const none = new SpeechCache(store(), 0);
  await putSpeech(none, 'x');
  expect(await readdir(folder)).not.toContain('store');
});
