import type { PublicErrorCode } from '../errors/index.js';

export type JobStatus = 'queued' | 'processing' | 'completed' | 'failed';
export const jobStatuses: readonly JobStatus[] = ['queued', 'processing', 'completed', 'failed'];

/** A job as its owner may see it. */
export interface Job {
  id: string;
  accountId: string;
  status: JobStatus;
  /** 0..1 */
  progress: number;
  stage: string | null;
  estimatedCredits: number;
  /** Known once the job is completed or failed. */
  creditsUsed: number | null;
  durationSeconds: number | null;
  sizeBytes: number | null;
  /** Name in storage; set while the job is completed and its file is kept. */
  outputName: string | null;
  /** When the file was removed because its time had passed. */
  outputRemovedAt: string | null;
  /** What the film lacks although it was made, in words. */
  warnings: readonly string[];
  failure: JobFailure | null;
  createdAt: string;
  /** When the last attempt began. */
  startedAt: string | null;
  /** When it was completed or failed. */
  finishedAt: string | null;
}

export interface JobFailure {
  code: FailureCode;
  message: string;
}

export type FailureCode = Extract<PublicErrorCode, 'RENDER_FAILED' | 'INTERNAL_ERROR'>;
