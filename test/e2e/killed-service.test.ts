import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { AccountStore, findImbalances, systemClock } from '../../src/accounts/index.js';
import { openDatabase } from '../../src/db/index.js';
import { startReceiver } from '../support/receiver.js';
import { type RunningService, startService } from '../support/service.js';

/** FRAMEWRIGHT_TEST_LONG=1 kills 200 times; FRAMEWRIGHT_TEST_KILLS=N, N times. */
const long = process.env.FRAMEWRIGHT_TEST_LONG !== undefined;
const kills = Number(process.env.FRAMEWRIGHT_TEST_KILLS ?? (long ? 200 : 8));
/** The promised start time, checked only in the long form: other test files on the same cores slow a start down. */
const readyMs = 2000;
const credits = 1_000_000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A client that submits one job: it repeats the same idempotency key until the job is accepted. */
class Client {
  readonly accepted = new Map<string, string>();
  readonly #apiKey: string;
  readonly #script: string;
  #wanted = randomUUID();

  constructor(apiKey: string, webhookUri: string) {
    this.#apiKey = apiKey;
    this.#script = JSON.stringify({ width: 64, height: 36, webhook_uri: webhookUri, scenes: [{ duration: 0.2, 'background-color': '#336699' }] });
  }

  /** Resolves when the service has exited. */
  async press(url: string): Promise<void> {
    for (;;) {
      const answer = await this.#submit(url).catch(() => undefined);
      if (answer === undefined) return;
      if (answer.status === 202) {
        this.accepted.set(this.#wanted, ((await answer.json().catch(() => ({}))) as { job_id?: string }).job_id ?? '');
        this.#wanted = randomUUID();
      } else if (answer.status === 429) await pause(10);
      else throw new Error(`${answer.status}: ${await answer.text()}`);
    }
  }

  #submit(url: string): Promise<Response> {
    const headers = { 'x-api-key': this.#apiKey, 'content-type': 'application/json', 'idempotency-key': this.#wanted };
    return fetch(`${url}/api/render`, { method: 'POST', headers, body: this.#script });
  }
}

/** Process ids with this data folder in their environment. */
function processesOf(dataDir: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(dataDir);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Duration in ms. A render process notices the end of the service when it is scheduled. */
async function untilGone(dataDir: string): Promise<number> {
  const since = performance.now();
  const deadline = since + 20_000;
  while (processesOf(dataDir).length > 0) {
    expect(performance.now(), 'a process outlives the service for 20 seconds').toBeLessThan(deadline);
    await pause(20);
  }
  return performance.now() - since;
}

async function untilReady(service: RunningService, since: number): Promise<number> {
  while ((await fetch(`${service.url}/readyz`)).status !== 200) await pause(10);
  return performance.now() - since;
}

it(`after ${kills} times kill -9 under load, no accepted job is lost, charged twice or unreported`, { timeout: 60_000 + kills * 30_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'framewright-kills-'));
  const receiver = await startReceiver();
  // A webhook attempt with unknown outcome is repeated at its retry time: soon, and as often as the setting allows.
  const retries = Array.from({ length: Math.min(kills + 1, 20) }, () => '1').join(',');
  const start = (): Promise<RunningService> =>
    startService(dataDir, { FRAMEWRIGHT_WORKERS: '1', FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1', FRAMEWRIGHT_WEBHOOK_RETRY_DELAYS: retries });
  let service = await start();
  const db = await openDatabase({ path: join(dataDir, 'framewright.db') });
  const limits = { requestsPerMinute: 1_000_000, concurrentJobs: 20 };
  const { key } = await new AccountStore(db, systemClock).createKey({ accountName: 'acme', plan: 'enterprise', mode: 'live', credits, limits });
  const clients = Array.from({ length: 6 }, () => new Client(key, receiver.url));
  const readyAfter: number[] = [];
  const goneAfter: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const pressing = clients.map((client) => client.press(service.url));
    await pause(50 + Math.random() * 700);
    process.kill(service.pid, 'SIGKILL');
    await Promise.all(pressing);
    goneAfter.push(await untilGone(dataDir));
    expect((await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)).rows).toEqual([{ integrity_check: 'ok' }]);
    const since = performance.now();
    service = await start();
    readyAfter.push(await untilReady(service, since));
  }

  const unfinished = () => db.selectFrom('jobs').select('id').where('status', 'in', ['queued', 'processing']).execute();
  const untold = () => db.selectFrom('deliveries').select('job_id').where('status', '!=', 'delivered').execute();
  while ((await unfinished()).length > 0 || (await untold()).length > 0) await pause(100);
  const jobs = await db.selectFrom('jobs').select(['id', 'status', 'credits_used', 'attempts', 'interruptions']).execute();
  const entries = await db.selectFrom('ledger_entries').selectAll().where('job_id', 'is not', null).execute();
  const keys = await db.selectFrom('idempotency_keys').select(['key', 'job_id']).execute();
  const ofKey = new Map(keys.map((row) => [row.key, row.job_id]));
  const answers = clients.flatMap((client) => [...client.accepted]);

  expect(answers.length).toBeGreaterThan(kills);
  expect(answers.filter(([wanted, jobId]) => jobId !== '' && ofKey.get(wanted) !== jobId)).toEqual([]);
  const ids = new Set(jobs.map((job) => job.id));
  expect(answers.filter(([wanted]) => !ids.has(ofKey.get(wanted) ?? ''))).toEqual([]);
  // Each client has one submission more in flight than it has responses.
  expect(jobs.length - answers.length).toBeLessThanOrEqual(clients.length);
  for (const job of jobs) {
    const own = entries.filter((entry) => entry.job_id === job.id);
    expect(own.filter(({ kind }) => kind === 'hold')).toHaveLength(1);
    expect(own.reduce((sum, { amount }) => sum - amount, 0)).toBe(job.credits_used);
    expect(job.credits_used).toBe(job.status === 'completed' ? 1 : 0);
    // A kill of the service does not count against the job.
    expect([job.status, job.attempts]).toEqual(['completed', 1]);
  }
  expect(await findImbalances(db)).toEqual([]);
  const spent = jobs.reduce((sum, job) => sum + (job.credits_used ?? 0), 0);
  expect((await db.selectFrom('accounts').select('balance').executeTakeFirstOrThrow()).balance).toBe(credits - spent);
  const reported = new Set(receiver.received.map(({ body }) => (JSON.parse(body) as { job_id: string }).job_id));
  expect(jobs.filter((job) => !reported.has(job.id))).toEqual([]);
  expect(receiver.received.length - reported.size).toBeLessThanOrEqual(kills * clients.length);

  await service.stop();
  expect(processesOf(dataDir)).toEqual([]);
  expect(await readdir(join(dataDir, 'work'))).toEqual([]);
  expect(await readdir(join(dataDir, 'outputs'))).toHaveLength(jobs.filter((job) => job.status === 'completed').length);
  readyAfter.sort((a, b) => a - b);
  const [median, slowest] = [readyAfter[Math.floor(kills / 2)] ?? 0, readyAfter.at(-1) ?? 0];
  const interrupted = jobs.reduce((maximum, job) => Math.max(maximum, job.interruptions), 0);
  console.log(
    `${kills} kills, ${jobs.length} jobs (none more than ${interrupted} times interrupted), ready after ${Math.round(median)} ms, at most ${Math.round(slowest)} ms, render processes gone after at most ${Math.round(Math.max(...goneAfter))} ms`,
  );
  if (long) expect(median).toBeLessThan(readyMs);
  await db.destroy();
  await receiver.close();
  await rm(dataDir, { recursive: true, force: true });
});
