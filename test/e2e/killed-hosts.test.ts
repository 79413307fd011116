import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccountStore, systemClock } from '../../src/accounts/index.js';
import { type Database, type Kysely, openDatabase } from '../../src/db/index.js';
import { expectNothingLost, retryDelays, untilAtRest } from '../support/kills/expect-nothing-lost.js';
import { KilledHost, summarizeTimes } from '../support/kills/killed-host.js';
import { SubmittingClient, untilNextKill } from '../support/kills/submitting-client.js';
import { type Machine, startMachine } from '../support/pid-namespace.js';
import { createPostgresServer, type PostgresServer } from '../support/postgres-server.js';
import { startReceiver } from '../support/receiver.js';
import { startService } from '../support/service.js';

/** FRAMEWRIGHT_TEST_LONG=1 kills 200 times; FRAMEWRIGHT_TEST_KILLS=N, N times. */
const long = process.env.FRAMEWRIGHT_TEST_LONG !== undefined;
const kills = Number(process.env.FRAMEWRIGHT_TEST_KILLS ?? (long ? 200 : 4));
const credits = 1_000_000;

let folder: string;
let outputsFolder: string;
let server: PostgresServer;
let db: Kysely<Database>;
let machines: Machine[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framewright-hosts-'));
  outputsFolder = join(folder, 'outputs');
  await mkdir(outputsFolder);
  server = await createPostgresServer();
  db = await openDatabase({ url: server.url });
  machines = await Promise.all(['first', 'second'].map((name) => startMachine(name)));
});
afterAll(async () => {
  await Promise.all((machines ?? []).map((machine) => machine.stop()));
  await db?.destroy();
  await server?.remove();
  await rm(folder, { recursive: true, force: true });
});

/** A host with a data folder of its own; hosts share the folder of outputs, as on a network file system. */
async function createHost(name: string, machine: Machine | undefined): Promise<KilledHost> {
  const dataDir = join(folder, name);
  await mkdir(dataDir);
  await symlink(outputsFolder, join(dataDir, 'outputs'));
  const environment = {
    DATABASE_URL: server.url,
    FRAMEWRIGHT_WORKERS: '1',
    FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
    FRAMEWRIGHT_WEBHOOK_RETRY_DELAYS: retryDelays(kills),
  };
  return new KilledHost(dataDir, () => startService(dataDir, environment, { within: machine?.within ?? [] }));
}

/** Every fourth kill ends both hosts at the same time, all others a random one. */
function pickVictims(hosts: readonly KilledHost[], kill: number): readonly KilledHost[] {
  return kill % 4 === 2 ? hosts : hosts.filter((_, index) => index === Math.floor(Math.random() * hosts.length));
}

it(`after ${kills} times kill -9 of two hosts on PostgreSQL under load, no accepted job is lost, charged twice or unreported`, {
  timeout: 60_000 + kills * 30_000,
}, async () => {
  const receiver = await startReceiver();
  const hosts = await Promise.all(['first', 'second'].map((name, index) => createHost(name, machines[index])));
  // Both migrate the empty database.
  await Promise.all(hosts.map((host) => host.start()));
  const limits = { requestsPerMinute: 1_000_000, concurrentJobs: 20 };
  const { key } = await new AccountStore(db, systemClock).createKey({ accountName: 'acme', plan: 'enterprise', mode: 'live', credits, limits });
  const clients = Array.from({ length: 6 }, () => new SubmittingClient(key, receiver.url));
  const end = new AbortController();
  const submitting = Promise.all(clients.map((client) => client.submitUntil(end.signal, () => hosts.map((host) => host.url))));
  let killedServices = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    await Promise.race([untilNextKill(clients, killedServices), submitting]);
    const victims = pickVictims(hosts, kill);
    killedServices += victims.length;
    await Promise.all(victims.map((host) => host.kill()));
    await Promise.all(victims.map((host) => host.start()));
    if (long && (kill + 1) % 20 === 0) console.log(`${kill + 1} kills`);
  }
  end.abort();
  await submitting;

  await untilAtRest(db);
  const { jobs, interruptions } = await expectNothingLost({ db, clients, receiver, credits, kills: killedServices, outputsFolder });
  for (const host of hosts) {
    await host.stop();
    expect(await readdir(join(host.dataDir, 'work'))).toEqual([]);
  }
  const ready = summarizeTimes(hosts.flatMap((host) => host.readyMs));
  const gone = summarizeTimes(hosts.flatMap((host) => host.goneMs));
  const unavailable = clients.reduce((sum, client) => sum + client.unavailableCount, 0);
  console.log(
    `${kills} kills of ${killedServices} services, ${jobs} jobs (none more than ${interruptions} times interrupted), ready after ${ready.median} ms, at most ${ready.max} ms, render processes gone after at most ${gone.max} ms, ${unavailable} responses 503`,
  );
  await receiver.close();
});
