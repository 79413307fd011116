import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccountStore, findImbalances, systemClock } from '../../../src/accounts/index.js';
import { type Database, type Kysely, openDatabase } from '../../../src/db/index.js';
import { type KillableService, startKillableService } from '../../support/killable-service.js';
import { createPostgresServer, type PostgresServer } from '../../support/postgres-server.js';
import { pause } from '../../support/receiver.js';
import { callAt, movie } from '../../support/service-in-process.js';

/** How long the writer is frozen. */
const frozenMs = process.env.FRAMEWRIGHT_TEST_LONG === undefined ? 8000 : 30_000;
const lockedCount = 12;

/** A writer that the server never times out: it debits accounts, inserts a job and then stops in the middle of its transaction. */
const writer = `
  import pg from 'pg';
  const client = new pg.Client({ connectionString: process.argv[1], idle_in_transaction_session_timeout: 0 });
  await client.connect();
  await client.query('begin');
  const { rows } = await client.query("update accounts set balance = balance - 1 where name like 'locked %' returning id");
  await client.query("insert into jobs (id, account_id, mode, status, script, estimated_credits, created_at) values ('frozen', $1, 'live', 'queued', '{}', 1, '2030')", [rows[0].id]);
  console.log('in its transaction');
  setInterval(() => {}, 1000);`;

let server: PostgresServer;
let folder: string;
let db: Kysely<Database>;
let hosts: KillableService[];
let frozen: ChildProcess;
beforeAll(async () => {
  server = await createPostgresServer();
  folder = await mkdtemp(join(tmpdir(), 'framewright-frozen-'));
  db = await openDatabase({ url: server.url });
  const start = (name: string) => startKillableService(join(folder, name), { DATABASE_URL: server.url, FRAMEWRIGHT_WORKERS: '0' });
  hosts = await Promise.all(['a', 'b', 'c'].map(start));
}, 180_000);
afterAll(async () => {
  frozen?.kill('SIGKILL');
  await Promise.all((hosts ?? []).map((host) => host.kill()));
  await db?.destroy();
  await server?.remove();
  await rm(folder, { recursive: true, force: true });
});

interface Timed {
  status: number;
  ms: number;
  retryAfter: string | null;
}

/** Requests of one kind to all hosts in turn, one after the other, until `isOver`. */
async function repeat(isOver: () => boolean, pauseMs: number, request: (count: number, address: string) => ReturnType<typeof callAt>): Promise<Timed[]> {
  const answers: Timed[] = [];
  for (let count = 0; !isOver(); count += 1) {
    const startedAt = performance.now();
    const { status, headers } = await request(count, hosts[count % hosts.length]?.address ?? '');
    answers.push({ status, ms: performance.now() - startedAt, retryAfter: headers.get('retry-after') });
    await pause(pauseMs);
  }
  return answers;
}

const percentile = (answers: readonly Timed[], share: number): number =>
  answers.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.min(answers.length - 1, Math.floor(answers.length * share))] ?? Number.NaN;

const describe = (answers: readonly Timed[]): string => {
  const statuses = [...new Set(answers.map(({ status }) => status))].map(
    (status) => `${answers.filter((answer) => answer.status === status).length} x ${status}`,
  );
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => Math.round(percentile(answers, share)));
  return `${statuses.join(', ')}; p50 ${p50}, p99 ${p99}, maximum ${max} ms`;
};

it('answers reads and other accounts on all hosts while a writer is frozen in its transaction', async () => {
  const accounts = new AccountStore(db, systemClock);
  const limits = { requestsPerMinute: 1_000_000, concurrentJobs: 100_000 };
  const createKey = async (accountName: string) =>
    (await accounts.createKey({ accountName, plan: 'enterprise', mode: 'live', credits: 1_000_000, limits })).key;
  const locked: string[] = [];
  const free: string[] = [];
  for (let index = 0; index < lockedCount; index += 1) locked.push(await createKey(`locked ${index}`));
  for (let index = 0; index < 4; index += 1) free.push(await createKey(`free ${index}`));
  const [lockedKey, freeKey] = [locked[0] ?? '', free[0] ?? ''];
  const submitted = await callAt(hosts[0]?.address ?? '', 'POST', '/api/render', { key: lockedKey, body: movie() });
  const jobId = String(submitted.body.job_id);

  const measure = async (forMs: number) => {
    const end = performance.now() + forMs;
    const isOver = (): boolean => performance.now() > end;
    const [reads, keyChecks, posts, ready, ...blocked] = await Promise.all([
      repeat(isOver, 5, (_count, address) => callAt(address, 'GET', `/api/jobs/${jobId}`, { key: lockedKey })),
      repeat(isOver, 5, (count, address) => callAt(address, 'GET', '/api/jobs?limit=1', { key: locked[count % lockedCount] ?? '' })),
      repeat(isOver, 10, (count, address) => callAt(address, 'POST', '/api/render', { key: free[count % free.length] ?? freeKey, body: movie() })),
      repeat(isOver, 250, (_count, address) => callAt(address, 'GET', '/readyz')),
      ...[0, 1, 2, 3].map((first) => {
        const keyOf = (count: number): string => locked[(first + 4 * count) % lockedCount] ?? '';
        return repeat(isOver, 20, (count, address) => callAt(address, 'POST', '/api/render', { key: keyOf(count), body: movie() }));
      }),
    ]);
    return { reads, keyChecks, posts, ready, blocked: blocked.flat() };
  };

  await measure(1000);
  const before = await measure(4000);
  frozen = spawn(process.execPath, ['--input-type=module', '-e', writer, server.url], { cwd: process.cwd(), stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(frozen, 'exit').then(() => Promise.reject(new Error('The writer did not begin its transaction.')));
  exited.catch(() => {});
  await Promise.race([once(frozen.stdout as NodeJS.ReadableStream, 'data'), exited]);
  frozen.kill('SIGSTOP');
  const during = await measure(frozenMs);
  for (const [name, answers] of Object.entries(during)) {
    console.log(`${name}: ${describe(answers)}; before: ${describe(before[name as keyof typeof before])}`);
  }

  // A busy machine is slow without a frozen writer, too.
  const limit = (answers: readonly Timed[]): number => 200 + 2 * (percentile(answers, 1) - percentile(answers, 0));
  expect(during.reads.every(({ status }) => status === 200)).toBe(true);
  expect(during.keyChecks.every(({ status }) => status === 200)).toBe(true);
  expect(percentile(during.reads, 0.99)).toBeLessThan(limit(before.reads));
  expect(percentile(during.keyChecks, 0.99)).toBeLessThan(limit(before.keyChecks));
  expect(during.posts.filter(({ status }) => status !== 202)).toEqual([]);
  expect(percentile(during.posts, 0.99)).toBeLessThan(limit(before.posts));
  expect(during.ready.every(({ status }) => status === 200)).toBe(true);
  expect(percentile(during.ready, 1)).toBeLessThan(800 + limit(before.ready));
  expect(during.blocked.length).toBeGreaterThan(4);
  expect(during.blocked.filter(({ status, retryAfter }) => status !== 503 || retryAfter !== '2')).toEqual([]);
  expect(percentile(during.blocked, 0.99)).toBeLessThan(2000 + limit(before.blocked));

  // The writer goes on and fails or dies: its transaction is rolled back and the accounts are free again.
  frozen.kill('SIGKILL');
  await expect.poll(async () => (await callAt(hosts[1]?.address ?? '', 'POST', '/api/render', { key: lockedKey, body: movie() })).status).toBe(202);
  expect(await findImbalances(db)).toEqual([]);
  const client = new pg.Client(server.url);
  await client.connect();
  const { rows } = await client.query("select count(*)::int as jobs from jobs where id = 'frozen'");
  await client.end();
  expect(rows).toEqual([{ jobs: 0 }]);
}, 180_000);
