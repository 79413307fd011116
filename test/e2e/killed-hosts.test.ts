import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AccountStore, systemClock } from '../../src/accounts/index.js';
import { type Database, type Kysely, openDatabase } from '../../src/db/index.js';
import { expectNothingLost, retryDelays, untilAtRest } from '../support/kills/expect-nothing-lost.js';
import { KilledHost, summarizeTimes } from '../support/kills/killed-host.js';
import { listBucket, listFolder } from '../support/kills/list-outputs.js';
import { SubmittingClient, untilNextKill } from '../support/kills/submitting-client.js';
import { type Machine, startMachine } from '../support/pid-namespace.js';
import { createPostgresServer, type PostgresServer } from '../support/postgres-server.js';
import { startReceiver } from '../support/receiver.js';
import { type S3Server, startS3Server } from '../support/s3-server.js';
import { startService } from '../support/service.js';

/** FRAMEWRIGHT_TEST_LONG=1 kills 200 times; FRAMEWRIGHT_TEST_KILLS=N, N times. */
const long = process.env.FRAMEWRIGHT_TEST_LONG !== undefined;
const kills = Number(process.env.FRAMEWRIGHT_TEST_KILLS ?? (long ? 200 : 4));
/** What hosts share besides the database. With a bucket, they share the segments of each movie, too. */
type Storage = 'a folder' | 'a bucket';
const storages: readonly Storage[] = long ? ['a folder', 'a bucket'] : ['a folder'];
if (!long) console.warn('killed-hosts: not with a bucket, because that takes longer; set FRAMEWRIGHT_TEST_LONG=1 to run it');
const credits = 1_000_000;

let folder: string;
let server: PostgresServer;
let s3: S3Server;
let db: Kysely<Database>;
let machines: Machine[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framewright-hosts-'));
  [server, s3] = await Promise.all([createPostgresServer(), startS3Server()]);
  db = await openDatabase({ url: server.url });
  machines = await Promise.all(['first', 'second'].map((name) => startMachine(name)));
});
afterEach(async () => {
  await Promise.all((machines ?? []).map((machine) => machine.stop()));
  await db?.destroy();
  await Promise.all([server?.remove(), s3?.remove()]);
  await rm(folder, { recursive: true, force: true });
});

/** A host with a data folder of its own. Without a bucket, hosts share the folder of outputs, as on a network file system. */
async function createHost(name: string, machine: Machine | undefined, storage: Storage): Promise<KilledHost> {
  const dataDir = join(folder, name);
  await mkdir(dataDir);
  if (storage === 'a folder') {
    await mkdir(join(folder, 'outputs'), { recursive: true });
    await symlink(join(folder, 'outputs'), join(dataDir, 'outputs'));
  }
  const environment = {
    DATABASE_URL: server.url,
    FRAMEWRIGHT_WORKERS: '1',
    FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
    FRAMEWRIGHT_WEBHOOK_RETRY_DELAYS: retryDelays(kills),
    ...(storage === 'a bucket' && { FRAMEWRIGHT_STORAGE: 's3://films', ...s3.environment }),
  };
  return new KilledHost(dataDir, () => startService(dataDir, environment, { within: machine?.within ?? [] }));
}

/** Every fourth kill ends both hosts at the same time, all others a random one. */
function pickVictims(hosts: readonly KilledHost[], kill: number): readonly KilledHost[] {
  if (kill % 4 === 2) return hosts;
  const index = Math.floor(Math.random() * hosts.length);
  return hosts.slice(index, index + 1);
}

it.each(storages)(
  `after ${kills} times kill -9 of hosts that share PostgreSQL and %s, no accepted job is lost, charged twice or unreported`,
  {
    timeout: 60_000 + kills * 30_000,
  },
  async (storage) => {
    const receiver = await startReceiver();
    const hosts = await Promise.all(['first', 'second'].map((name, index) => createHost(name, machines[index], storage)));
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
    const outputs = await (storage === 'a bucket' ? listBucket(s3) : listFolder(join(folder, 'outputs')));
    const { jobs, interruptions } = await expectNothingLost({ db, clients, receiver, credits, kills: killedServices, outputs });
    for (const host of hosts) {
      await host.stop();
      // With a bucket, another host may still continue a job when a host starts: its folder is kept, until retention removes it within an hour.
      if (storage === 'a folder') expect(await readdir(join(host.dataDir, 'work'))).toEqual([]);
    }
    const ready = summarizeTimes(hosts.flatMap((host) => host.readyMs));
    const gone = summarizeTimes(hosts.flatMap((host) => host.goneMs));
    const unavailable = clients.reduce((sum, client) => sum + client.unavailableCount, 0);
    console.log(
      `${storage}: ${kills} kills of ${killedServices} services, ${jobs} jobs (none more than ${interruptions} times interrupted), ready after ${ready.median} ms, at most ${ready.max} ms, render processes gone after at most ${gone.max} ms, ${unavailable} responses 503`,
    );
    await receiver.close();
  },
);
