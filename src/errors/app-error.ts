import type { PublicErrorCode } from '../contract/index.js';
import { errorTable } from './error-table.js';

export interface AppErrorOptions {
  /** Public message: what failed, where, and what is allowed; default: the message of the error table. */
  message?: string;
  /** Dotted path of the invalid field; empty for the root. */
  path?: string;
  /** Additional public fields of the error body, such as required and balance. */
  fields?: Record<string, number | string>;
  /** Private text for the log, such as library messages and local paths. */
  detail?: string;
  cause?: unknown;
  /** HTTP status; default: the status of the error table. */
  status?: number;
}

/** An error that clients may see. Anything else thrown is answered as INTERNAL_ERROR. */
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
}
