import { AppError, engineErrorTable } from '../errors/index.js';

/** As the engine tells it, whether it is in this process or in one of its own. */
export interface EngineError {
  /** Of schema/error-codes.json, engine. */
  code: string;
  message: string;
  detail: string;
}

export function toAppError(error: EngineError): AppError {
  const code = engineErrorTable[error.code] ?? 'INTERNAL_ERROR';
  const detail = `${error.code}: ${error.message}${error.detail === '' ? '' : ` [${error.detail}]`}`;
  // Texts of internal errors speak of this host, not of the client's movie.
  return new AppError(code, { detail, cause: error, ...(code === 'INTERNAL_ERROR' ? {} : { message: error.message }) });
}

/** The engine's own code (schema/error-codes.json, engine) of an error that its calls threw. */
export function engineCodeOf(error: unknown): string | undefined {
  return error instanceof AppError ? /^([A-Z_]+): /.exec(error.detail ?? '')?.[1] : undefined;
}
