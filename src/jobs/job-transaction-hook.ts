import type { Database, Transaction } from '../db/index.js';
import type { Job } from './job.js';

/** A job as it is accepted, with what its script asks others to do at its end. */
export interface SubmittedJob {
  jobId: string;
  accountId: string;
  webhookUri: string | undefined;
  /** In order of delivery. May hold secrets: the script that is kept does not. */
  exportTargets: ReadonlyArray<{ readonly type: string }>;
}

/**
 * Keeps rows of its own beside a job's (an owed webhook, an export) and writes them in the job's transactions,
 * so that none is lost and none belongs to a job that was refused or goes on.
 */
export interface JobTransactionHook {
  onSubmitted(trx: Transaction<Database>, job: SubmittedJob): Promise<void>;
  /** The job is completed or failed. */
  onEnded(trx: Transaction<Database>, job: Job): Promise<void>;
}
