import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeCutNetwork } from '../../support/cut-network.js';
import { buildFakeNvenc } from '../../support/fake-nvenc.js';
import { type Farm, startFarm } from '../../support/farm.js';
import { startReceiver } from '../../support/receiver.js';

/** FRAMEWRIGHT_TEST_LONG=1: each part of a render farm fails in the middle of a movie. */
const isLong = process.env.FRAMEWRIGHT_TEST_LONG !== undefined;
if (!isLong) console.warn('farm-failures: skipped because it takes minutes; set FRAMEWRIGHT_TEST_LONG=1 to run it');

describe.skipIf(!isLong)('a movie survives the loss of', () => {
  let farm: Farm;
  beforeEach(async () => {
    farm = await startFarm(2);
  }, 180_000);
  afterEach(() => farm.stop(), 60_000);

  const inTheMiddle = async (parts = 8, after = 2): Promise<string> => {
    const jobId = await farm.submit(farm.movie(parts));
    await expect.poll(() => farm.begun(jobId), { timeout: 120_000, interval: 10 }).toBeGreaterThan(after);
    return jobId;
  };
  const isPaidOnce = async (jobId: string, credits: number): Promise<void> => {
    expect(await farm.finished(jobId, 240_000)).toMatchObject({ status: 'completed', credits_used: credits });
    expect(await farm.booksWrong()).toEqual([]);
  };

  it('PostgreSQL', async () => {
    const jobId = await inTheMiddle();
    await farm.postgres.kill();
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await farm.postgres.start();
    await isPaidOnce(jobId, 8);
    expect(farm.begun(jobId)).toBeLessThanOrEqual(11);
  }, 300_000);

  it('the bucket', async () => {
    const jobId = await inTheMiddle();
    await farm.s3.stop();
    await new Promise((resolve) => setTimeout(resolve, 4000));
    await farm.s3.start();
    await isPaidOnce(jobId, 8);
  }, 300_000);

  it('its plan in the bucket, and holds up no other movie', async () => {
    const jobId = await inTheMiddle();
    const client = farm.s3.createClient();
    const { Contents: objects = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'films', Prefix: `farm/${jobId}/` }));
    const plans = objects.flatMap(({ Key: key = '' }) => (key.endsWith('/layout.json') ? [key] : []));
    expect(plans).toHaveLength(1);
    await client.send(new PutObjectCommand({ Bucket: 'films', Key: plans[0], Body: '{"parts":' }));
    client.destroy();
    const next = await farm.submit(farm.movie(2));
    expect(await farm.finished(next, 240_000)).toMatchObject({ status: 'completed', credits_used: 2 });
    await isPaidOnce(jobId, 8);
  }, 300_000);

  it('the service that accepted the job, by kill -9', async () => {
    const jobId = await inTheMiddle();
    process.kill(farm.api.pid, 'SIGKILL');
    await farm.restartApi();
    await isPaidOnce(jobId, 8);
    expect(farm.begun(jobId)).toBe(9);
  }, 300_000);

  it('one host after the other, while others join', async () => {
    const jobId = await inTheMiddle(12);
    await farm.hosts[0]?.end('SIGKILL');
    await farm.addHost();
    await farm.hosts[1]?.end('SIGKILL');
    await farm.addHost();
    await isPaidOnce(jobId, 12);
    // Thirteen segments, and at most two that were running.
    expect(farm.begun(jobId)).toBeLessThanOrEqual(15);
    expect(await farm.db.selectFrom('jobs').select(['attempts', 'interruptions']).execute()).toEqual([{ attempts: 1, interruptions: 0 }]);
  }, 300_000);

  it('the host that plans it', async () => {
    const slow = await startReceiver((_request, response) => void setTimeout(() => response.writeHead(404).end(), 5000));
    try {
      const script = farm.movie(4);
      // The segment is not in the cache while the movie is planned, which the second host learns from the plan.
      const jobId = await farm.submit({ ...script, elements: [{ type: 'image', src: slow.url, duration: 1 }] });
      const whose = (): number => farm.hosts.findIndex((host) => host.log().includes('a job starts'));
      await expect.poll(whose, { timeout: 60_000, interval: 10 }).toBeGreaterThanOrEqual(0);
      await slow.waitFor(1, 60_000);
      await farm.hosts[whose()]?.end('SIGKILL');
      expect(await farm.finished(jobId, 120_000)).toMatchObject({ status: 'failed', credits_used: 0 });
      expect(slow.received.length).toBeGreaterThan(1);
      const next = await farm.submit(script);
      await isPaidOnce(next, 4);
    } finally {
      await slow.close();
    }
  }, 300_000);

  it('all hosts, until new ones join', async () => {
    const jobId = await inTheMiddle();
    for (const host of farm.hosts) await host.end('SIGKILL');
    await farm.addHost();
    await isPaidOnce(jobId, 8);
    expect(farm.begun(jobId)).toBeLessThanOrEqual(11);
  }, 300_000);

  it('all hosts of one version, replaced by the next version', async () => {
    const jobId = await inTheMiddle(12);
    expect(await Promise.all(farm.hosts.map((host) => host.end('SIGTERM')))).toEqual([0, 0]);
    // Another build of a library forms another group, like another build of the engine.
    const libraries = join(farm.folder, 'next-version');
    await mkdir(libraries);
    buildFakeNvenc(libraries, 0);
    const next = await farm.addHost({ LD_LIBRARY_PATH: libraries, FRAMEWRIGHT_ENCODER: 'software' });
    expect(await farm.finished(await farm.submit(farm.movie(2)), 120_000)).toMatchObject({ status: 'completed' });
    // The remaining segments are for hosts that have left, so the movie starts again.
    await isPaidOnce(jobId, 12);
    expect(next.partsOf(jobId)).toBeGreaterThanOrEqual(12);
  }, 300_000);

  it('a stopping host requeues its segments and exits', async () => {
    const jobId = await inTheMiddle();
    expect(await farm.hosts[0]?.end('SIGTERM')).toBe(0);
    await isPaidOnce(jobId, 8);
    // The running segment is finished; a segment that is still downloading is requeued.
    expect([9, 10]).toContain(farm.begun(jobId));
  }, 300_000);

  it('the network of a host for a while', async () => {
    const network = makeCutNetwork(1);
    if (network === undefined) return console.warn('farm-failures: skipped the network case because this machine does not allow network namespaces');
    try {
      await farm.hosts[1]?.end('SIGTERM');
      const far = async (url: string): Promise<string> => url.replace(/127\.0\.0\.1:(\d+)/, await network.addressOf(Number(/:(\d+)(\/|$)/.exec(url)?.[1])));
      const environment = {
        DATABASE_URL: await far(farm.postgres.url),
        AWS_ENDPOINT_URL_S3: await far(farm.s3.environment.AWS_ENDPOINT_URL_S3 ?? ''),
      };
      const cut = await farm.addHost(environment, network.command);
      const silent = { ...farm.movie(10), elements: [] };
      const jobId = await farm.submit(silent);
      await expect.poll(() => cut.partsOf(jobId), { timeout: 120_000, interval: 10 }).toBeGreaterThan(1);
      network.cut();
      await isPaidOnce(jobId, 10);
      expect(farm.begun(jobId)).toBeLessThanOrEqual(12);
      network.mend();
      // It reconnects and takes further segments, and its stale segment has no effect.
      await expect
        .poll(
          async () => {
            const next = await farm.submit({ ...farm.movie(4), elements: [] });
            expect(await farm.finished(next, 120_000)).toMatchObject({ status: 'completed' });
            return cut.partsOf(next);
          },
          { timeout: 180_000, interval: 1000 },
        )
        .toBeGreaterThan(0);
      expect(await farm.booksWrong()).toEqual([]);
    } finally {
      for (const host of farm.hosts) await host.end('SIGKILL');
      await network.remove();
    }
  }, 600_000);

  it('an account with an hour of video does not delay another one', async () => {
    const long = await farm.submit(farm.movie(60));
    await expect.poll(() => farm.begun(long), { timeout: 120_000, interval: 10 }).toBeGreaterThan(2);
    const other = await farm.createKey('other');
    const short = await farm.submit(farm.movie(3), other);
    const statusOf = async (id: string): Promise<string | undefined> =>
      (await farm.db.selectFrom('jobs').select('status').where('id', '=', id).executeTakeFirst())?.status;
    await expect.poll(() => statusOf(short), { timeout: 240_000, interval: 100 }).toBe('completed');
    expect(await statusOf(long)).toBe('processing');
    expect(farm.begun(long)).toBeLessThan(40);
  }, 600_000);
});
