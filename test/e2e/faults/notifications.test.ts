import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { AccountStore, systemClock } from '../../../src/accounts/index.js';
import { type Database, type Kysely, openDatabase } from '../../../src/db/index.js';
import { Notifications } from '../../../src/db/postgres/notifications.js';
import { type KillableService, startKillableService } from '../../support/killable-service.js';
import { type PostgresProxy, startPostgresProxy } from '../../support/postgres-proxy.js';
import { createPostgresServer, type PostgresServer } from '../../support/postgres-server.js';
import { pause, until } from '../../support/receiver.js';
import { callAt, movie } from '../../support/service-in-process.js';

/** So long that a job that starts earlier was started by a notification. */
const pollMs = 60_000;
/** Streams read their job at heartbeats, every 15 s; what arrives earlier was notified. */
const beforeHeartbeatMs = 13_000;

let server: PostgresServer;
let proxy: PostgresProxy;
let folder: string;
let db: Kysely<Database>;
let key: string;
/** A service that only accepts jobs, and another one that renders. */
let api: KillableService;
let worker: KillableService;
let hosts: KillableService[] = [];
beforeAll(async () => {
  server = await createPostgresServer();
  db = await openDatabase({ url: server.url });
  const limits = { requestsPerMinute: 100_000, concurrentJobs: 100 };
  ({ key } = await new AccountStore(db, systemClock).createKey({ accountName: 'acme', plan: 'enterprise', mode: 'live', credits: 10_000, limits }));
});
afterAll(async () => {
  await db?.destroy();
  await server?.remove();
});
beforeEach(async () => {
  proxy = await startPostgresProxy(server.url);
  folder = await mkdtemp(join(tmpdir(), 'framewright-notifications-'));
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.kill()));
  await proxy.close();
  await rm(folder, { recursive: true, force: true });
});

/** Starts both hosts, each with its own way to the database, and waits until they can render and listen. */
async function startHosts(urls: { api: string; worker: string }): Promise<void> {
  const start = (name: string, url: string, workers: number): Promise<KillableService> =>
    startKillableService(join(folder, name), { DATABASE_URL: url, FRAMEWRIGHT_WORKERS: String(workers), TEST_TIMING: JSON.stringify({ timing: { pollMs } }) });
  [api, worker] = await Promise.all([start('api', urls.api, 0), start('worker', urls.worker, 1)]);
  hosts = [api, worker];
  await until(async () => (await callAt(worker.address, 'GET', '/readyz')).status === 200, 30_000);
  await until(async () => (await countListeners()) === 2, 30_000);
}

/** Connections that wait for notifications. */
async function countListeners(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where application_name = 'framewright notifications' and (query like 'listen%' or query like '%pg_notify%')`.execute(db);
  return Number(rows[0]?.count);
}

const submit = async (comment = '', host = api): Promise<string> => {
  const { status, body } = await callAt(host.address, 'POST', '/api/render', { key, body: movie(comment) });
  expect(status).toBe(202);
  return body.job_id as string;
};
const readJob = (jobId: string) =>
  db.selectFrom('jobs').select(['status', 'created_at', 'started_at', 'finished_at']).where('id', '=', jobId).executeTakeFirstOrThrow();
const waitForEnd = (jobId: string): Promise<void> => until(async () => (await readJob(jobId)).status === 'completed', 30_000);

/** Follows a job on the host that does not render it. */
async function follow(jobId: string): Promise<{ events: string[]; endedAt: number }> {
  const response = await fetch(`${api.address}/api/jobs/${jobId}/progress`, { headers: { 'x-api-key': key } });
  const text = await response.text();
  return { events: [...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name ?? ''), endedAt: performance.now() };
}

/** Median time from submission to start (ms) of jobs submitted to a host; `name` for the output. */
async function medianDelayMs(name: string, host: KillableService): Promise<number> {
  const delays: number[] = [];
  for (let count = 0; count < 9; count += 1) {
    const jobId = await submit('', host);
    await waitForEnd(jobId);
    const { created_at, started_at } = await readJob(jobId);
    delays.push(Date.parse(started_at ?? '') - Date.parse(created_at));
  }
  const sorted = delays.toSorted((a, b) => a - b);
  console.log(`submission to start, ${name}: median ${sorted[4]} ms, maximum ${sorted[8]} ms`);
  return sorted[4] ?? Number.NaN;
}

it('starts a job on another host about as fast as on the host that accepts it', async () => {
  await startHosts({ api: server.url, worker: server.url });
  await submit('', worker).then(waitForEnd);
  const same = await medianDelayMs('same host', worker);
  const other = await medianDelayMs('another host', api);
  // Without notifications it is the next poll, after 500 ms on average with the default interval.
  expect(other).toBeLessThan(250 + 2 * same);
}, 180_000);

it('reports progress and the end of a job that another host renders', async () => {
  await startHosts({ api: server.url, worker: server.url });
  const jobId = await submit('ms=2500');
  const { events } = await follow(jobId);
  expect(events.at(-1)).toBe('complete');
  expect(events.length).toBeGreaterThan(3);
}, 120_000);

it('starts a job that was queued while the connection of its worker was cut', async () => {
  await startHosts({ api: server.url, worker: proxy.url });
  await submit().then(waitForEnd);
  proxy.cut();
  const jobId = await submit();
  await pause(1500);
  expect((await readJob(jobId)).status).toBe('queued');
  proxy.restore();
  const restoredAt = performance.now();
  await waitForEnd(jobId);
  console.log(`a job that was queued during a cut ended ${Math.round(performance.now() - restoredAt)} ms after the cut`);
  await submit().then(waitForEnd);
}, 120_000);

it('reports the end of a job that finished while the connection was cut', async () => {
  await startHosts({ api: proxy.url, worker: server.url });
  const jobId = await submit('ms=2500');
  const startedAt = performance.now();
  const followed = follow(jobId);
  await pause(1000);
  proxy.cut();
  await waitForEnd(jobId);
  proxy.restore();
  const { events, endedAt } = await followed;
  expect(events.at(-1)).toBe('complete');
  expect(endedAt - startedAt).toBeLessThan(beforeHeartbeatMs);
}, 120_000);

it('sends messages of up to 7,999 bytes and leaves out longer ones', async () => {
  const log = { warn: () => {}, info: () => {} };
  const [sender, receiver] = [new Notifications(server.url, log), new Notifications(server.url, log)];
  const received: string[] = [];
  let connected = 0;
  for (const notifications of [sender, receiver]) {
    notifications.listen({ onMessage: (text) => received.push(text), onConnected: () => (connected += 1) });
  }
  await until(() => connected === 2, 30_000);
  const message = (bytes: number): string => `${'é'.repeat((bytes - 1) / 2)}x`;
  await sender.send([message(7999), message(8001), message(9)]);
  await until(() => received.length === 2, 30_000);
  expect(received).toEqual([message(7999), message(9)]);
  await Promise.all([sender.close(), receiver.close()]);
}, 120_000);
