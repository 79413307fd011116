import { AppError, engineErrorTable } from '../errors/index.js';

/** Error reported by the engine, in-process or out of process. */
export interface EngineError {
  /** A key of `engine` in schema/error-codes.json. */
  code: string;
  message: string;
  detail: string;
}

/** Maps an engine error to the AppError that schema/error-codes.json assigns to it. */
export function toAppError(error: EngineError): AppError {
  const code = engineErrorTable[error.code] ?? 'INTERNAL_ERROR';
  const detail = `${error.code}: ${error.message}${error.detail === '' ? '' : ` [${error.detail}]`}`;
  // Messages of internal errors describe this host, not the client's movie.
  if (code === 'INTERNAL_ERROR') return new AppError(code, { detail, cause: error });
  // The engine starts a message about a source with the source's label, the path of an element.
  const path = /^((?:scenes|elements)\.[^\s:]*): /.exec(error.message)?.[1];
  return new AppError(code, { detail, cause: error, message: error.message, ...(path !== undefined && { path }) });
}

/** Engine error code (`engine` in schema/error-codes.json) of an error that an engine call threw; undefined for other errors. */
export function engineCodeOf(error: unknown): string | undefined {
  return error instanceof AppError ? /^([A-Z_]+): /.exec(error.detail ?? '')?.[1] : undefined;
}
