import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { AccountStore, systemClock } from '../../dist/accounts/index.js';
import { openDatabase } from '../../dist/db/index.js';
import { TaskStore } from '../../dist/distributed/queue/task-store.js';
import { JobLeaseStore, JobStore } from '../../dist/jobs/index.js';
import { cpuOfServer, round, spread } from './figures.mjs';
import { loadServers } from './test-servers.mjs';

const limits = { requestsPerMinute: 1_000_000, concurrentJobs: 1_000_000 };
const leaseMs = 75_000;

/**
 * Queue overhead per segment on a real PostgreSQL that writes each commit to disk: hosts claim and complete the segments of one long movie in sequence.
 * A completion adds the progress and renews the lease of the job. `node bench/farm/queue-entries.mjs [SEGMENTS [HOSTS]]`
 */
export async function measureQueueEntries({ parts = 1000, hosts = 1 } = {}) {
  const { createPostgresServer } = await loadServers(['postgres-server']);
  const server = await createPostgresServer();
  const db = await openDatabase({ url: server.url });
  try {
    const tasks = new TaskStore(db);
    const account = { accountName: 'bench', plan: 'enterprise', mode: 'live', credits: 1e9, limits };
    const { accountId } = await new AccountStore(db, systemClock).createKey(account);
    const { jobId } = await new JobStore(db, systemClock, [tasks]).submit({
      caller: { accountId, mode: 'live', limits },
      script: { scenes: [] },
      estimatedCredits: parts,
    });
    const movie = randomUUID();
    const { id } = await tasks.claim('one', movie, leaseMs);
    await new JobLeaseStore(db, systemClock, leaseMs, [tasks]).claimJob(jobId, '@farm|run|1', (name) => `${name}.mp4`);
    const range = { first: 0, end: 1 };
    const list = Array.from({ length: parts }, (_none, index) => ({ index, stage: '', share: 1 / parts, packets: '', sources: [], document: '', range }));
    const queueing = performance.now();
    await tasks.queueSegments({ id, jobId, claim: movie }, 'run', 'one', list);
    const queueingMs = performance.now() - queueing;
    const [node, postgres, began] = [process.cpuUsage(), cpuOfServer(server), performance.now()];
    const took = [];
    const claims = [];
    const drain = async () => {
      for (;;) {
        const startedAt = performance.now();
        const claim = randomUUID();
        const task = await tasks.claim('one', claim, 6000);
        if (task?.kind !== 'segment') return;
        claims.push(performance.now() - startedAt);
        const leaseExpiresAt = new Date(Date.now() + leaseMs).toISOString();
        await tasks.completeSegment({ id: task.id, jobId, claim, run: 'run', progress: 0.9 / parts, stage: 'rendering', leaseExpiresAt });
        took.push(performance.now() - startedAt);
      }
    };
    await Promise.all(Array.from({ length: hosts }, drain));
    const { user, system } = process.cpuUsage(node);
    return {
      parts: took.length,
      hosts,
      queueingMs: round(queueingMs / parts),
      wallMs: spread(took),
      claimMs: spread(claims),
      perSecond: round((took.length * 1000) / (performance.now() - began)),
      nodeProcessorMs: round((user + system) / 1000 / took.length),
      postgresProcessorMs: round(((cpuOfServer(server) - postgres) * 1000) / took.length),
    };
  } finally {
    await db.destroy();
    await server.remove();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [parts = 1000, hosts = 1] = process.argv.slice(2).map(Number);
  console.log(JSON.stringify(await measureQueueEntries({ parts, hosts })));
}
