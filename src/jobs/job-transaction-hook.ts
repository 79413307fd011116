import type { Database, Transaction } from '../db/index.js';
import type { Job } from './job.js';

/** A job at submission, with the deliveries that its script asks for. */
export interface SubmittedJob {
  jobId: string;
  accountId: string;
  webhookUri: string | undefined;
  /** In order of delivery, secrets included; the stored script has none. */
  exportTargets: ReadonlyArray<{ readonly type: string }>;
}

/** A live job that waits for a render process. */
export interface QueuedJob {
  jobId: string;
  accountId: string;
  /** Estimated credits. */
  credits: number;
}

/**
 * Writes rows of its own (webhook and export deliveries, tasks of hosts) inside a job's transactions,
 * so that they commit or roll back together with the job.
 */
export interface JobTransactionHook {
  /** Runs in the transaction that accepts the job. */
  onSubmitted(trx: Transaction<Database>, job: SubmittedJob): Promise<void>;
  /** Runs in the transaction that queues live jobs, at submission and after an attempt that did not end them. */
  onQueued?(trx: Transaction<Database>, jobs: readonly QueuedJob[]): Promise<void>;
  /** Runs in the transaction that completes or fails the job. */
  onEnded(trx: Transaction<Database>, job: Job): Promise<void>;
}
