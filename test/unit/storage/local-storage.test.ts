import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLocalStorage, type StoredEntry } from '../../../src/storage/index.js';

it('removes a file and the partial file of a killed render, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'framewright-outputs-'));
  const storage = await createLocalStorage(folder);
  for (const name of ['a.mp4', 'a.mp4.part', 'b.mp4', 'c.mp4.part']) await writeFile(join(folder, name), 'x');
  await storage.remove('a.mp4');
  await storage.remove('c.mp4');
  expect(await readdir(folder)).toEqual(['b.mp4']);
  await storage.remove('gone.mp4');
  await rm(folder, { recursive: true, force: true });
});

it('commits, lists and removes an output of several files as a whole', async () => {
  const root = await mkdtemp(join(tmpdir(), 'framewright-outputs-'));
  const storage = await createLocalStorage(root);
  const folder = `11111111-2222-4333-8444-555555555555-${'a'.repeat(64)}-live`;
  const entry = `${folder}/stream.m3u8`;
  expect(await storage.commit(entry)).toBeUndefined();
  await mkdir(join(root, folder));
  for (const name of ['stream.m3u8', 'stream-720p.mp4', 'stream-720p.mp4.part', '.hidden']) await writeFile(join(root, folder, name), 'four');
  expect(await storage.commit(entry)).toBe(8);
  expect((await storage.filesOf(entry)).sort()).toEqual([`${folder}/stream-720p.mp4`, entry]);
  expect(() => storage.pathFor(`${folder}/../../etc/passwd.mp4`)).toThrow('invalid name');
  expect(() => storage.pathFor(`${folder}/deeper/stream.mp4`)).toThrow('invalid name');
  const listed: StoredEntry[] = [];
  for await (const found of storage.list()) listed.push(found);
  expect(listed.map(({ name, isWhole }) => `${name} ${isWhole}`).sort()).toEqual(
    [`${folder}/stream-720p.mp4 false`, `${folder}/stream-720p.mp4 true`, `${entry} true`].sort(),
  );
  await storage.remove(entry);
  expect(await readdir(root)).toEqual([]);
  await rm(root, { recursive: true });
});
