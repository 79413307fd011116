import type { ErrorResponse } from '../contract/index.js';
import { AppError, type AppErrorOptions, DatabaseUnavailableError } from '../errors/index.js';

/** Maximum size of a request body. */
export const bodyLimitBytes = 5 * 1024 * 1024;

/** A path contains keys of the client's document, which may be as long as its body. */
const maxPathLength = 1000;

/** An error of the HTTP layer (405, 413, 415, …): code INVALID_REQUEST with a more specific status and headers. */
export class HttpError extends AppError {
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, { headers = {}, ...options }: AppErrorOptions & { message: string; headers?: Record<string, string> }) {
    super('INVALID_REQUEST', { ...options, status });
    this.headers = headers;
  }
}

/** The body of an error response. */
export function describeError(error: AppError): ErrorResponse {
  return { error: { code: error.code, message: error.message, ...(error.path !== undefined && { path: shorten(error.path) }), ...error.fields } };
}

function shorten(path: string): string {
  return path.length <= maxPathLength ? path : `${path.slice(0, maxPathLength - 3)}...`;
}

/** Maps anything thrown, also by Fastify and Node, to an error that clients may see. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof DatabaseUnavailableError) {
    const message = 'The database is not available for now. Send the request again in a few seconds.';
    return new AppError('INTERNAL_ERROR', { status: 503, message, cause: error });
  }
  const { code, statusCode } = readFrameworkError(error);
  const known = frameworkErrors[code];
  if (known !== undefined) return new HttpError(known.status, { message: known.message, cause: error });
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return new AppError('NOT_FOUND', { cause: error });
  if (statusCode >= 400 && statusCode < 500) return new HttpError(statusCode, { message: 'The request is malformed.', cause: error });
  return new AppError('INTERNAL_ERROR', { cause: error });
}

const frameworkErrors: Readonly<Record<string, { status: number; message: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, message: `The request body is larger than ${bodyLimitBytes} bytes.` },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 415, message: 'A request body must be sent with content-type application/json.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { status: 400, message: 'The length of the request body differs from content-length.' },
  FST_ERR_BAD_URL: { status: 400, message: 'The path is not a valid URL path.' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The chunk extensions are too large.' },
};

function readFrameworkError(error: unknown): { code: string; statusCode: number } {
  if (!(error instanceof Error)) return { code: '', statusCode: 500 };
  const { code, statusCode } = error as Error & { code?: unknown; statusCode?: unknown };
  const text = typeof code === 'string' ? code : '';
  // Parser errors of Node's HTTP server have no status.
  const fallback = text.startsWith('HPE_') ? 400 : 500;
  return { code: text, statusCode: typeof statusCode === 'number' ? statusCode : fallback };
}
