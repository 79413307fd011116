import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { encodingTurns, quota } from '../../../src/engine/process/encoding-turns.js';
import { temporaryFolder } from '../../support/cli.js';

it('there are several encoders only where there are cores for them, unless the operator says so', () => {
  const found = [1, 2, 7, 7.9, 8, 12, 16, 64].map((cores) => encodingTurns('auto', cores).most);
  expect(found).toEqual([1, 1, 1, 1, 2, 3, 4, 4]);
  expect(encodingTurns('auto', 8)).toEqual({ most: 2, cores: 8 });
  expect(encodingTurns(3, 2)).toEqual({ most: 3, cores: 0 });
});

it('a control group and all above it may leave less than the host has', async () => {
  const folder = await temporaryFolder();
  const write = async (group: string, text: string): Promise<void> => {
    await mkdir(join(folder.path, group), { recursive: true });
    await writeFile(join(folder.path, group, 'cpu.max'), text);
  };
  expect(quota(folder.path, '/pod/engine')).toBe(Number.POSITIVE_INFINITY);
  await write('pod/engine', 'max 100000\n');
  expect(quota(folder.path, '/pod/engine')).toBe(Number.POSITIVE_INFINITY);
  await write('pod', '150000 100000\n');
  expect(quota(folder.path, '/pod/engine')).toBe(1.5);
  await write('.', '100000 100000\n');
  expect(quota(folder.path, '/pod/engine')).toBe(1);
  await folder.remove();
});
