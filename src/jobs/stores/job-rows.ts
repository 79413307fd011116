import type { JobRow } from '../../db/index.js';
import type { FailureCode, FinishedOutput, Job } from '../job.js';

/** All columns but the script, which can be megabytes. */
export const jobColumns = [
  'seq',
  'id',
  'account_id',
  'mode',
  'status',
  'progress',
  'stage',
  'estimated_credits',
  'credits_used',
  'provider_credits',
  'duration_seconds',
  'size_bytes',
  'output_name',
  'outputs',
  'output_removed_at',
  'error_code',
  'error_message',
  'warnings',
  'attempts',
  'interruptions',
  'lease_owner',
  'lease_expires_at',
  'created_at',
  'started_at',
  'finished_at',
] as const;

/** A row read with `jobColumns`. */
export type ListedJobRow = Pick<JobRow, (typeof jobColumns)[number]>;

/** Maps a row to the public job. */
export function parseJobRow(row: ListedJobRow): Job {
  const hasFiles = row.status === 'completed' && row.output_removed_at === null;
  return {
    id: row.id,
    accountId: row.account_id,
    status: row.status,
    progress: row.progress,
    stage: row.stage,
    estimatedCredits: row.estimated_credits,
    creditsUsed: row.credits_used,
    providerCredits: row.provider_credits,
    durationSeconds: row.duration_seconds,
    sizeBytes: row.size_bytes,
    outputName: hasFiles ? row.output_name : null,
    outputs: hasFiles ? parseOutputs(row.outputs) : [],
    outputRemovedAt: row.output_removed_at,
    warnings: row.warnings === null ? [] : (JSON.parse(row.warnings) as string[]),
    failure: row.status === 'failed' ? { code: (row.error_code ?? 'INTERNAL_ERROR') as FailureCode, message: row.error_message ?? '' } : null,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}

/** The files of a movie with `outputs`; empty for other movies. */
function parseOutputs(outputs: JobRow['outputs']): FinishedOutput[] {
  return outputs === null ? [] : (JSON.parse(outputs) as FinishedOutput[]);
}

/** Names in storage of all files of a job that has been completed. */
export function storedFiles({ output_name: primary, outputs }: Pick<JobRow, 'output_name' | 'outputs'>): string[] {
  if (outputs !== null) return parseOutputs(outputs).map(({ file }) => file);
  return primary === null ? [] : [primary];
}
