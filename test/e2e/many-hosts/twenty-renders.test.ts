import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CutNetwork, makeCutNetwork } from '../../support/cut-network.js';
import { type Farm, startFarm } from '../../support/farm.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';

/** FRAMEWRIGHT_TEST_LONG=1: each part of a render farm fails in the middle of twenty renders. */
const isLong = process.env.FRAMEWRIGHT_TEST_LONG !== undefined;
if (!isLong) console.warn('twenty-renders: left out, as it takes minutes; FRAMEWRIGHT_TEST_LONG=1 runs it');
const renders = 20;

describe.skipIf(!isLong)('twenty renders survive the loss of', () => {
  let farm: Farm;
  let receiver: Receiver;
  let network: CutNetwork | undefined;
  beforeEach(async () => {
    [farm, receiver] = await Promise.all([startFarm(2), startReceiver()]);
  }, 180_000);
  afterEach(async () => {
    for (const host of farm.hosts) await host.end('SIGKILL');
    await network?.remove();
    network = undefined;
    await Promise.all([farm.stop(), receiver.close()]);
  }, 60_000);

  const statuses = async (status: string): Promise<number> =>
    (
      await farm.db
        .selectFrom('jobs')
        .select('id')
        .where('status', '=', status as 'completed')
        .execute()
    ).length;
  const order = (): Promise<string[]> =>
    Promise.all(Array.from({ length: renders }, () => farm.submit({ ...farm.movie(2), elements: [], webhook_uri: receiver.url })));

  /** Causes the failure once a quarter of the renders is done. */
  async function lose(what: () => Promise<void>): Promise<void> {
    const jobs = await order();
    await expect.poll(() => statuses('completed'), { timeout: 240_000, interval: 20 }).toBeGreaterThanOrEqual(renders / 4);
    await what();
    for (const jobId of jobs) {
      const job = await farm.finished(jobId, 300_000);
      expect(job).toMatchObject({ status: 'completed', credits_used: 2 });
      const video = await fetch(farm.api.url + new URL(job.output_uri ?? '').pathname);
      expect((await video.arrayBuffer()).byteLength).toBeGreaterThan(1000);
    }
    expect(await farm.booksWrong()).toEqual([]);
    await expect.poll(() => new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, { timeout: 60_000 }).toBe(renders);
    // A webhook whose outcome is unknown may be sent again.
    expect(receiver.received.length).toBeLessThanOrEqual(renders + 1);
  }

  it('a worker', () => lose(async () => void (await farm.hosts[0]?.end('SIGKILL'))), 600_000);

  it(
    'PostgreSQL',
    () =>
      lose(async () => {
        await farm.postgres.kill();
        await farm.postgres.start();
      }),
    600_000,
  );

  it(
    'the service',
    () =>
      lose(async () => {
        process.kill(farm.api.pid, 'SIGKILL');
        await farm.restartApi();
      }),
    600_000,
  );

  it('the network of a worker', async () => {
    network = makeCutNetwork(2);
    if (network === undefined) return console.warn('twenty-renders: nobody may make network namespaces here, so no network was cut');
    await farm.hosts[1]?.end('SIGTERM');
    const { addressOf, command, cut } = network;
    const far = async (url = ''): Promise<string> => url.replace(/127\.0\.0\.1:(\d+)/, await addressOf(Number(/:(\d+)(\/|$)/.exec(url)?.[1])));
    const [database, bucket] = await Promise.all([farm.postgres.url, farm.s3.environment.AWS_ENDPOINT_URL_S3].map(far));
    await farm.addHost({ DATABASE_URL: database ?? '', AWS_ENDPOINT_URL_S3: bucket ?? '' }, command);
    await lose(async () => cut());
  }, 600_000);
});
