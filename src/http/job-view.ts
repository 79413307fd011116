import type * as Contract from '../contract/index.js';
import type { ExportState } from '../delivery/outbox/index.js';
import { type Job, viewOutput } from '../jobs/index.js';

/** Download URL of an output. */
export type OutputUri = (outputName: string) => string;

/** Loads the states of a job's exports; empty for a job without exports. */
export type ExportsOf = (jobId: string) => Promise<ExportState[]>;

/** A job as the API shows it. Fields that do not apply yet are absent, except `completed_at`, which is null. */
export function viewJob(job: Job, outputUri: OutputUri): Contract.Job {
  const isCompleted = job.status === 'completed';
  return {
    job_id: job.id,
    status: job.status,
    progress: job.progress,
    ...(job.stage !== null && { stage: job.stage }),
    ...(job.outputName !== null && { output_uri: outputUri(job.outputName) }),
    ...(job.outputs.length > 0 && { outputs: job.outputs.map((output) => viewOutput(output, outputUri)) }),
    ...(job.outputRemovedAt !== null && { output_expired_at: job.outputRemovedAt }),
    ...(isCompleted && job.durationSeconds !== null && { duration_seconds: job.durationSeconds }),
    estimated_credits: job.estimatedCredits,
    ...(job.creditsUsed !== null && { credits_used: job.creditsUsed }),
    ...(job.creditsUsed !== null && job.providerCredits > 0 && { provider_credits: job.providerCredits }),
    ...(job.failure !== null && { error: { code: job.failure.code, message: job.failure.message } }),
    ...(job.finishedAt !== null && { warnings: [...job.warnings] }),
    created_at: job.createdAt,
    completed_at: isCompleted ? job.finishedAt : null,
  };
}

/** The field `exports` of a single job; absent without exports. */
export function viewExports(exports: readonly ExportState[]): Pick<Contract.Job, 'exports'> {
  if (exports.length === 0) return {};
  const view = ({ type, status, location, message }: ExportState): Contract.ExportState => ({
    type,
    status,
    ...(location !== null && { location }),
    ...(message !== null && { message }),
  });
  return { exports: exports.map(view) };
}
