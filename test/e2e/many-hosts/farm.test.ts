import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccountStore, findImbalances, systemClock } from '../../../src/accounts/index.js';
import { type Database, type Kysely, openDatabase } from '../../../src/db/index.js';
import { runCli } from '../../support/cli.js';
import { type FarmHost, startFarmHost } from '../../support/farm-host.js';
import { frameDigests } from '../../support/ffmpeg.js';
import { createPostgresServer, type PostgresServer } from '../../support/postgres-server.js';
import { type RedisServer, startRedisServer } from '../../support/redis-server.js';
import { type S3Server, startS3Server } from '../../support/s3-server.js';
import { finishedJob, type RunningService, startService, submit } from '../../support/service.js';

/** One service that takes orders, and hosts that share the scenes of each movie. */
let postgres: PostgresServer;
let redis: RedisServer;
let s3: S3Server;
let folder: string;
let shared: Record<string, string>;
let api: RunningService;
let db: Kysely<Database>;
let key: string;
const hosts: FarmHost[] = [];
const startHost = async (): Promise<FarmHost> => {
  const host = await startFarmHost(join(folder, `host-${hosts.length}`), shared);
  hosts.push(host);
  return host;
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framewright-farm-'));
  [postgres, redis, s3] = await Promise.all([createPostgresServer(), startRedisServer({ folder }), startS3Server()]);
  shared = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    FRAMEWRIGHT_STORAGE: 's3://films',
    FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
    ...s3.environment,
  };
  const starting = startService(join(folder, 'api'), { ...shared, FRAMEWRIGHT_WORKERS: '0' });
  api = await starting;
  db = await openDatabase({ url: postgres.url });
  const limits = { requestsPerMinute: 1_000_000, concurrentJobs: 100 };
  ({ key } = await new AccountStore(db, systemClock).createKey({ accountName: 'acme', plan: 'enterprise', mode: 'live', credits: 1000, limits }));
  await Promise.all([startHost(), startHost()]);
});
afterAll(async () => {
  await db?.destroy();
  for (const host of hosts) await host.end('SIGKILL');
  await api?.stop();
  await redis?.kill();
  await Promise.all([postgres?.remove(), s3?.remove()]);
  await rm(folder, { recursive: true, force: true });
});

/** Scenes that take a moment each, and music under all of them. */
const movie = (scenes: number, seconds = 2): Record<string, unknown> => ({
  width: 640,
  height: 360,
  scenes: Array.from({ length: scenes }, (_none, index) => ({
    duration: seconds,
    'background-color': '#336699',
    ...(index % 3 === 1 && { transition: { style: 'fade', duration: 0.5 } }),
    elements: [{ type: 'text', text: `Scene ${index} of ${Math.random()}`, zoom: 2 }],
  })),
});
const rendered = (jobId: string): Array<{ host: FarmHost; parts: number }> => hosts.map((host) => ({ host, parts: host.partsOf(jobId) }));
const fetchFilm = async (uri: string, name: string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, new Uint8Array(await (await fetch(api.url + new URL(uri).pathname)).arrayBuffer()));
  return path;
};

it('a movie spreads over hosts, decodes as one of a single host does, and is paid once', async () => {
  const script = movie(8);
  const { job_id: jobId } = await submit(api, key, script);
  const job = await finishedJob(api, key, jobId, 60_000);
  expect(job).toMatchObject({ status: 'completed', credits_used: 16 });
  const film = await fetchFilm(job.output_uri ?? '', 'farm.mp4');
  await writeFile(join(folder, 'movie.json'), JSON.stringify(script));
  const alone = await runCli(['render', join(folder, 'movie.json'), '-o', join(folder, 'alone.mp4')]);
  expect(alone.code, alone.stderr).toBe(0);
  expect(await frameDigests(film)).toEqual(await frameDigests(join(folder, 'alone.mp4')));
  expect(rendered(jobId).map(({ parts }) => parts > 0)).toEqual([true, true]);
  expect(rendered(jobId).reduce((sum, { parts }) => sum + parts, 0)).toBe(8);
  expect(await findImbalances(db)).toEqual([]);
}, 120_000);

const begun = (jobId: string): number => rendered(jobId).reduce((sum, { parts }) => sum + parts, 0);
const spentOnce = async (): Promise<void> => {
  expect(await findImbalances(db)).toEqual([]);
  const jobs = await db.selectFrom('jobs').select('credits_used').execute();
  const spent = jobs.reduce((sum, { credits_used: used }) => sum + Number(used), 0);
  expect((await db.selectFrom('accounts').select('balance').executeTakeFirstOrThrow()).balance).toBe(1000 - spent);
};

it('of a host that is killed only the part in hand is rendered again', async () => {
  const { job_id: jobId } = await submit(api, key, movie(8));
  await expect.poll(() => begun(jobId), { timeout: 60_000, interval: 20 }).toBeGreaterThan(3);
  await hosts[0]?.end('SIGKILL');
  expect(await finishedJob(api, key, jobId, 60_000)).toMatchObject({ status: 'completed', credits_used: 16 });
  // The one in hand, or none when it was killed between two.
  expect([8, 9]).toContain(begun(jobId));
  expect(await db.selectFrom('jobs').select(['attempts', 'interruptions']).where('id', '=', jobId).execute()).toEqual([{ attempts: 1, interruptions: 0 }]);
  await spentOnce();
}, 120_000);

it.each(['with what it had kept', 'empty'])(
  'Redis may be killed and come back %s',
  async (how) => {
    const { job_id: jobId } = await submit(api, key, movie(6));
    await expect.poll(() => begun(jobId), { timeout: 60_000, interval: 20 }).toBeGreaterThan(2);
    await redis.kill();
    if (how === 'empty') await rm(join(folder, 'appendonlydir'), { recursive: true });
    await redis.start();
    expect(await finishedJob(api, key, jobId, 60_000)).toMatchObject({ status: 'completed', credits_used: 12 });
    // Two that were in hand at most.
    expect(begun(jobId)).toBeLessThanOrEqual(8);
    await spentOnce();
  },
  120_000,
);
