import { expect } from 'vitest';
import { findImbalances } from '../../../src/accounts/index.js';
import type { Database, Kysely } from '../../../src/db/index.js';
import { pause, type Receiver } from '../receiver.js';
import type { OutputSizes } from './list-outputs.js';
import type { SubmittingClient } from './submitting-client.js';

/** What the clients of killed hosts, their database and their receiver know. */
export interface KillEvidence {
  db: Kysely<Database>;
  clients: readonly SubmittingClient[];
  receiver: Receiver;
  /** Balance of the account before its first job. */
  credits: number;
  /** Number of killed services. */
  kills: number;
  outputs: OutputSizes;
}

/** Resolves when every job has ended and every webhook has been delivered. */
export async function untilAtRest(db: Kysely<Database>): Promise<void> {
  const open = () => db.selectFrom('jobs').select('id').where('status', 'in', ['queued', 'processing']).execute();
  const unreported = () => db.selectFrom('deliveries').select('job_id').where('status', '!=', 'delivered').execute();
  while ((await open()).length > 0 || (await unreported()).length > 0) await pause(100);
}

/**
 * Expects that each accepted job exists under the id of its response, is completed in one attempt, charged once, reported and has its
 * output, and that nothing else exists. Returns the number of jobs and how often the most interrupted one was interrupted.
 */
export async function expectNothingLost(evidence: KillEvidence): Promise<{ jobs: number; interruptions: number }> {
  const { db, clients, receiver, credits, kills, outputs } = evidence;
  const jobs = await db
    .selectFrom('jobs')
    .select(['id', 'status', 'credits_used', 'attempts', 'interruptions', 'output_name', 'outputs', 'size_bytes', 'error_message'])
    .execute();
  const entries = await db.selectFrom('ledger_entries').select(['job_id', 'kind', 'amount']).where('job_id', 'is not', null).execute();
  const keys = await db.selectFrom('idempotency_keys').select(['key', 'job_id']).execute();
  const storedId = new Map(keys.map((row) => [row.key, row.job_id]));
  const answers = clients.flatMap((client) => [...client.accepted]);

  expect(answers.length).toBeGreaterThan(kills);
  expect(answers.filter(([key, jobId]) => jobId !== '' && storedId.get(key) !== jobId)).toEqual([]);
  const ids = new Set(jobs.map((job) => job.id));
  expect(answers.filter(([key]) => !ids.has(storedId.get(key) ?? ''))).toEqual([]);
  // Each client may have submitted one job whose response it has not received.
  expect(jobs.length - answers.length).toBeLessThanOrEqual(clients.length);

  for (const job of jobs) {
    const own = entries.filter((entry) => entry.job_id === job.id);
    // A kill of the service does not count against the job.
    expect([job.id, job.status, job.attempts, job.error_message]).toEqual([job.id, 'completed', 1, null]);
    expect(own.filter(({ kind }) => kind === 'hold')).toHaveLength(1);
    expect(own.reduce((sum, { amount }) => sum - amount, 0)).toBe(1);
    expect(job.credits_used).toBe(1);
    for (const { file, sizeBytes } of filesOf(job)) expect([file, outputs.get(file)]).toEqual([file, sizeBytes]);
    expect(filesOf(job).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)).toBe(job.size_bytes);
  }
  expect(await findImbalances(db)).toEqual([]);
  expect((await db.selectFrom('accounts').select('balance').executeTakeFirstOrThrow()).balance).toBe(credits - jobs.length);
  // No interrupted attempt has left a file.
  expect(outputs.size).toBe(jobs.reduce((sum, job) => sum + filesOf(job).length, 0));
  expect(jobs.some((job) => filesOf(job).length === 3)).toBe(true);

  const reported = new Set(receiver.received.map(({ body }) => (JSON.parse(body) as { job_id: string }).job_id));
  expect(jobs.filter((job) => !reported.has(job.id))).toEqual([]);
  expect(receiver.received.length - reported.size).toBeLessThanOrEqual(kills * clients.length);
  return { jobs: jobs.length, interruptions: Math.max(...jobs.map((job) => job.interruptions)) };
}

/** The files of a completed job. */
function filesOf(job: { output_name: string | null; outputs: string | null; size_bytes: number | null }): Array<{ file: string; sizeBytes: number }> {
  if (job.outputs !== null) return JSON.parse(job.outputs);
  return job.output_name === null ? [] : [{ file: job.output_name, sizeBytes: job.size_bytes ?? -1 }];
}

/** Values of FRAMEWRIGHT_WEBHOOK_RETRY_DELAYS: a webhook attempt whose outcome a kill leaves unknown is repeated soon, and as often as the setting allows. */
export function retryDelays(kills: number): string {
  return Array.from({ length: Math.min(kills + 1, 20) }, () => '1').join(',');
}
