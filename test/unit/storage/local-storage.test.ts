import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLocalStorage } from '../../../src/storage/index.js';

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
