import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccountStore, type PlanName, systemClock } from '../../../src/accounts/index.js';
import { type Database, type Kysely, openDatabase } from '../../../src/db/index.js';
import { type RedisServer, startRedisServer } from '../../support/redis-server.js';
import { finishedJob, type RunningService, startService, submit } from '../../support/service.js';

/** Two services share a data folder and Redis: the first accepts jobs, the second renders. */
let redis: RedisServer;
let dataDir: string;
let nodes: RunningService[];
let db: Kysely<Database>;
beforeAll(async () => {
  redis = await startRedisServer();
  dataDir = await mkdtemp(join(tmpdir(), 'framewright-nodes-'));
  nodes = [];
  for (const workers of ['0', '1']) nodes.push(await startService(dataDir, { REDIS_URL: redis.url, FRAMEWRIGHT_WORKERS: workers }));
  db = await openDatabase({ path: join(dataDir, 'framewright.db') });
});
afterAll(async () => {
  await db?.destroy();
  await Promise.all((nodes ?? []).map((node) => node.stop()));
  await redis?.kill();
  await rm(dataDir, { recursive: true, force: true });
});

const node = (index: number): RunningService => nodes[index % 2] as RunningService;
const createKey = async (accountName: string, plan: PlanName, credits = 100): Promise<string> =>
  (await new AccountStore(db, systemClock).createKey({ accountName, plan, mode: 'live', credits })).key;
const list = async (index: number, key: string): Promise<Response> => fetch(`${node(index).url}/api/jobs`, { headers: { 'x-api-key': key } });

interface Reported {
  events: string[];
  /** Resolves when the stream has ended. */
  endedAt: number;
}

async function follow(index: number, key: string, jobId: string): Promise<Reported> {
  const response = await fetch(`${node(index).url}/api/jobs/${jobId}/progress`, { headers: { 'x-api-key': key } });
  const text = await response.text();
  return { events: [...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name ?? ''), endedAt: performance.now() };
}

const movie = { width: 1280, height: 720, cache: false, scenes: [{ duration: 12, elements: [{ type: 'text', text: 'news', zoom: 2 }] }] };

it('a progress stream of one service reports renders of another one live', async () => {
  const key = await createKey('films', 'pro');
  const { job_id: jobId } = await submit(node(0), key, movie);
  const [far, near] = await Promise.all([follow(0, key, jobId), follow(1, key, jobId)]);
  expect(far.events.at(-1)).toBe('complete');
  // Without Redis it would learn only of the end, with the next heartbeat.
  expect(far.events.length).toBeGreaterThan(4);
  expect(Math.abs(far.endedAt - near.endedAt)).toBeLessThan(1000);
}, 120_000);

it('the rate limit of an account counts across services', async () => {
  const key = await createKey('callers', 'free');
  const statuses: number[] = [];
  const remaining: Array<string | null> = [];
  for (let call = 0; call < 12; call += 1) {
    const response = await list(call, key);
    statuses.push(response.status);
    remaining.push(response.headers.get('x-ratelimit-remaining'));
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);
  expect(remaining.slice(0, 11)).toEqual(['9', '8', '7', '6', '5', '4', '3', '2', '1', '0', '0']);
  const refused = await list(0, key);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
  expect(Number(refused.headers.get('x-ratelimit-reset')) - Date.now() / 1000).toBeGreaterThan(45);
});

it('services continue alone without Redis and reconnect afterwards', async () => {
  const key = await createKey('patient', 'starter');
  expect((await list(0, key)).headers.get('x-ratelimit-remaining')).toBe('59');
  await redis.kill();
  const at = performance.now();
  expect((await list(0, key)).status).toBe(200);
  expect((await list(1, key)).headers.get('x-ratelimit-remaining')).toBe('59');
  expect(performance.now() - at).toBeLessThan(2000);
  const { job_id: jobId } = await submit(node(0), await createKey('orders', 'pro'), { ...movie, scenes: [{ duration: 1 }] });
  const rows = async (): Promise<string[]> => (await db.selectFrom('jobs').select('status').where('id', '=', jobId).execute()).map(({ status }) => status);
  await expect.poll(rows, { timeout: 60_000 }).toEqual(['completed']);
  await redis.start();
  const left = async (account: string): Promise<Array<string | null>> => {
    const own = await createKey(account, 'free');
    return [await list(0, own), await list(1, own)].map((response) => response.headers.get('x-ratelimit-remaining'));
  };
  let tries = 0;
  // Each try uses a new account, which both services count together.
  await expect.poll(() => left(`returned ${tries++}`), { timeout: 20_000, interval: 500 }).toEqual(['9', '8']);
  expect(await left('again')).toEqual(['9', '8']);
  const { job_id: next } = await submit(node(0), await createKey('more', 'pro'), { ...movie, scenes: [{ duration: 1 }] });
  expect(await finishedJob(node(1), await createKey('more', 'pro'), next)).toMatchObject({ status: 'completed' });
}, 120_000);
