import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccountStore, findImbalances, systemClock } from '../../src/accounts/index.js';
import { type Database, type Kysely, openDatabase } from '../../src/db/index.js';
import { type RenderHost, startFarmHost } from './farm-host.js';
import { createPostgresServer, type PostgresServer } from './postgres-server.js';
import { type Receiver, startReceiver } from './receiver.js';
import { type S3Server, startS3Server } from './s3-server.js';
import { finishedJob, type JobBody, type RunningService, startService, submit } from './service.js';

const credits = 10_000;

/** A service and workers that share the segments of each movie: real processes, PostgreSQL and an S3 bucket. */
export interface Farm {
  folder: string;
  postgres: PostgresServer;
  s3: S3Server;
  api: RunningService;
  db: Kysely<Database>;
  key: string;
  /** Includes hosts that have exited. */
  hosts: RenderHost[];
  /** `within` is a command prefix, for example to run it in another network. */
  addHost(environment?: Record<string, string>, within?: readonly string[]): Promise<RenderHost>;
  restartApi(): Promise<void>;
  submit(script: object, key?: string): Promise<string>;
  finished(jobId: string, timeoutMs?: number): Promise<JobBody>;
  /** Downloads the output of a job to a file. */
  video(job: JobBody, name: string): Promise<string>;
  createKey(account: string): Promise<string>;
  /** Segments started by all hosts, including failed attempts. */
  begun(jobId: string): number;
  /** Errors in the ledger; empty if each job was charged once. */
  booksWrong(): Promise<string[]>;
  /** A movie with this number of segments and music under all of them. */
  movie(scenes: number, seconds?: number): { scenes: object[] } & Record<string, unknown>;
  stop(): Promise<void>;
}

export async function startFarm(hostCount: number): Promise<Farm> {
  const folder = await mkdtemp(join(tmpdir(), 'framewright-farm-'));
  const music = tone(3);
  const serveMusic = (): Promise<Receiver> => startReceiver((_request, response) => response.writeHead(200, { 'content-type': 'audio/wav' }).end(music));
  const [postgres, s3, media] = await Promise.all([createPostgresServer(), startS3Server(), serveMusic()]);
  const places = { DATABASE_URL: postgres.url, FRAMEWRIGHT_STORAGE: 's3://films', ...s3.environment };
  const shared: Record<string, string> = { ...places, FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1' };
  const startApi = (): Promise<RunningService> => startService(join(folder, 'api'), { ...shared, FRAMEWRIGHT_WORKERS: '0' });
  const api = await startApi();
  const db = await openDatabase({ url: postgres.url });
  const limits = { requestsPerMinute: 1_000_000, concurrentJobs: 100 };
  const createKey = async (accountName: string): Promise<string> =>
    (await new AccountStore(db, systemClock).createKey({ accountName, plan: 'enterprise', mode: 'live', credits, limits })).key;
  const key = await createKey('acme');
  const hosts: RenderHost[] = [];
  const farm: Farm = {
    folder,
    postgres,
    s3,
    api,
    db,
    key,
    hosts,
    createKey,
    async addHost(environment = {}, within = []) {
      const host = await startFarmHost(join(folder, `host-${hosts.length}-${Math.random()}`), { ...shared, ...environment }, within);
      hosts.push(host);
      return host;
    },
    async restartApi() {
      farm.api = await startApi();
    },
    submit: async (script, asked = key) => (await submit(farm.api, asked, script)).job_id,
    finished: (jobId, timeoutMs = 90_000) => finishedJob(farm.api, key, jobId, timeoutMs),
    async video(job, name) {
      const path = join(folder, name);
      await writeFile(path, new Uint8Array(await (await fetch(farm.api.url + new URL(job.output_uri ?? '').pathname)).arrayBuffer()));
      return path;
    },
    begun: (jobId) => hosts.reduce((sum, host) => sum + host.partsOf(jobId), 0),
    async booksWrong() {
      const wrong = (await findImbalances(db)).map((account) => `unbalanced: ${JSON.stringify(account)}`);
      const rows = await db.selectFrom('jobs').select(['id', 'account_id', 'status', 'credits_used']).execute();
      for (const account of await db.selectFrom('accounts').select(['id', 'balance']).execute()) {
        const own = rows.filter(({ account_id: id, status }) => id === account.id && status === 'completed');
        const spent = own.reduce((sum, { credits_used: used }) => sum + Number(used), 0);
        if (account.balance !== credits - spent) wrong.push(`${account.balance} are left of ${credits} after ${spent}`);
      }
      return wrong;
    },
    movie: (scenes, seconds = 1) => movieOf(scenes, seconds, media.url),
    async stop() {
      await db.destroy();
      for (const host of hosts) await host.end('SIGKILL');
      await farm.api.stop();
      await Promise.all([postgres.remove(), s3.remove(), media.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
  await Promise.all(Array.from({ length: hostCount }, () => farm.addHost()));
  return farm;
}

/** Each movie is different, so none uses cached segments of another. */
function movieOf(count: number, seconds: number, music: string): ReturnType<Farm['movie']> {
  const name = Math.random();
  const scenes = Array.from({ length: count }, (_none, index) => ({
    duration: seconds,
    'background-color': '#336699',
    ...(index % 3 === 1 && { transition: { style: 'fade', duration: 0.5 } }),
    elements: [{ type: 'text', text: `Scene ${index} of ${name}`, zoom: 2 }],
  }));
  return { width: 320, height: 180, scenes, elements: [{ type: 'audio', src: music, duration: 2 }] };
}

/** A mono 16-bit WAV file. */
function tone(seconds: number): Buffer {
  const rate = 48_000;
  const samples = Buffer.alloc(rate * seconds * 2);
  for (let at = 0; at < rate * seconds; at += 1) samples.writeInt16LE(Math.round(8000 * Math.sin((at * 2 * Math.PI * 440) / rate)), at * 2);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}
