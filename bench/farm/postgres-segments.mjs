import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { AccountStore, systemClock } from '../../dist/accounts/index.js';
import { openDatabase } from '../../dist/db/index.js';
import { RenderQueue } from '../../dist/distributed/queue/render-queue.js';
import { DistributedJobStore, JobLeaseStore, JobStore } from '../../dist/jobs/index.js';
import { cpuSecondsOf } from '../service/programs.mjs';
import { cpuOf, startRedis } from './redis.mjs';
import { loadServers } from './test-servers.mjs';

/**
 * What the queue costs per segment: the current queue (BullMQ's claim and completion in Redis, progress and lease in PostgreSQL) beside a prototype
 * with segments as rows (claim with SKIP LOCKED; completion, progress and lease in one transaction). Interleaved; nothing is rendered.
 * `node bench/farm/postgres-segments.mjs [--segments 300] [--rounds 3] [--hosts 1]`
 */
const { values } = parseArgs({
  options: { segments: { type: 'string', default: '300' }, rounds: { type: 'string', default: '3' }, hosts: { type: 'string', default: '1' } },
});
const count = Number(values.segments);
const hosts = Number(values.hosts);
const { createPostgresServer } = await loadServers(['postgres-server']);
const postgres = await createPostgresServer();
const redis = await startRedis();
const db = await openDatabase({ url: postgres.url });
const leaseMs = 75_000;
const [jobs, leases, distributed] = [
  new JobStore(db, systemClock),
  new JobLeaseStore(db, systemClock, leaseMs),
  new DistributedJobStore(db, systemClock, leaseMs),
];
const limits = { requestsPerMinute: 1_000_000, concurrentJobs: 1_000_000 };
const { accountId } = await new AccountStore(db, systemClock).createKey({ accountName: 'bench', plan: 'enterprise', mode: 'live', credits: 1e9, limits });
const pool = new pg.Pool({ connectionString: postgres.url, max: hosts });
await pool.query(`
  create table segments (
    id bigserial primary key, job_id text not null, run text not null, number int not null, host_group text not null, tag double precision not null,
    plan text not null, token int not null default 0, owner text, expires_at timestamptz, attempts int not null default 0,
    unique (run, number));
  create index segments_next on segments (host_group, tag, id) where owner is null`);

const claimText = `
  update segments set owner = $2, token = token + 1, expires_at = clock_timestamp() + interval '6 s'
  where id = (select id from segments where host_group = $1 and owner is null order by tag, id limit 1 for update skip locked)
  returning id, token, plan`;
/** Removes the segment under its token, adds progress and renews the lease of the job, and tells how many segments are left. */
const completeText = `
  with ended as (delete from segments where id = $1 and token = $2 returning run)
  update jobs set progress = least(0.97, progress + $3), stage = 'rendering', lease_expires_at = $4
  where id = $5 and status = 'processing' and exists (select from ended)
  returning (select count(*) from segments where run = $6) as remaining`;
const plan = JSON.stringify({ stage: '', share: 0, packets: '', sources: [], document: '', range: { first: 0, end: 1 } });

async function openMovie(run) {
  const { jobId } = await jobs.submit({ caller: { accountId, mode: 'live', limits }, script: { scenes: [] }, estimatedCredits: 1 });
  await leases.claimJob(jobId, `@farm|${run}|1`, (id) => `${id}.mp4`);
  return jobId;
}

/** Takes segments on some hosts at once until none is left; returns what each cost. */
async function drain(takeOne) {
  const took = [];
  const node = process.cpuUsage();
  const before = { postgres: postgresSeconds(), redis: await redisSeconds() };
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: hosts }, async () => {
      for (;;) {
        const at = performance.now();
        if (!(await takeOne())) break;
        took.push(performance.now() - at);
      }
    }),
  );
  const { user, system } = process.cpuUsage(node);
  const each = (ms) => ms / took.length;
  return {
    segments: took.length,
    perSecond: took.length / ((performance.now() - startedAt) / 1000),
    medianMs: took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)],
    nodeMs: each((user + system) / 1000),
    postgresMs: each((postgresSeconds() - before.postgres) * 1000),
    redisMs: each(((await redisSeconds()) - before.redis) * 1000),
  };
}

const backends = {
  async redis(run) {
    const jobId = await openMovie(run);
    await queue.addMovie({ jobId, accountId, credits: count }, 'layout');
    const { entry } = await queue.next('one');
    const segments = Array.from({ length: count }, (_none, index) => ({ index, ...JSON.parse(plan) }));
    await queue.addSegments(entry, run, 'one', segments);
    await entry.waitForSegments();
    const result = await drain(async () => {
      const taken = await queue.next('one');
      if (taken === undefined || taken.kind === 'movie') {
        if (taken !== undefined) await taken.entry.complete();
        return false;
      }
      await distributed.addProgress(jobId, run, 1 / count, 'rendering');
      await taken.entry.complete();
      return true;
    });
    await queue.remove(jobId);
    return result;
  },
  async postgres(run) {
    const jobId = await openMovie(run);
    await pool.query('insert into segments (job_id, run, number, host_group, tag, plan) select $1, $2, n, $3, n, $4 from generate_series(1, $5) n', [
      jobId,
      run,
      'one',
      plan,
      count,
    ]);
    return drain(async () => {
      const { rows } = await pool.query({ name: 'claim', text: claimText, values: ['one', run] });
      if (rows.length === 0) return false;
      const expiry = new Date(Date.now() + leaseMs).toISOString();
      await pool.query({ name: 'complete', text: completeText, values: [rows[0].id, rows[0].token, 1 / count, expiry, jobId, run] });
      return true;
    });
  },
};

const queue = await RenderQueue.open({ url: redis.url, log: { info() {}, warn() {} }, prefix: 'segments' });
while (!queue.isConnected) await new Promise((resolve) => setTimeout(resolve, 10));
const results = { redis: [], postgres: [] };
// The first round warms up.
for (let round = 0; round <= Number(values.rounds); round += 1) {
  for (const [name, measure] of Object.entries(backends)) {
    const result = await measure(`run-${name}-${round}`);
    if (round > 0) results[name].push(result);
    console.log(
      `${round === 0 ? 'warm-up ' : ''}${name}: ${JSON.stringify(result, (_key, value) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value))}`,
    );
  }
}
await queue.close();
await pool.end();
await db.destroy();
await redis.stop();
await postgres.remove();
process.exit(0);

async function redisSeconds() {
  return cpuOf(queue.client);
}

function postgresSeconds() {
  const parentOf = (pid) => {
    try {
      return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1]);
    } catch {
      return undefined;
    }
  };
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === postgres.pid);
  return children.reduce((sum, child) => sum + cpuSecondsOf(child), cpuSecondsOf(postgres.pid, true));
}
