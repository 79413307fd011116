import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccountStore, findImbalances, systemClock } from '../../../src/accounts/index.js';
import { type Database, type Kysely, openDatabase } from '../../../src/db/index.js';
import { createPostgresServer, type PostgresServer } from '../../support/postgres-server.js';
import { answer, type Receiver, startReceiver } from '../../support/receiver.js';
import { type S3Server, startS3Server } from '../../support/s3-server.js';
import { finishedJob, jobOf, type RunningService, startService, submit } from '../../support/service.js';

/** Two hosts share only a database and a bucket: one accepts jobs, the other renders. */
let postgres: PostgresServer;
let s3: S3Server;
let folders: string[];
let api: RunningService;
let renderer: RunningService;
let db: Kysely<Database>;
let key: string;
beforeAll(async () => {
  [postgres, s3] = await Promise.all([createPostgresServer(), startS3Server()]);
  folders = await Promise.all([0, 1].map(() => mkdtemp(join(tmpdir(), 'framewright-host-'))));
  const shared = {
    DATABASE_URL: postgres.url,
    FRAMEWRIGHT_STORAGE: 's3://films/made/here',
    FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
    ...s3.environment,
  };
  api = await startService(folders[0] ?? '', { ...shared, FRAMEWRIGHT_WORKERS: '0' });
  renderer = await startService(folders[1] ?? '', { ...shared, FRAMEWRIGHT_WORKERS: '1', FRAMEWRIGHT_PUBLIC_URL: 'https://films.example.org' });
  db = await openDatabase({ url: postgres.url });
  const limits = { requestsPerMinute: 1_000_000, concurrentJobs: 100 };
  ({ key } = await new AccountStore(db, systemClock).createKey({ accountName: 'acme', plan: 'enterprise', mode: 'live', credits: 1000, limits }));
});
afterAll(async () => {
  await db?.destroy();
  await Promise.all([api?.stop(), renderer?.stop()]);
  await Promise.all([postgres?.remove(), s3?.remove()]);
  for (const folder of folders ?? []) await rm(folder, { recursive: true, force: true });
});

const movie = (exports?: unknown): object => ({
  width: 160,
  height: 90,
  cache: false,
  scenes: [{ duration: 2, 'background-color': '#336699', elements: [{ type: 'text', text: 'far away', zoom: 2 }] }],
  ...(exports !== undefined && { exports }),
});
const digest = (bytes: ArrayBuffer): string => createHash('sha256').update(new Uint8Array(bytes)).digest('hex');
const outputsOn = async (folder: string | undefined): Promise<string[]> => readdir(join(folder ?? '', 'outputs'));

it('every host serves outputs of the others, whole and in ranges', async () => {
  const { job_id: jobId } = await submit(api, key, movie());
  const job = await finishedJob(api, key, jobId, 90_000);
  expect(job).toMatchObject({ status: 'completed', credits_used: 2 });
  const path = new URL(job.output_uri ?? '').pathname;
  expect(await Promise.all(folders.map(outputsOn))).toEqual([[], []]);
  const [here, there] = await Promise.all([api, renderer].map(async ({ url }) => (await fetch(url + path)).arrayBuffer()));
  expect(here?.byteLength).toBeGreaterThan(1000);
  expect(digest(here as ArrayBuffer)).toBe(digest(there as ArrayBuffer));
  const part = await fetch(api.url + path, { headers: { range: 'bytes=4-7' } });
  expect(part.status).toBe(206);
  expect(part.headers.get('content-range')).toBe(`bytes 4-7/${here?.byteLength}`);
  expect(await part.text()).toBe('ftyp');
  const head = await fetch(api.url + path, { method: 'HEAD' });
  expect(head.headers.get('content-length')).toBe(String(here?.byteLength));
  const again = await fetch(api.url + path, { headers: { 'if-none-match': head.headers.get('etag') ?? '' } });
  expect(again.status).toBe(304);
  expect((await fetch(`${api.url}${path.replace(/[0-9a-f]{64}/, 'a'.repeat(64))}`)).status).toBe(404);
}, 120_000);

it('exports are sent once from the bucket and leave no files', async () => {
  // Meanwhile both hosts look for pending exports several times.
  const receiver: Receiver = await startReceiver((...given) => setTimeout(() => answer(204)(...given), 4000));
  try {
    const { job_id: jobId } = await submit(api, key, movie([{ type: 'webhook', endpoint: receiver.url }]));
    await finishedJob(api, key, jobId, 90_000);
    const [reported] = await receiver.waitFor(1);
    const isDelivered = async (): Promise<unknown> => (await db.selectFrom('deliveries').select(['status', 'runs']).execute()).map(Object.values);
    await expect.poll(isDelivered, { timeout: 20_000 }).toEqual([['delivered', 1]]);
    expect(receiver.received).toHaveLength(1);
    await expect.poll(() => db.selectFrom('deliveries').select('id').where('holder', 'is not', null).execute(), { timeout: 10_000 }).toEqual([]);
    expect(JSON.parse(reported?.body ?? '{}')).toMatchObject({ project: jobId });
    await expect.poll(() => Promise.all(folders.map(outputsOn)), { timeout: 10_000 }).toEqual([[], []]);
  } finally {
    await receiver.close();
  }
}, 120_000);

it('a stream is stored and exported as a folder of files', async () => {
  const { AWS_ENDPOINT_URL_S3: endpoint = '', AWS_ACCESS_KEY_ID: user = '', AWS_SECRET_ACCESS_KEY: secret = '' } = s3.environment;
  const target = { type: 's3', endpoint, bucket: 'films', access_key_id: user, secret_access_key: secret, key: 'sent/talk', output: 'live' };
  const script = { ...movie([target]), outputs: [{ name: 'live', format: 'hls', ladder: [{ width: 160 }, { width: 80 }] }] };
  const { job_id: jobId } = await submit(api, key, script);
  const job = (await finishedJob(api, key, jobId, 90_000)) as Awaited<ReturnType<typeof finishedJob>> & {
    outputs: Array<{ uri: string; file_size_bytes: number }>;
  };
  expect(job).toMatchObject({ status: 'completed', credits_used: 3 });
  const [{ uri, file_size_bytes: bytes } = { uri: '', file_size_bytes: 0 }] = job.outputs;
  const names = ['stream.m3u8', 'stream.mpd', 'stream-90p.m3u8', 'stream-90p.mp4', 'stream-46p.m3u8', 'stream-46p.mp4'];
  let total = 0;
  for (const name of names) {
    const answers = await Promise.all([api, renderer].map(({ url }) => fetch(new URL(name, url + new URL(uri).pathname))));
    const [here, there] = await Promise.all(answers.map((one) => one.arrayBuffer()));
    expect([name, ...answers.map(({ status }) => status)]).toEqual([name, 200, 200]);
    expect(digest(here as ArrayBuffer)).toBe(digest(there as ArrayBuffer));
    total += here?.byteLength ?? 0;
  }
  expect(total).toBe(bytes);
  const exported = async (): Promise<unknown> => ((await jobOf(api, key, jobId)) as { exports?: unknown[] }).exports;
  await expect.poll(exported, { timeout: 20_000 }).toMatchObject([{ status: 'delivered', location: 's3://films/sent/talk/stream.m3u8' }]);
  const client = s3.createClient();
  const { Contents: objects = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'films', Prefix: 'sent/' }));
  expect(objects.map((object) => object.Key).sort()).toEqual(names.map((name) => `sent/talk/${name}`).sort());
  client.destroy();
  // Neither the render nor the copies for the export leave anything on the hosts.
  await expect.poll(() => Promise.all(folders.map(outputsOn)), { timeout: 10_000 }).toEqual([[], []]);
}, 120_000);

it('a temporary outage of the store delays a distributed movie', async () => {
  await s3.stop();
  const { job_id: jobId } = await submit(api, key, movie());
  const stages = async (): Promise<unknown> => (await db.selectFrom('jobs').select('status').where('id', '=', jobId).executeTakeFirst())?.status;
  await expect.poll(stages, { timeout: 60_000 }).toBe('processing');
  await new Promise((resolve) => setTimeout(resolve, 3000));
  await s3.start();
  const job = await finishedJob(api, key, jobId, 120_000);
  expect(job).toMatchObject({ status: 'completed', credits_used: 2 });
  expect((await fetch(api.url + new URL(job.output_uri ?? '').pathname)).status).toBe(200);
  expect(await outputsOn(folders[1])).toEqual([]);
  expect(await findImbalances(db)).toEqual([]);
}, 180_000);

it('a temporary outage of the store loses no output of a single host', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'framewright-alone-'));
  folders.push(folder);
  const environment = { FRAMEWRIGHT_STORAGE: 's3://films/alone', FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1', ...s3.environment, FRAMEWRIGHT_WORKERS: '1' };
  const alone = await startService(folder, environment);
  const ledger = await openDatabase({ path: join(folder, 'framewright.db') });
  try {
    const own = await new AccountStore(ledger, systemClock).createKey({ accountName: 'acme', plan: 'pro', mode: 'live', credits: 10 });
    await s3.stop();
    const { job_id: jobId } = await submit(alone, own.key, movie());
    await expect.poll(() => outputsOn(folder), { timeout: 60_000 }).toEqual([expect.stringContaining(jobId)]);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await s3.start();
    const job = await finishedJob(alone, own.key, jobId, 120_000);
    expect(job).toMatchObject({ status: 'completed', credits_used: 2 });
    expect((await fetch(alone.url + new URL(job.output_uri ?? '').pathname)).status).toBe(200);
    expect(await outputsOn(folder)).toEqual([]);
    expect(await findImbalances(ledger)).toEqual([]);
  } finally {
    await ledger.destroy();
    await alone.stop();
  }
}, 180_000);

it('a missing bucket is an error at startup', async () => {
  const environment = { DATABASE_URL: postgres.url, ...s3.environment, FRAMEWRIGHT_STORAGE: 's3://nowhere', FRAMEWRIGHT_WORKERS: '0' };
  await expect(startService(folders[0] ?? '', environment)).rejects.toThrow(/The bucket nowhere cannot be used: it does not exist/);
});
