import { parseArgs } from 'node:util';
import { AccountStore, systemClock } from '../../dist/accounts/index.js';
import { openDatabase } from '../../dist/db/index.js';
import { DistributedJobStore, JobLeaseStore, JobStore } from '../../dist/jobs/index.js';

/**
 * What a movie that is spread costs the database, on a real PostgreSQL: order, claim, price, progress of each part, stitching, end.
 * `node bench/farm/database.mjs --url postgres://…` on a database of its own.
 */
const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    movies: { type: 'string', default: '300' },
    parts: { type: 'string', default: '6' },
    width: { type: 'string', default: '16' },
  },
});
const db = await openDatabase({ url: values.url });
const leaseMs = 75_000;
const jobs = new JobStore(db, systemClock);
const leases = new JobLeaseStore(db, systemClock, leaseMs);
const distributed = new DistributedJobStore(db, systemClock, leaseMs);
const limits = { requestsPerMinute: 1_000_000, concurrentJobs: 1_000_000 };
const { accountId } = await new AccountStore(db, systemClock).createKey({ accountName: 'bench', plan: 'enterprise', mode: 'live', credits: 1e9, limits });
const name = (jobId) => `${jobId}-${'0'.repeat(64)}.mp4`;
const script = { width: 1280, height: 720, scenes: Array.from({ length: 6 }, () => ({ duration: 3, elements: [{ type: 'text', text: 'some words' }] })) };

/** Six transactions, and one for each part. */
async function one(number) {
  const { jobId } = await jobs.submit({ caller: { accountId, mode: 'live', limits }, script, estimatedCredits: 18 });
  const run = `run${number}`;
  await leases.claimJob(jobId, `@farm|${run}|1`, name);
  await leases.settle(jobId, `@farm|${run}|1`, 18);
  await distributed.addProgress(jobId, run, 0, 'rendering');
  for (let part = 0; part < Number(values.parts); part += 1) await distributed.addProgress(jobId, run, 0.1, 'rendering');
  await distributed.transferLease(jobId, `@farm|${run}|1`, `@farm|${run}|2`, name(jobId));
  await leases.complete(jobId, `@farm|${run}|2`, { durationSeconds: 18, warnings: [], sizeBytes: 1 });
}

const began = performance.now();
let next = 0;
await Promise.all(
  Array.from({ length: Number(values.width) }, async () => {
    while (next < Number(values.movies)) await one(next++);
  }),
);
const seconds = (performance.now() - began) / 1000;
const transactions = Number(values.movies) * (6 + Number(values.parts));
console.log(JSON.stringify({ moviesPerSecond: Math.round(Number(values.movies) / seconds), transactionsPerSecond: Math.round(transactions / seconds) }));
await db.destroy();
