import type { PublicErrorCode } from '../contract/index.js';
import { errorTable } from './error-table.js';

export interface AppErrorOptions {
  /** Public text; default: the table's. Says what failed, where, and what is allowed. */
  message?: string;
  /** Dotted path to the field, for validation errors; empty string for the root. */
  path?: string;
  /** Further public fields of the error body, e.g. required and balance. */
  fields?: Record<string, number | string>;
  /** For the log only: library texts, local paths. */
  detail?: string;
  cause?: unknown;
  /** Where HTTP has a more exact one than the table; default: the table's. */
  status?: number;
}

/** An error a client may see. Everything else that is thrown becomes INTERNAL_ERROR in the one mapper. */
export class AppError extends Error {
  readonly code: PublicErrorCode;
  readonly path: string | undefined;
  readonly fields: Readonly<Record<string, number | string>>;
  readonly detail: string | undefined;
  readonly #status: number | undefined;

  constructor(code: PublicErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? errorTable[code].message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.path = options.path;
    this.fields = options.fields ?? {};
    this.detail = options.detail;
    this.#status = options.status;
  }

  get status(): number {
    return this.#status ?? errorTable[this.code].status;
  }

  get retryable(): boolean {
    return errorTable[this.code].retryable;
  }
}
