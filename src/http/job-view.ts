import type { ExportState } from '../delivery/outbox/index.js';
import type { Job } from '../jobs/index.js';

/** Where clients download an output. */
export type OutputUri = (outputName: string) => string;

/** How the exports of a job go; empty without any. */
export type ExportsOf = (jobId: string) => Promise<ExportState[]>;

/** A job as the API shows it: fields that mean nothing yet are absent, only `completed_at` is null. */
export function viewJob(job: Job, outputUri: OutputUri): object {
  const completed = job.status === 'completed';
  return {
    job_id: job.id,
    status: job.status,
    progress: job.progress,
    ...(job.stage !== null && { stage: job.stage }),
    ...(job.outputName !== null && { output_uri: outputUri(job.outputName) }),
    ...(job.outputRemovedAt !== null && { output_expired_at: job.outputRemovedAt }),
    ...(completed && { duration_seconds: job.durationSeconds }),
    estimated_credits: job.estimatedCredits,
    ...(job.creditsUsed !== null && { credits_used: job.creditsUsed }),
    ...(job.failure !== null && { error: { code: job.failure.code, message: job.failure.message } }),
    ...(job.finishedAt !== null && { warnings: job.warnings }),
    created_at: job.createdAt,
    completed_at: completed ? job.finishedAt : null,
  };
}

/** Only in the answer for a single job that has exports. */
export function viewExports(exports: readonly ExportState[]): object {
  if (exports.length === 0) return {};
  const view = ({ type, status, location, message }: ExportState): object => ({
    type,
    status,
    ...(location !== null && { location }),
    ...(message !== null && { message }),
  });
  return { exports: exports.map(view) };
}
