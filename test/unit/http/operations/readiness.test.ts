import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { createReadiness, type ReadinessParts } from '../../../../src/http/operations/index.js';
import { ManualClock } from '../../../support/accounting.js';

function create(parts: Partial<ReadinessParts> = {}) {
  const clock = new ManualClock();
  let writes = 0;
  const readiness = createReadiness({
    writeProbe: async () => {
      writes += 1;
    },
    canRender: () => true,
    isDraining: () => false,
    dataDir: tmpdir(),
    minFreeBytes: 1024 ** 2,
    clock,
    ...parts,
  });
  return { readiness, clock, writes: () => writes };
}

it('writes to the database at most once a second', async () => {
  const { readiness, clock, writes } = create();
  await Promise.all(Array.from({ length: 50 }, () => readiness()));
  clock.advance(999);
  await readiness();
  expect(writes()).toBe(1);
  clock.advance(1);
  expect((await readiness()).ready).toBe(true);
  expect(writes()).toBe(2);
});

it('is not ready as soon as the service is stopping, despite cached checks', async () => {
  let draining = false;
  const { readiness } = create({ isDraining: () => draining });
  expect((await readiness()).ready).toBe(true);
  draining = true;
  expect(await readiness()).toMatchObject({ ready: false, checks: { draining: 'the service is stopping', database: 'ok' } });
});

it('checks the file system of the data folder', async () => {
  // A virtual file system without free space.
  const { readiness } = create({ dataDir: '/proc' });
  expect(await readiness()).toMatchObject({ ready: false, checks: { disk: 'less than 1 MiB of disk are free' } });
  expect((await create({ dataDir: '/nowhere' }).readiness()).checks.disk).toBe('the data folder cannot be read');
});
