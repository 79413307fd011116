import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cgroupCpuQuota, encoderSlots } from '../../../src/engine/process/encoder-slots.js';
import { temporaryFolder } from '../../support/cli.js';

it('there are several encoders only where there are cores for them, unless the operator says so', () => {
  const found = [1, 2, 7, 7.9, 8, 12, 16, 64].map((cores) => encoderSlots('auto', cores).maxParallel);
  expect(found).toEqual([1, 1, 1, 1, 2, 3, 4, 4]);
  expect(encoderSlots('auto', 8)).toEqual({ maxParallel: 2, maxParallelOnCards: 2, cores: 8 });
  expect(encoderSlots(3, 2)).toEqual({ maxParallel: 3, maxParallelOnCards: 3, cores: 0 });
  // Two segments per card, as far as there are cores.
  expect([1, 2, 4, 8].map((cards) => encoderSlots('auto', 32, cards).maxParallelOnCards)).toEqual([4, 4, 8, 16]);
  expect(encoderSlots('auto', 8, 8).maxParallelOnCards).toBe(4);
});

it('a control group and all above it may leave less than the host has', async () => {
  const folder = await temporaryFolder();
  const write = async (group: string, text: string): Promise<void> => {
    await mkdir(join(folder.path, group), { recursive: true });
    await writeFile(join(folder.path, group, 'cpu.max'), text);
  };
  expect(cgroupCpuQuota(folder.path, '/pod/engine')).toBe(Number.POSITIVE_INFINITY);
  await write('pod/engine', 'max 100000\n');
  expect(cgroupCpuQuota(folder.path, '/pod/engine')).toBe(Number.POSITIVE_INFINITY);
  await write('pod', '150000 100000\n');
  expect(cgroupCpuQuota(folder.path, '/pod/engine')).toBe(1.5);
  await write('.', '100000 100000\n');
  expect(cgroupCpuQuota(folder.path, '/pod/engine')).toBe(1);
  await folder.remove();
});
