import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccountStore, systemClock } from '../../../src/accounts/index.js';
import { type Database, type Kysely, openDatabase } from '../../../src/db/index.js';
import { JobLeaseStore, JobStore } from '../../../src/jobs/index.js';
import { createPostgresServer, type PostgresServer } from '../../support/postgres-server.js';

let server: PostgresServer;
let db: Kysely<Database>;
let stalled: pg.Client;
beforeAll(async () => {
  server = await createPostgresServer();
  db = await openDatabase({ url: server.url });
  stalled = new pg.Client(server.url);
  await stalled.connect();
});
afterAll(async () => {
  await stalled.end();
  await db.destroy();
  await server.remove();
});

/** Submits a job of a new account and claims it under a lease that has already expired. */
async function loseJob(leases: JobLeaseStore): Promise<{ jobId: string; accountId: string }> {
  const { accountId } = await new AccountStore(db, systemClock).createKey({ accountName: crypto.randomUUID(), plan: 'pro', mode: 'live', credits: 9 });
  const caller = { accountId, mode: 'live' as const, limits: { requestsPerMinute: 1, concurrentJobs: 5 } };
  const { jobId } = await new JobStore(db, systemClock).submit({ caller, script: { scenes: [] }, estimatedCredits: 1 });
  expect(await leases.claim('live', `host of ${jobId}`, (id) => `${id}.mp4`)).toMatchObject({ jobId });
  return { jobId, accountId };
}

for (const [subject, lock] of [
  ['a lost job', ({ jobId }: { jobId: string }) => [`select 1 from jobs where id = $1 for update`, jobId]],
  ['the account of a lost job', ({ accountId }: { accountId: string }) => [`select 1 from accounts where id = $1 for update`, accountId]],
] as const) {
  it(`recovers other lost jobs while a stalled host has locked ${subject}`, async () => {
    const leases = new JobLeaseStore(db, systemClock, -1000);
    const [locked, free] = [await loseJob(leases), await loseJob(leases)];
    const [text, id] = lock(locked);
    await stalled.query('begin');
    await stalled.query(text ?? '', [id]);
    try {
      expect((await leases.recoverExpired(() => false)).map(({ job }) => job.id)).toEqual([free.jobId]);
    } finally {
      await stalled.query('rollback');
    }
    expect((await leases.recoverExpired(() => false)).map(({ job }) => job.id)).toEqual([locked.jobId]);
    for (const { jobId } of [locked, free]) await db.updateTable('jobs').set({ status: 'failed' }).where('id', '=', jobId).execute();
  }, 30_000);
}
