import type { ErrorResponse, Job } from '../contract/index.js';

/**
 * Codes of the service, and the client's own: CONNECTION_FAILED (no answer, or it broke off), UNEXPECTED_ANSWER (something
 * between here and the service answered, or it is none), OUTPUT_UNAVAILABLE (a finished film that cannot be had),
 * WEBHOOK_REFUSED (a request that the service has not signed, or not lately).
 */
export type ErrorCode = ErrorResponse['error']['code'] | 'CONNECTION_FAILED' | 'UNEXPECTED_ANSWER' | 'OUTPUT_UNAVAILABLE' | 'WEBHOOK_REFUSED';

export interface ErrorFacts {
  /** Dotted path of the field that is wrong; empty for the whole body. */
  path?: string | undefined;
  /** Of the HTTP answer. */
  status?: number | undefined;
  /** Seconds after which it may be tried again. */
  retryAfter?: number | undefined;
  /** With INSUFFICIENT_CREDITS: what the render costs. */
  required?: number | undefined;
  /** With INSUFFICIENT_CREDITS: what the account has. */
  balance?: number | undefined;
  /** The job that failed, or whose end is not known. */
  job?: Job | undefined;
  jobId?: string | undefined;
  cause?: unknown;
}

/** The one error that the client throws; a call that is aborted throws the reason of its signal. */
export class FramewrightError extends Error {
  override readonly name = 'FramewrightError';
  readonly code: ErrorCode;
  readonly path: string | undefined;
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;
  readonly required: number | undefined;
  readonly balance: number | undefined;
  readonly job: Job | undefined;
  readonly jobId: string | undefined;

  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.path = facts.path;
    this.status = facts.status;
    this.retryAfter = facts.retryAfter;
    this.required = facts.required;
    this.balance = facts.balance;
    this.job = facts.job;
    this.jobId = facts.jobId ?? facts.job?.job_id;
  }
}
