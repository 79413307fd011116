import { AppError, isDatabaseUnavailable } from '../errors/index.js';

import { Refusal } from './refusal.js';

export interface ErrorBody {
  error: { code: string; message: string; path?: string; [field: string]: string | number | undefined };
}

export const bodyLimitBytes = 5 * 1024 * 1024;

/** A path holds the names of keys, which are the client's own and may be as long as its body. */
const maxPathLength = 1000;

export function describeError(error: AppError): ErrorBody {
  return { error: { code: error.code, message: error.message, ...(error.path !== undefined && { path: shortened(error.path) }), ...error.fields } };
}

function shortened(path: string): string {
  return path.length <= maxPathLength ? path : `${path.slice(0, maxPathLength - 3)}...`;
}

/** The one place where anything that was thrown becomes an error that a client may see. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseUnavailable(error)) {
    return new AppError('INTERNAL_ERROR', {
      status: 503,
      message: 'The database is not available for now. Send the request again in a few seconds.',
      cause: error,
    });
  }
  const { code, statusCode } = readFrameworkError(error);
  const known = frameworkRefusals[code];
  if (known !== undefined) return new Refusal(known.status, { message: known.message, cause: error });
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return new AppError('NOT_FOUND', { cause: error });
  if (statusCode >= 400 && statusCode < 500) return new Refusal(statusCode, { message: 'The request is malformed.', cause: error });
  return new AppError('INTERNAL_ERROR', { cause: error });
}

const frameworkRefusals: Readonly<Record<string, { status: number; message: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, message: `The request body is larger than ${bodyLimitBytes} bytes.` },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 415, message: 'A request body must be sent with content-type application/json.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { status: 400, message: 'The request body is not as long as content-length says.' },
  FST_ERR_BAD_URL: { status: 400, message: 'The path is not a valid URL path.' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The chunk extensions are too large.' },
};

function readFrameworkError(error: unknown): { code: string; statusCode: number } {
  if (!(error instanceof Error)) return { code: '', statusCode: 500 };
  const { code, statusCode } = error as Error & { code?: unknown; statusCode?: unknown };
  const text = typeof code === 'string' ? code : '';
  // A parser error of Node's HTTP server carries no status.
  const fallback = text.startsWith('HPE_') ? 400 : 500;
  return { code: text, statusCode: typeof statusCode === 'number' ? statusCode : fallback };
}
