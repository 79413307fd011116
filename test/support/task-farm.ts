import { randomUUID } from 'node:crypto';
import { AccountStore, systemClock } from '../../src/accounts/index.js';
import { type Database, type Kysely, openDatabase } from '../../src/db/index.js';
import { MaintenanceStore } from '../../src/distributed/queue/maintenance-store.js';
import { type ClaimedRow, type ClaimKey, TaskStore } from '../../src/distributed/queue/task-store.js';
import { JobLeaseStore, JobStore } from '../../src/jobs/index.js';
import { createPostgresServer } from './postgres-server.js';

/** A claimed task with its key. */
export interface Claimed extends ClaimedRow {
  key: ClaimKey;
}

/** The queue of a render farm on a PostgreSQL server of its own, without hosts. */
export interface TaskFarm {
  db: Kysely<Database>;
  tasks: TaskStore;
  maintenance: MaintenanceStore;
  jobs: JobStore;
  leases: JobLeaseStore;
  /** Submits a live movie of this account. */
  submit(account: string, credits?: number): Promise<string>;
  claim(group?: string, leaseMs?: number): Promise<Claimed | undefined>;
  /** Claims the next task, which is a movie, and its job; then queues its segments. */
  plan(run: string, segments: number, group?: string): Promise<{ jobId: string; owner: string }>;
  /** Ends a segment. */
  complete(task: Claimed | undefined): ReturnType<TaskStore['completeSegment']>;
  /** Removes all jobs and tasks. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

const limits = { requestsPerMinute: 1_000_000, concurrentJobs: 1_000_000 };
const leaseMs = 75_000;

/** Starts the server; the caller stops it. */
export async function startTaskFarm(): Promise<TaskFarm> {
  const server = await createPostgresServer({ settings: ['fsync=off'] });
  const db = await openDatabase({ url: server.url });
  const tasks = new TaskStore(db);
  const jobs = new JobStore(db, systemClock, [tasks]);
  const leases = new JobLeaseStore(db, systemClock, leaseMs, [tasks]);
  const accounts = new Map<string, string>();
  const farm: TaskFarm = {
    db,
    tasks,
    maintenance: new MaintenanceStore(db),
    jobs,
    leases,
    async submit(account, credits = 10) {
      const known = accounts.get(account);
      const plan = { accountName: account, plan: 'enterprise', mode: 'live', credits: 1_000_000_000, limits } as const;
      const accountId = known ?? (await new AccountStore(db, systemClock).createKey(plan)).accountId;
      accounts.set(account, accountId);
      return (await jobs.submit({ caller: { accountId, mode: 'live', limits }, script: { scenes: [] }, estimatedCredits: credits })).jobId;
    },
    async claim(group = 'one', claimMs = 60_000) {
      const claim = randomUUID();
      const row = await tasks.claim(group, claim, claimMs);
      return row && { ...row, key: { id: row.id, jobId: row.jobId, claim } };
    },
    async plan(run, count, group = 'one') {
      const movie = await farm.claim(group);
      if (movie === undefined || movie.kind !== 'plan') throw new Error(`not a movie: ${JSON.stringify(movie)}`);
      const owner = `@farm|${run}|first`;
      await leases.claimJob(movie.jobId, owner, (id) => `${id}.mp4`);
      const range = { first: 0, end: 1 };
      const one = { kind: 'picture' as const, stage: 'rendering', weight: 1, share: 1 / count, packets: '', sources: [], document: '', range };
      const segments = Array.from({ length: count }, (_none, index) => ({ ...one, index }));
      if (!(await tasks.queueSegments(movie.key, run, group, segments))) throw new Error('the claim is not valid');
      return { jobId: movie.jobId, owner };
    },
    complete(task) {
      if (task === undefined) throw new Error('no task');
      const leaseExpiresAt = new Date(Date.now() + leaseMs).toISOString();
      return tasks.completeSegment({ ...task.key, run: task.run ?? '', progress: 0.1, stage: 'rendering', leaseExpiresAt });
    },
    async clear() {
      for (const table of ['tasks', 'render_hosts', 'ledger_entries', 'jobs'] as const) await db.deleteFrom(table).execute();
    },
    async stop() {
      await db.destroy();
      await server.remove();
    },
  };
  return farm;
}
