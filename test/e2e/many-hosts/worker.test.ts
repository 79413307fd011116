import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccountStore, findImbalances, systemClock } from '../../../src/accounts/index.js';
import { type Database, type Kysely, openDatabase } from '../../../src/db/index.js';
import { cliPath, runCli } from '../../support/cli.js';
import { createPostgresServer, type PostgresServer } from '../../support/postgres-server.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { type S3Server, startS3Server } from '../../support/s3-server.js';
import { finishedJob, type RunningService, startService, submit } from '../../support/service.js';

/** A service that accepts jobs, and workers that start and stop. */
let postgres: PostgresServer;
let s3: S3Server;
let receiver: Receiver;
let folder: string;
let shared: Record<string, string>;
let api: RunningService;
let db: Kysely<Database>;
let key: string;
const workers: Worker[] = [];
beforeAll(async () => {
  [postgres, s3, receiver] = await Promise.all([createPostgresServer(), startS3Server(), startReceiver()]);
  folder = await mkdtemp(join(tmpdir(), 'framewright-hosts-'));
  shared = { DATABASE_URL: postgres.url, FRAMEWRIGHT_STORAGE: 's3://films', FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1', ...s3.environment };
  api = await startService(join(folder, 'api'), { ...shared, FRAMEWRIGHT_WORKERS: '0' });
  db = await openDatabase({ url: postgres.url });
  const limits = { requestsPerMinute: 1_000_000, concurrentJobs: 100 };
  ({ key } = await new AccountStore(db, systemClock).createKey({ accountName: 'acme', plan: 'enterprise', mode: 'live', credits: 1000, limits }));
});
afterAll(async () => {
  await db?.destroy();
  for (const worker of workers) await worker.end('SIGKILL');
  await api?.stop();
  await Promise.all([postgres?.remove(), s3?.remove(), receiver?.close()]);
  await rm(folder, { recursive: true, force: true });
});

interface Worker {
  dataDir: string;
  /** Response of the operators' endpoint at this path. */
  tells(path: string): Promise<string>;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

async function startWorker(name: string, environment: Record<string, string> = {}): Promise<Worker> {
  const dataDir = join(folder, name);
  const child: ChildProcess = spawn(process.execPath, [cliPath, 'worker'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, FRAMEWRIGHT_DATA_DIR: dataDir, FRAMEWRIGHT_METRICS_PORT: '0', ...shared, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const saying = new Promise<string>((resolve) => child.stdout?.once('data', (text: Buffer) => resolve(String(text))));
  const said = await Promise.race([saying, exited]);
  expect(said).toMatch(/^Framewright worker: 1 render process on \d+ cores/);
  const [address = ''] = /http:\S+(?=\/metrics)/.exec(String(said)) ?? [];
  const worker: Worker = {
    dataDir,
    tells: async (path) => (await fetch(address + path)).text(),
    end: (signal) => {
      child.kill(signal);
      return exited;
    },
  };
  workers.push(worker);
  return worker;
}

const movie = (seconds: number, width = 160): object => ({
  width,
  height: (width * 9) / 16,
  cache: false,
  webhook_uri: receiver.url,
  scenes: [{ duration: seconds, 'background-color': '#336699', elements: [{ type: 'text', text: 'far away', zoom: 2 }] }],
});
const processing = async (): Promise<number> =>
  (await db.selectFrom('jobs').select('id').where('status', '=', 'processing').where('progress', '>', 0).execute()).length;

it('renders jobs of a service, which serves the outputs and reports progress', async () => {
  const { job_id: jobId } = await submit(api, key, movie(2));
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await db.selectFrom('jobs').select('status').execute()).toEqual([{ status: 'queued' }]);
  await startWorker('first');
  const job = await finishedJob(api, key, jobId, 60_000);
  expect(job).toMatchObject({ status: 'completed', credits_used: 2 });
  expect((await fetch(api.url + new URL(job.output_uri ?? '').pathname)).status).toBe(200);
  expect(JSON.parse((await workers[0]?.tells('/readyz')) ?? '')).toMatchObject({ status: 'ready', checks: { database: 'ok' } });
  const figures = await workers[0]?.tells('/metrics');
  expect(figures).toContain('\nrender_jobs_total{status="completed",code="none"} 1\n');
  expect(figures).toMatch(/\nsqlite_commit_seconds_count [1-9]/);
  expect(figures).not.toContain('render_queue_depth');
  const [reported] = await receiver.waitFor(1, 20_000);
  expect(JSON.parse(reported?.body ?? '{}')).toMatchObject({ job_id: jobId, status: 'completed' });
}, 120_000);

it('a stopping worker finishes its segment and claims no other task', async () => {
  const jobs = [await submit(api, key, movie(40, 1280)), await submit(api, key, movie(1))];
  await expect.poll(processing, { timeout: 60_000, interval: 50 }).toBe(1);
  expect(await workers[0]?.end('SIGTERM')).toBe(0);
  const rows = await db.selectFrom('jobs').select(['status', 'attempts']).orderBy('seq', 'desc').limit(2).execute();
  expect(rows).toEqual([
    { status: 'queued', attempts: 0 },
    { status: 'processing', attempts: 1 },
  ]);
  expect(await readdir(join(workers[0]?.dataDir ?? '', 'work'))).toEqual([]);
  await startWorker('second');
  for (const { job_id: jobId } of jobs) expect(await finishedJob(api, key, jobId, 150_000)).toMatchObject({ status: 'completed' });
}, 300_000);

it('the job of a killed worker is rendered and charged once', async () => {
  const { job_id: jobId } = await submit(api, key, movie(40, 1280));
  await expect.poll(processing, { timeout: 60_000, interval: 50 }).toBe(1);
  await workers[1]?.end('SIGKILL');
  await startWorker('third');
  expect(await finishedJob(api, key, jobId, 150_000)).toMatchObject({ status: 'completed', credits_used: 40 });
  const jobs = await db.selectFrom('jobs').select(['status', 'credits_used']).execute();
  expect(jobs.map(({ status }) => status)).toEqual(jobs.map(() => 'completed'));
  expect(await findImbalances(db)).toEqual([]);
  const spent = jobs.reduce((sum, { credits_used: used }) => sum + Number(used), 0);
  expect((await db.selectFrom('accounts').select('balance').executeTakeFirstOrThrow()).balance).toBe(1000 - spent);
  await receiver.waitFor(jobs.length, 20_000);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(jobs.length);
}, 240_000);

it('a worker whose clock is behind holds leases by the clock of the database', async () => {
  await workers.at(-1)?.end('SIGTERM');
  const { job_id: jobId } = await submit(api, key, movie(40, 1280));
  const preload = fileURLToPath(new URL('../../fixtures/shift-clock.mjs', import.meta.url));
  await startWorker('behind', { CLOCK_SHIFT_MS: '-120000', NODE_OPTIONS: `--import=${preload}` });
  await expect.poll(processing, { timeout: 60_000, interval: 10 }).toBe(1);
  const row = await db.selectFrom('jobs').select('lease_expires_at').where('id', '=', jobId).executeTakeFirstOrThrow();
  expect(Date.parse(row.lease_expires_at ?? '')).toBeGreaterThan(Date.now());
  expect(await finishedJob(api, key, jobId, 60_000)).toMatchObject({ status: 'completed', credits_used: 40 });
  const outcome = await db.selectFrom('jobs').select(['attempts', 'interruptions']).where('id', '=', jobId).executeTakeFirstOrThrow();
  expect(outcome).toEqual({ attempts: 1, interruptions: 0 });
}, 120_000);

it.each([
  ['DATABASE_URL', { DATABASE_URL: '' }],
  ['FRAMEWRIGHT_STORAGE', { FRAMEWRIGHT_STORAGE: '' }],
  ['FRAMEWRIGHT_WORKERS', { FRAMEWRIGHT_WORKERS: '0' }],
])('names %s when it is what is missing', async (name, environment) => {
  const { code, stderr } = await runCli(['worker'], { env: { FRAMEWRIGHT_DATA_DIR: join(folder, 'none'), ...shared, ...environment } });
  expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
  expect(stderr).toContain(`${name}: `);
});
