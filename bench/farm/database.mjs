import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { AccountStore, systemClock } from '../../dist/accounts/index.js';
import { openDatabase } from '../../dist/db/index.js';
import { TaskStore } from '../../dist/distributed/queue/task-store.js';
import { DistributedJobStore, JobLeaseStore, JobStore } from '../../dist/jobs/index.js';
import { cpuOfServer, round } from './figures.mjs';
import { loadServers } from './test-servers.mjs';

/**
 * How many distributed movies a real PostgreSQL carries: everything that is written for a movie, from its submission to its end, without hosts that
 * wait or render. `node bench/farm/database.mjs [--movies 300] [--parts 4] [--width 16] [--accounts 20]`
 */
const { values } = parseArgs({
  options: {
    movies: { type: 'string', default: '300' },
    parts: { type: 'string', default: '4' },
    width: { type: 'string', default: '16' },
    accounts: { type: 'string', default: '20' },
  },
});
const [movies, parts, width, accounts] = [values.movies, values.parts, values.width, values.accounts].map(Number);
const { createPostgresServer } = await loadServers(['postgres-server']);
const server = await createPostgresServer();
const db = await openDatabase({ url: server.url });
const leaseMs = 75_000;
const tasks = new TaskStore(db);
const jobs = new JobStore(db, systemClock, [tasks]);
const leases = new JobLeaseStore(db, systemClock, leaseMs, [tasks]);
const distributed = new DistributedJobStore(db, systemClock, leaseMs);
const limits = { requestsPerMinute: 1_000_000, concurrentJobs: 1_000_000 };
const callers = await Promise.all(
  Array.from({ length: accounts }, async (_none, index) => {
    const account = { accountName: `bench ${index}`, plan: 'enterprise', mode: 'live', credits: 1e9, limits };
    return { accountId: (await new AccountStore(db, systemClock).createKey(account)).accountId, mode: 'live', limits };
  }),
);
const name = (jobId) => `${jobId}-${'0'.repeat(64)}.mp4`;
const script = { width: 1280, height: 720, scenes: Array.from({ length: parts }, () => ({ duration: 3, elements: [{ type: 'text', text: 'some words' }] })) };
const segments = Array.from({ length: parts }, (_none, index) => ({ index, share: 1 / parts, packets: `${index}`, sources: [], document: '' }));

async function claim() {
  const token = randomUUID();
  const task = await tasks.claim('one', token, 6000);
  return task && { ...task, key: { id: task.id, jobId: task.jobId, claim: token } };
}

/** Does what the claimed task stands for. Returns whether a movie has ended. */
async function work(task) {
  const { jobId, kind, key } = task;
  const run = randomUUID();
  if (kind === 'segment') {
    const leaseExpiresAt = new Date(Date.now() + leaseMs).toISOString();
    await tasks.completeSegment({ ...key, run: task.run, progress: 0.9 / parts, stage: 'rendering', leaseExpiresAt });
    return false;
  }
  const { leaseOwner } = await distributed.find(jobId);
  if (kind === 'plan') {
    await leases.claimJob(jobId, `@farm|${run}|1`, name);
    await leases.settle(jobId, `@farm|${run}|1`, parts);
    await distributed.addProgress(jobId, run, 0, 'rendering');
    await tasks.queueSegments(key, run, 'one', segments);
    return false;
  }
  await distributed.transferLease(jobId, leaseOwner, `${leaseOwner}2`, name(jobId));
  await leases.complete(jobId, `${leaseOwner}2`, { durationSeconds: 18, warnings: [], sizeBytes: 1 });
  await tasks.removeEnded(jobId);
  return true;
}

const [node, postgres, began] = [process.cpuUsage(), cpuOfServer(server), performance.now()];
let submitted = 0;
let ended = 0;
await Promise.all([
  ...Array.from({ length: 4 }, async () => {
    while (submitted < movies) await jobs.submit({ caller: callers[submitted++ % accounts], script, estimatedCredits: parts });
  }),
  ...Array.from({ length: width }, async () => {
    while (ended < movies) {
      const task = await claim();
      if (task === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
      else if (await work(task)) ended += 1;
    }
  }),
]);
const seconds = (performance.now() - began) / 1000;
const { user, system } = process.cpuUsage(node);
console.log(
  JSON.stringify({
    movies,
    parts,
    moviesPerHour: Math.round((movies / seconds) * 3600),
    segmentsPerSecond: round((movies * parts) / seconds),
    nodeMsPerMovie: round((user + system) / 1000 / movies),
    postgresMsPerMovie: round(((cpuOfServer(server) - postgres) * 1000) / movies),
  }),
);
await db.destroy();
await server.remove();
