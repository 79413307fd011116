import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyService, smallMovie, startFaultyService } from '../../support/faulty-service.js';
import { until } from '../../support/receiver.js';
import { finishedJob } from '../../support/service.js';
import { mountSmallDisk, type SmallDisk, whyNoSmallDisk } from '../../support/small-disk.js';

const mebibyte = 1024 ** 2;
/** The long form also fills the disks of renders, outputs and caches. */
const isLong = process.env.FRAMEWRIGHT_TEST_LONG !== undefined;
const missing = whyNoSmallDisk();
if (missing !== undefined) console.error(`LEFT OUT: full disks are not tested: ${missing}`);

/** Noise does not compress: two seconds take some megabytes. */
const noise = `<canvas id="c" width="640" height="360"></canvas><script>
const c = document.getElementById('c').getContext('2d'), p = c.createImageData(640, 360);
for (let i = 0; i < p.data.length; i++) p.data[i] = i % 4 === 3 ? 255 : Math.random() * 256;
c.putImageData(p, 0, 0);</script>`;
const largeMovie = {
  width: 640,
  height: 360,
  quality: 'high',
  cache: false,
  scenes: [{ duration: 2, elements: [{ type: 'html', html: noise, width: 640, height: 360, zoom: 5 }] }],
};

describe.skipIf(missing !== undefined)('a full disk', () => {
  let disk: SmallDisk;
  let faulty: FaultyService | undefined;
  beforeEach(() => {
    disk = mountSmallDisk(24 * mebibyte) as SmallDisk;
  });
  afterEach(async () => {
    disk.empty();
    await faulty?.stop();
    faulty = undefined;
    disk.remove();
  });

  const balanceOf = async ({ db }: FaultyService): Promise<number> => (await db.selectFrom('accounts').select('balance').executeTakeFirstOrThrow()).balance;

  it('under the database refuses submissions without a debit, serves reads and recovers', async () => {
    faulty = await startFaultyService({ dataDir: join(disk.folder, 'data') });
    const { db, call } = faulty;
    const before = await balanceOf(faulty);
    disk.fill();
    // Writes that fit into the allocated log of the database may still succeed.
    const answers = [];
    for (let tries = 0; tries < 200 && answers.at(-1)?.status !== 500; tries += 1) {
      answers.push(await call('POST', '/api/render', { ...smallMovie, comment: 'x'.repeat(100_000) }));
    }
    expect(answers.at(-1)).toMatchObject({ status: 500, body: { error: { code: 'INTERNAL_ERROR' } } });
    const accepted = answers.filter(({ status }) => status === 202).length;
    expect((await db.selectFrom('jobs').select('id').execute()).length).toBe(accepted);
    expect(await balanceOf(faulty)).toBe(before - accepted);
    expect((await call('GET', '/api/jobs')).status).toBe(200);
    expect((await call('GET', '/healthz')).status).toBe(200);
    expect(await call('GET', '/readyz')).toMatchObject({ status: 503 });
    disk.empty();
    const at = performance.now();
    await until(async () => (await call('POST', '/api/render', smallMovie)).status === 202, 5000);
    expect(performance.now() - at).toBeLessThan(5000);
    await faulty.expectRecovered();
  }, 120_000);

  it.skipIf(!isLong)(
    'during a render fails the job, refunds it and removes its files',
    async () => {
      faulty = await startFaultyService({ dataDir: join(disk.folder, 'data') });
      await faulty.expectRecovered();
      disk.fill(1.2 * mebibyte);
      const { body } = await faulty.call('POST', '/api/render', largeMovie);
      const job = await finishedJob(faulty.service, faulty.key, String(body.job_id), 60_000);
      expect(job).toMatchObject({ status: 'failed', credits_used: 0, error: { code: expect.stringMatching(/^(INTERNAL_ERROR|RENDER_FAILED)$/) } });
      disk.empty();
      await faulty.expectRecovered();
    },
    120_000,
  );

  it.skipIf(!isLong)(
    'under the outputs fails the job, refunds it and leaves no partial output',
    async () => {
      const dataDir = join(disk.folder, 'data');
      mkdirSync(join(dataDir, 'outputs'), { recursive: true });
      const outputs = mountSmallDisk(4096, join(dataDir, 'outputs')) as SmallDisk;
      outputs.fill();
      faulty = await startFaultyService({ dataDir });
      try {
        const { body } = await faulty.call('POST', '/api/render', { ...smallMovie, quality: 'high', cache: false });
        const job = await finishedJob(faulty.service, faulty.key, String(body.job_id), 60_000);
        expect(job).toMatchObject({ status: 'failed', credits_used: 0 });
        expect(await readdir(outputs.folder)).toEqual(['ballast']);
      } finally {
        outputs.empty();
        spawnSync('umount', ['-l', outputs.folder]);
      }
      await faulty.expectRecovered();
    },
    120_000,
  );

  it.skipIf(!isLong)(
    'under the cache only slows renders down',
    async () => {
      mkdirSync(join(disk.folder, 'cache'));
      disk.fill();
      faulty = await startFaultyService({ environment: { FRAMEWRIGHT_CACHE_DIR: join(disk.folder, 'cache') } });
      await faulty.expectRecovered();
    },
    120_000,
  );

  it('under the log only loses lines, and the log continues when there is room', async () => {
    const logFile = join(disk.folder, 'log');
    faulty = await startFaultyService({ logFile });
    disk.fill();
    for (let number = 0; number < 40; number += 1) await faulty.call('POST', '/api/render', { ...smallMovie, scenes: 'none' });
    await faulty.expectRecovered();
    const full = statSync(logFile).size;
    disk.empty();
    await faulty.expectRecovered();
    expect(statSync(logFile).size).toBeGreaterThan(full);
  }, 120_000);
});

describe.skipIf(missing !== undefined)('a disk that is nearly full', () => {
  it.skipIf(!isLong)(
    'leaves jobs in the queue, reports it and recovers',
    async () => {
      const disk = mountSmallDisk(24 * mebibyte) as SmallDisk;
      const faulty = await startFaultyService({ dataDir: join(disk.folder, 'data'), environment: { FRAMEWRIGHT_MIN_FREE_DISK_MB: '4' } });
      try {
        disk.fill(3 * mebibyte);
        await new Promise((resolve) => setTimeout(resolve, 1100));
        const { status, body } = await faulty.call('POST', '/api/render', smallMovie);
        expect(status).toBe(202);
        expect(await faulty.call('GET', '/readyz')).toMatchObject({ status: 503, body: { checks: { disk: 'less than 4 MiB of disk are free' } } });
        await new Promise((resolve) => setTimeout(resolve, 1500));
        expect((await faulty.call('GET', `/api/jobs/${body.job_id}`)).body.status).toBe('queued');
        expect(faulty.service.log()).toMatch(/nearly full/);
        disk.empty();
        expect(await finishedJob(faulty.service, faulty.key, String(body.job_id), 30_000)).toMatchObject({ status: 'completed' });
        await faulty.expectRecovered();
      } finally {
        await faulty.stop();
        disk.remove();
      }
    },
    120_000,
  );
});
