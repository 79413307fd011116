import { type JobFailure, LeaseLostError, publishState } from '../../jobs/index.js';
import type { FarmContext } from '../context.js';

/** Fails the job of a run on all hosts and refunds all but its purchases; does nothing if the run has ended. */
export async function failRun(context: FarmContext, { jobId, run }: { jobId: string; run: string }, failure: JobFailure): Promise<void> {
  const { jobs: distributed, leases, events, clock, log } = context;
  const owner = await distributed.findLeaseOwner(jobId, run);
  if (owner === undefined) return;
  try {
    publishState(events, await leases.fail(jobId, owner, failure), clock);
    log.warn({ job_id: jobId, reason: failure.message }, 'a job failed');
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error;
  }
}
