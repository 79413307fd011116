import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { programVersion } from '../../../src/cli/doctor/program-version.js';

const path = process.env.PATH;
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framewright-test-'));
  process.env.PATH = `${folder}:${path}`;
});
afterEach(async () => {
  process.env.PATH = path;
  await rm(folder, { recursive: true });
});

it('reports the version of a program, also of one that exits with an error', async () => {
  const file = join(folder, 'framewright-test-tool');
  await writeFile(file, '#!/bin/sh\necho "tool 1.2 by its authors"; exit 3\n');
  await chmod(file, 0o755);
  expect(await programVersion('framewright-test-tool', [])).toBe('tool 1.2 by its authors');
});

it('takes a program that may not be executed for missing, like one that is not on PATH', async () => {
  await writeFile(join(folder, 'framewright-test-tool'), '#!/bin/sh\necho 1.0\n');
  expect(await programVersion('framewright-test-tool', [])).toBeUndefined();
  expect(await programVersion('framewright-test-absent', [])).toBeUndefined();
});
