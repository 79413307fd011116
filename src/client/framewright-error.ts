import type { Job, PublicErrorCode } from '../contract/index.js';

/**
 * Codes of the service and of the client: CONNECTION_FAILED (no or an incomplete response), UNEXPECTED_ANSWER (a response that is not
 * from the service, such as a proxy's), OUTPUT_UNAVAILABLE (the video cannot be downloaded), WEBHOOK_REFUSED (a webhook without a valid
 * or recent signature).
 */
export type ErrorCode = PublicErrorCode | 'CONNECTION_FAILED' | 'UNEXPECTED_ANSWER' | 'OUTPUT_UNAVAILABLE' | 'WEBHOOK_REFUSED';

/** Details of a FramewrightError. */
export interface ErrorDetails {
  /** Dotted path of the invalid field; empty for the whole body. */
  path?: string | undefined;
  /** HTTP status of the response. */
  status?: number | undefined;
  /** Seconds to wait before a retry. */
  retryAfter?: number | undefined;
  /** With INSUFFICIENT_CREDITS: cost of the render; with PROVIDER_LIMIT_EXCEEDED: cost of its provider services. */
  required?: number | undefined;
  /** With INSUFFICIENT_CREDITS: balance of the account. */
  balance?: number | undefined;
  /** With PROVIDER_LIMIT_EXCEEDED: credits that the account may spend on provider services within 24 hours. */
  limit?: number | undefined;
  /** With PROVIDER_LIMIT_EXCEEDED: credits of these that are spent or reserved. */
  used?: number | undefined;
  /** The job that failed. */
  job?: Job | undefined;
  jobId?: string | undefined;
  cause?: unknown;
}

/** The only error class of the client. An aborted call rejects with the reason of its signal instead. */
export class FramewrightError extends Error {
  override readonly name = 'FramewrightError';
  readonly code: ErrorCode;
  readonly path: string | undefined;
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;
  readonly required: number | undefined;
  readonly balance: number | undefined;
  readonly limit: number | undefined;
  readonly used: number | undefined;
  readonly job: Job | undefined;
  readonly jobId: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.path = details.path;
    this.status = details.status;
    this.retryAfter = details.retryAfter;
    this.required = details.required;
    this.balance = details.balance;
    this.limit = details.limit;
    this.used = details.used;
    this.job = details.job;
    this.jobId = details.jobId ?? details.job?.job_id;
  }
}
