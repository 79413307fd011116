import type * as Contract from '../contract/index.js';

/** State of a job. */
export type JobStatus = Contract.Job['status'];
export const jobStatuses: readonly JobStatus[] = ['queued', 'processing', 'completed', 'failed'];

/** A job as its owner sees it. Times are ISO 8601, UTC. */
export interface Job {
  id: string;
  accountId: string;
  status: JobStatus;
  /** 0..1 */
  progress: number;
  stage: string | null;
  estimatedCredits: number;
  /** Null until the job is completed or failed. */
  creditsUsed: number | null;
  /** The part for provider services: of the hold while the job is open, of the charge when it has ended. */
  providerCredits: number;
  durationSeconds: number | null;
  sizeBytes: number | null;
  /** Name in storage; null unless the job is completed and retention has not removed the file. */
  outputName: string | null;
  /** The files of a movie with `outputs`, in the script's order; empty for other movies and where `outputName` is null. */
  outputs: readonly FinishedOutput[];
  /** When retention removed the file. */
  outputRemovedAt: string | null;
  /** Messages on parts of the movie that could not be rendered as written. */
  warnings: readonly string[];
  failure: JobFailure | null;
  createdAt: string;
  /** Start of the last attempt. */
  startedAt: string | null;
  /** When the job was completed or failed. */
  finishedAt: string | null;
}

/** A file that a job has made. */
export interface FinishedOutput {
  /** As in the script. */
  name: string;
  format: Contract.JobOutput['format'];
  /** Name in storage; `folder/file` for an output of several files. */
  file: string;
  mimeType: string;
  /** Of all its files. */
  sizeBytes: number;
  /** Pixels; absent for audio and captions. */
  width?: number;
  height?: number;
  /** Absent for stills. */
  durationSeconds?: number;
  /** Hash of the file's bytes, in hex. */
  sha256: string;
  /** Whether it is a sequence of stills in a ZIP file. */
  sequence?: boolean;
}

/** Why a job failed; both fields are public. */
export type JobFailure = Contract.JobError;

/** Public error codes that a job can fail with. */
export type FailureCode = JobFailure['code'];
