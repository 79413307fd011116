import { readFile } from 'node:fs/promises';
import { AppError, type PublicErrorCode } from '../errors/index.js';

export interface MovieErrorLocation {
  path?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
  cause?: unknown;
}

/** The movie script is missing or invalid: exit code 3. */
export class MovieError extends AppError {
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(code: PublicErrorCode, message: string, { path, line, column, cause }: MovieErrorLocation = {}) {
    super(code, { message, cause, ...(path !== undefined && { path }) });
    this.name = 'MovieError';
    this.line = line;
    this.column = column;
  }
}

/** A movie script file. */
export interface MovieFile {
  path: string;
  text: string;
  script: unknown;
  /** Adds file, line and column of the field that an error names; returns other errors unchanged. */
  locateError(error: unknown): Promise<unknown>;
}

/** Loaded only for errors: a cached frame does not need the script parser. */
const loadLocator = () => import('../script/index.js');

/** Reads and parses a movie script. Throws MovieError if the file is missing or not JSON. */
export async function openMovieFile(path: string): Promise<MovieFile> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new MovieError('INVALID_REQUEST', `${path} cannot be read (${cause.code}).`, { cause });
  });
  return { path, text, script: await parse(path, text), locateError: (error) => locateError(path, text, error) };
}

async function parse(path: string, text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { findSyntaxError } = await loadLocator();
    const found = findSyntaxError(text, 'the file');
    const location = found === undefined ? path : `${path}:${found.line}:${found.column}`;
    const message = `${location} is not valid JSON: ${found?.message ?? String(cause)}.`;
    throw new MovieError('INVALID_JSON', message, { cause, line: found?.line, column: found?.column });
  }
}

/** A missing field is located at its nearest existing parent. */
async function locateError(path: string, text: string, error: unknown): Promise<unknown> {
  if (!(error instanceof AppError) || error instanceof MovieError) return error;
  const field = error.path;
  if (field === undefined) return error;
  const { locateValues, locationAt } = await loadLocator();
  const { values } = locateValues(text);
  let at = field;
  while (!values.has(at) && at !== '') at = at.includes('.') ? at.slice(0, at.lastIndexOf('.')) : '';
  const { line, column } = locationAt(text, values.get(at) ?? 0);
  const message = `${path}:${line}:${column}: ${error.message.includes(field) ? error.message : `${field}: ${error.message}`}`;
  if (error.code === 'SCHEMA_VALIDATION_ERROR') return new MovieError(error.code, message, { path: field, line, column, cause: error });
  return new AppError(error.code, { message, path: field, cause: error });
}

/** Calls `use` with the script of a file. Errors about the script get file, line and column. */
export async function withMovieFile<T>(path: string, use: (script: unknown, text: string) => Promise<T>): Promise<T> {
  const file = await openMovieFile(path);
  try {
    return await use(file.script, file.text);
  } catch (error) {
    throw await file.locateError(error);
  }
}
