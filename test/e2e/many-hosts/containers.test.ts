import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AccountStore, systemClock } from '../../../src/accounts/index.js';
import { type Database, type Kysely, openDatabase } from '../../../src/db/index.js';
import { inContainer } from '../../support/pid-namespace.js';
import { createPostgresServer, type PostgresServer } from '../../support/postgres-server.js';
import { pause, until } from '../../support/receiver.js';

/** A minute in the long form. Leases of a process that is taken for dead are taken over within 5 s. */
const seconds = process.env.FRAMEWRIGHT_TEST_LONG === undefined ? 12 : 60;
const main = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));

let folder: string;
let server: PostgresServer;
let db: Kysely<Database>;
let services: ChildProcess[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framewright-containers-'));
  server = await createPostgresServer();
  db = await openDatabase({ url: server.url });
  services = [];
});
afterEach(async () => {
  await Promise.all(
    services.map(async (service) => {
      service.kill('SIGKILL');
      if (service.exitCode === null && service.signalCode === null) await once(service, 'exit');
    }),
  );
  await db.destroy();
  await server.remove();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function startService(name: string): Promise<string> {
  const [command = '', ...args] = inContainer([process.execPath, main]);
  const service = spawn(command, args, {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', DATABASE_URL: server.url, FRAMEWRIGHT_DATA_DIR: join(folder, name), FRAMEWRIGHT_WORKERS: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  services.push(service);
  let log = '';
  service.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const exited = once(service, 'exit').then(() => Promise.reject(new Error(`the service exited: ${log}`)));
  exited.catch(() => {});
  const [text] = await Promise.race([once(service.stdout, 'data'), exited]);
  expect(JSON.parse(log.split('\n')[0] ?? '{}')).toMatchObject({ pid: 1, hostname: 'host' });
  return /http:\S+/.exec(String(text))?.[0] ?? '';
}

it(`two services that are process 1 of containers with one host name share jobs for ${seconds} s without an interruption`, { timeout: 300_000 }, async () => {
  const addresses = await Promise.all([startService('first'), startService('second')]);
  const limits = { requestsPerMinute: 1_000_000, concurrentJobs: 100 };
  const { key } = await new AccountStore(db, systemClock).createKey({ accountName: 'acme', plan: 'enterprise', mode: 'live', credits: 100_000, limits });
  // Long enough to be rendered while the other service looks for dead owners.
  const script = { width: 640, height: 360, fps: 30, scenes: [{ duration: 20, elements: [{ type: 'text', text: 'A long scene' }] }] };
  const open = async (): Promise<number> => (await db.selectFrom('jobs').select('id').where('status', 'in', ['queued', 'processing']).execute()).length;
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await pause(200)) {
    if ((await open()) >= 4) continue;
    for (const address of addresses) {
      const response = await fetch(`${address}/api/render`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(script),
      });
      expect(response.status, await response.text()).toBe(202);
    }
  }
  await until(async () => (await open()) === 0, 200_000);
  const jobs = await db.selectFrom('jobs').select(['status', 'attempts', 'interruptions', 'started_at', 'finished_at']).execute();
  const slowestMs = Math.max(...jobs.map((job) => Date.parse(job.finished_at ?? '') - Date.parse(job.started_at ?? '')));
  console.log(`${jobs.length} jobs in ${seconds} s, the slowest took ${slowestMs} ms`);
  expect(jobs.length).toBeGreaterThan(3);
  expect(new Set(jobs.map(({ status, attempts, interruptions }) => `${status} ${attempts} ${interruptions}`))).toEqual(new Set(['completed 1 0']));
});
