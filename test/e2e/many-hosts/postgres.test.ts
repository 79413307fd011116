import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccountStore, findImbalances, systemClock } from '../../../src/accounts/index.js';
import { type Database, type Kysely, openDatabase } from '../../../src/db/index.js';
import { createPostgresServer, type PostgresServer } from '../../support/postgres-server.js';
import { finishedJob, type RunningService, startService, submit } from '../../support/service.js';

let server: PostgresServer;
let dataDir: string;
let nodes: RunningService[];
let db: Kysely<Database>;
let key: string;
beforeAll(async () => {
  server = await createPostgresServer();
  dataDir = await mkdtemp(join(tmpdir(), 'framewright-nodes-'));
  const environment = { DATABASE_URL: server.url, FRAMEWRIGHT_WORKERS: '1' };
  // Both migrate the empty database.
  nodes = await Promise.all([startService(dataDir, environment), startService(dataDir, environment)]);
  db = await openDatabase({ url: server.url });
  const limits = { requestsPerMinute: 1_000_000, concurrentJobs: 100 };
  ({ key } = await new AccountStore(db, systemClock).createKey({ accountName: 'acme', plan: 'enterprise', mode: 'live', credits: 1000, limits }));
});
afterAll(async () => {
  await db?.destroy();
  await Promise.all((nodes ?? []).map((node) => node.stop()));
  await server?.remove();
  await rm(dataDir, { recursive: true, force: true });
});

const node = (index: number): RunningService => nodes[index % nodes.length] as RunningService;
const movie = (number: number, seconds = 1, width = 160): object => ({
  width,
  height: (width * 9) / 16,
  fps: 30,
  cache: false,
  scenes: [{ duration: seconds, 'background-color': '#336699', elements: [{ type: 'text', text: String(number), zoom: 2 }] }],
});

/** Jobs of both services that the database knows. */
const countJobs = async (): Promise<number> => (await db.selectFrom('jobs').select('id').execute()).length;

/** Fails unless there are `jobs` jobs, all completed, and the balance is what they left. */
async function expectOrder(jobs: number): Promise<void> {
  const rows = await db.selectFrom('jobs').select(['id', 'status', 'credits_used']).execute();
  expect(rows).toHaveLength(jobs);
  expect(rows.filter(({ status }) => status !== 'completed')).toEqual([]);
  expect(await findImbalances(db)).toEqual([]);
  const spent = rows.reduce((sum, { credits_used }) => sum + Number(credits_used), 0);
  expect((await db.selectFrom('accounts').select('balance').executeTakeFirstOrThrow()).balance).toBe(1000 - spent);
}

it('two services on one database share the queue and render and charge each job once', async () => {
  const before = await countJobs();
  const jobs = await Promise.all(Array.from({ length: 8 }, (_, number) => submit(node(number), key, movie(number))));
  // Each service knows every job and serves every output.
  for (const [number, { job_id: jobId }] of jobs.entries()) {
    const job = await finishedJob(node(number + 1), key, jobId, 120_000);
    expect(job).toMatchObject({ status: 'completed', credits_used: 1 });
    const video = await fetch(node(number).url + new URL(job.output_uri ?? '').pathname);
    expect(video.status).toBe(200);
    expect((await video.arrayBuffer()).byteLength).toBeGreaterThan(1000);
  }
  const took = await db.selectFrom('jobs').select('attempts').execute();
  expect(took.map(({ attempts }) => attempts)).toEqual(took.map(() => 1));
  await expectOrder(before + 8);
}, 180_000);

it('one idempotent request sent to both services creates one job', async () => {
  const before = await countJobs();
  const headers = { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  const answers = await Promise.all(
    [0, 1, 0, 1, 0, 1].map((index) => fetch(`${node(index).url}/api/render`, { method: 'POST', headers, body: JSON.stringify(movie(9)) })),
  );
  const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as Array<{ job_id: string }>;
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
  expect(new Set(bodies.map(({ job_id: jobId }) => jobId)).size).toBe(1);
  await finishedJob(node(1), key, bodies[0]?.job_id ?? '', 60_000);
  await expectOrder(before + 1);
}, 120_000);

it('killing the database server during renders loses no job and no credit', async () => {
  const before = await countJobs();
  const jobs = await Promise.all(Array.from({ length: 3 }, (_, number) => submit(node(number), key, movie(number, 8, 1280))));
  const isRendering = async (): Promise<boolean> =>
    (await db.selectFrom('jobs').select('id').where('progress', '>', 0).where('status', '=', 'processing').execute()).length > 0;
  await expect.poll(isRendering, { timeout: 60_000, interval: 50 }).toBe(true);
  await server.kill();
  await new Promise((resolve) => setTimeout(resolve, 2000));
  // Requests wait 2 s for the server; recovery may take longer, and then the answer says when to come back.
  const list = (): Promise<Response> => fetch(`${node(0).url}/api/jobs`, { headers: { 'x-api-key': key } });
  const asked = list();
  await server.start();
  const answer = await asked;
  if (answer.status !== 200) expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([503, true]);
  await expect.poll(async () => (await list()).status, { timeout: 30_000 }).toBe(200);
  for (const { job_id: jobId } of jobs) expect(await finishedJob(node(0), key, jobId, 150_000)).toMatchObject({ status: 'completed', credits_used: 8 });
  await expectOrder(before + 3);
}, 240_000);
