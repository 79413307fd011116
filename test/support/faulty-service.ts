import { mkdirSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { AccountStore, findImbalances, systemClock } from '../../src/accounts/index.js';
import { type Database, type Kysely, openDatabase } from '../../src/db/index.js';
import { processesWith, processTree } from './process-tree.js';
import { until } from './receiver.js';
import { finishedJob, type RunningService, startService } from './service.js';

export const credits = 1_000_000;

/** The service with real render processes, and access to its database from outside. */
export interface FaultyService {
  readonly service: RunningService;
  readonly dataDir: string;
  readonly db: Kysely<Database>;
  readonly key: string;
  /** Sends a request and returns status, body and duration. */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown>; ms: number }>;
  /** Expects that the same process still serves and renders, all jobs have ended, the ledger is right and no process or file is left. */
  expectRecovered(): Promise<void>;
  stop(): Promise<void>;
}

export interface FaultyServiceOptions {
  /** Default: a new folder that `stop` removes. */
  dataDir?: string;
  environment?: Record<string, string>;
  logFile?: string;
}

/** A movie that needs no media and renders fast. */
export const smallMovie = { width: 64, height: 36, fps: 10, scenes: [{ duration: 0.5, 'background-color': '#336699' }] };

export async function startFaultyService(options: FaultyServiceOptions = {}): Promise<FaultyService> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'framewright-faults-')));
  mkdirSync(dataDir, { recursive: true });
  const environment = { FRAMEWRIGHT_WORKERS: '1', FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1', FRAMEWRIGHT_MIN_FREE_DISK_MB: '0', ...options.environment };
  const service = await startService(dataDir, environment, { logFile: options.logFile });
  const db = await openDatabase({ path: join(dataDir, 'framewright.db') });
  const limits = { requestsPerMinute: 1_000_000, concurrentJobs: 100 };
  const { key } = await new AccountStore(db, systemClock).createKey({ accountName: 'acme', plan: 'enterprise', mode: 'live', credits, limits });
  const call: FaultyService['call'] = async (method, path, body) => {
    const at = performance.now();
    const headers = { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const answer = await fetch(service.url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    return { status: answer.status, body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}, ms: performance.now() - at };
  };
  return {
    service,
    dataDir,
    db,
    key,
    call,
    async expectRecovered() {
      const { status, body } = await call('POST', '/api/render', smallMovie);
      expect(status, JSON.stringify(body)).toBe(202);
      expect(await finishedJob(service, key, String(body.job_id), 90_000)).toMatchObject({ status: 'completed' });
      const noneOpen = until(async () => (await openJobs(db)).length === 0, 90_000);
      await noneOpen.catch(async () => expect(await openJobs(db), service.log()).toEqual([]));
      await expectConsistentLedger(db);
      const [main, ...rest] = processTree(service.pid);
      expect(main?.pid).toBe(service.pid);
      await expect.poll(() => processTree(service.pid).filter(({ state }) => state === 'Z'), { timeout: 5000 }).toEqual([]);
      expect(rest.length).toBeGreaterThan(0);
      const folders = async (): Promise<string[]> => (await readdir(join(dataDir, 'work'))).filter((name) => !name.startsWith('engine-'));
      await expect.poll(folders, { timeout: 10_000 }).toEqual([]);
      const completed = await db.selectFrom('jobs').select('output_name').where('status', '=', 'completed').execute();
      expect((await readdir(join(dataDir, 'outputs'))).sort()).toEqual(completed.map((job) => job.output_name).sort());
    },
    async stop() {
      await db.destroy();
      await service.stop();
      await until(() => processesWith(dataDir).length === 0, 20_000);
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function openJobs(db: Kysely<Database>): Promise<unknown[]> {
  return db.selectFrom('jobs').select(['id', 'status']).where('status', 'in', ['queued', 'processing']).execute();
}

/** Expects that each job is charged its `credits_used`, failed ones nothing, and that balances equal the sum of their ledger entries. */
async function expectConsistentLedger(db: Kysely<Database>): Promise<void> {
  expect(await findImbalances(db)).toEqual([]);
  const jobs = await db.selectFrom('jobs').select(['id', 'status', 'credits_used']).execute();
  const entries = await db.selectFrom('ledger_entries').select(['job_id', 'amount']).where('job_id', 'is not', null).execute();
  for (const { id, status, credits_used } of jobs) {
    const charged = entries.filter((entry) => entry.job_id === id).reduce((sum, { amount }) => sum - amount, 0);
    expect([id, charged]).toEqual([id, credits_used]);
    if (status === 'failed') expect(charged).toBe(0);
  }
  const spent = jobs.reduce((sum, { credits_used }) => sum + (credits_used ?? 0), 0);
  expect((await db.selectFrom('accounts').select('balance').executeTakeFirstOrThrow()).balance).toBe(credits - spent);
}
