import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AccountStore, findImbalances, systemClock } from '../../../src/accounts/index.js';
import type { Database, Kysely } from '../../../src/db/index.js';
import { type KillableService, startKillableService } from '../../support/killable-service.js';
import { until } from '../../support/receiver.js';
import { callAt, movie } from '../../support/service-in-process.js';
import { openTestDatabase } from '../../support/test-database.js';

/** A machine with much else to do needs longer for everything, but not for ever. */
const patienceMs = 40_000;

let dataDir: string;
let service: KillableService;
let db: Kysely<Database>;
let key: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'framewright-killed-'));
  await start();
  db = await openTestDatabase(dataDir);
  ({ key } = await new AccountStore(db, systemClock).createKey({
    accountName: 'acme',
    plan: 'enterprise',
    mode: 'live',
    credits: 1000,
    limits: { requestsPerMinute: 100_000, concurrentJobs: 100 },
  }));
});
afterEach(async () => {
  await service.kill();
  await db.destroy();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<void> {
  service = await startKillableService(dataDir, { FRAMEWRIGHT_WORKERS: '2' });
}

/** kill -9 and a new start. Nothing of the old one is left when the new one begins. */
async function killAndStart(): Promise<void> {
  await service.kill();
  await until(() => renderProcesses().length === 0, patienceMs);
  await start();
}

/** Waits until render processes have begun jobs so many times. They tell it themselves: a job's row still has the progress of the attempt before. */
async function begun(log: string, times: number): Promise<void> {
  await until(() => existsSync(log) && readFileSync(log, 'utf8').split('\n').length > times, patienceMs);
}

/** Pids of the processes that run the small worker for this folder. */
function renderProcesses(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/cmdline`))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/small-worker.mjs') && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(dataDir);
      } catch {
        return false;
      }
    });
}

const submit = async (comment: string) => String((await callAt(service.address, 'POST', '/api/render', { key, body: movie(comment) })).body.job_id);
const jobOf = async (id: string) => (await callAt(service.address, 'GET', `/api/jobs/${id}`, { key })).body;
const rowOf = (id: string) => db.selectFrom('jobs').select(['attempts', 'interruptions']).where('id', '=', id).executeTakeFirstOrThrow();
const balance = async () => (await db.selectFrom('accounts').select('balance').executeTakeFirstOrThrow()).balance;

it('kill -9 of the service loses no job, charges none twice and leaves no process', async () => {
  // Renders go on until the file is there, so that some are in hand at the kill however slow this machine is.
  const gate = join(dataDir, 'gate');
  const ids: string[] = [];
  for (let index = 0; index < 8; index += 1) ids.push(await submit(`until=${gate}${index === 0 ? ' planned=5' : ''}`));
  await until(async () => Number((await jobOf(ids[0] ?? '')).progress) > 0.1, patienceMs);
  await killAndStart();
  await writeFile(gate, '');
  for (const id of ids) {
    await until(async () => (await jobOf(id)).completed_at !== null, patienceMs);
    expect(await jobOf(id)).toMatchObject({ status: 'completed' });
  }
  expect(await findImbalances(db)).toEqual([]);
  expect(await balance()).toBe(1000 - 5 - 7 * 2);
  expect(await rowOf(ids[0] ?? '')).toEqual({ attempts: 1, interruptions: 1 });
  // The folder of a job is removed after its end is reported.
  await until(async () => (await readdir(join(dataDir, 'work'))).length === 0, patienceMs);
  expect(await readdir(join(dataDir, 'outputs'))).toHaveLength(8);
});

it('a job completes after two kills of the service, charged once, without a used attempt', async () => {
  const gate = join(dataDir, 'gate');
  const log = join(dataDir, 'log');
  const id = await submit(`until=${gate} log=${log}`);
  for (const interruptions of [1, 2]) {
    await begun(log, interruptions);
    await killAndStart();
    expect((await rowOf(id)).interruptions).toBe(interruptions);
  }
  await writeFile(gate, '');
  await until(async () => (await jobOf(id)).completed_at !== null, patienceMs);
  expect(await jobOf(id)).toMatchObject({ status: 'completed', credits_used: 2, warnings: [] });
  expect(readFileSync(log, 'utf8')).toBe(`${id} 1 false\n`.repeat(3));
  expect(await balance()).toBe(998);
  expect(await findImbalances(db)).toEqual([]);
});

it('a job keeps its two attempts for deaths of render processes, however often the service died', async () => {
  const gate = join(dataDir, 'gate');
  const log = join(dataDir, 'log');
  const id = await submit(`until=${gate} log=${log}`);
  await begun(log, 1);
  await killAndStart();
  for (const attempt of [1, 2]) {
    await begun(log, 1 + attempt);
    expect((await rowOf(id)).attempts).toBe(attempt);
    for (const pid of renderProcesses()) process.kill(pid, 'SIGKILL');
  }
  await until(async () => (await jobOf(id)).status === 'failed', patienceMs);
  expect(await jobOf(id)).toMatchObject({ error: { message: 'The render process stopped unexpectedly in each of 2 attempts. Nothing was charged.' } });
  expect(await balance()).toBe(1000);
});
