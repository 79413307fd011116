import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { AccountStore, findImbalances, systemClock } from '../../../src/accounts/index.js';
import { openDatabase } from '../../../src/db/index.js';
import { callAt, movie } from '../../support/service-in-process.js';

const program = fileURLToPath(new URL('../../fixtures/workers/serve-with-small-worker.mjs', import.meta.url));

async function serve(dataDir: string): Promise<{ child: ChildProcess; address: string }> {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, PORT: '0', FRAMEWRIGHT_DATA_DIR: dataDir, FRAMEWRIGHT_WORKERS: '2' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [text] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return { child, address: String(text).trim() };
}

/** Pids of the processes that run the small worker for this folder. */
function renderProcesses(dataDir: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/cmdline`))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('small-worker') && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(dataDir);
      } catch {
        return false;
      }
    });
}

it('kill -9 of the whole service loses no job, charges nothing twice and leaves no process behind', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'framewright-killed-'));
  let { child, address } = await serve(dataDir);
  const db = await openDatabase({ path: join(dataDir, 'framewright.db') });
  const { key } = await new AccountStore(db, systemClock).createKey({
    accountName: 'acme',
    plan: 'enterprise',
    mode: 'live',
    credits: 1000,
    limits: { requestsPerMinute: 100_000, concurrentJobs: 100 },
  });
  const ids: string[] = [];
  for (let index = 0; index < 8; index += 1) {
    const { body } = await callAt(address, 'POST', '/api/render', { key, body: movie(index === 0 ? 'ms=400 planned=5' : 'ms=400') });
    ids.push(String(body.job_id));
  }
  const statusOf = async (id: string) => (await callAt(address, 'GET', `/api/jobs/${id}`, { key })).body;
  while (Number((await statusOf(ids[0] ?? '')).progress) < 0.2) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill('SIGKILL');
  await once(child, 'exit');
  const deadline = performance.now() + 2000;
  while (renderProcesses(dataDir).length > 0) {
    expect(performance.now()).toBeLessThan(deadline);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }

  ({ child, address } = await serve(dataDir));
  for (const id of ids) {
    while (['queued', 'processing'].includes(String((await statusOf(id)).status))) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await statusOf(id)).toMatchObject({ status: 'completed' });
  }
  expect(await findImbalances(db)).toEqual([]);
  expect((await db.selectFrom('accounts').select('balance').executeTakeFirstOrThrow()).balance).toBe(1000 - 5 - 7 * 2);
  expect((await db.selectFrom('jobs').select('attempts').execute()).filter((job) => job.attempts === 2).length).toBeGreaterThan(0);
  expect(await readdir(join(dataDir, 'work'))).toEqual([]);
  expect(await readdir(join(dataDir, 'outputs'))).toHaveLength(8);
  child.kill('SIGKILL');
  await db.destroy();
  await rm(dataDir, { recursive: true, force: true });
});
