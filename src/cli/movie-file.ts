import { readFile } from 'node:fs/promises';
import { AppError, type PublicErrorCode } from '../errors/index.js';

export interface MovieErrorLocation {
  path?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
  cause?: unknown;
}

/** The movie script is wrong, or is not there: exit code 3. */
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

/** A movie script on disk. */
export interface MovieFile {
  path: string;
  text: string;
  script: unknown;
  /** The same error, as one of this file: with the line of the field that it names. */
  placed(error: unknown): Promise<unknown>;
}

/** Loaded for what is wrong: a script that was drawn before is read by nothing else of it. */
const readPlaces = () => import('../script/index.js');

/** Throws MovieError for a file that is not there or not JSON. */
export async function openMovieFile(path: string): Promise<MovieFile> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new MovieError('INVALID_REQUEST', `${path} cannot be read (${cause.code}).`, { cause });
  });
  return { path, text, script: await parse(path, text), placed: (error) => placed(path, text, error) };
}

async function parse(path: string, text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { findSyntaxError } = await readPlaces();
    const fault = findSyntaxError(text, 'the file');
    throw new MovieError(
      'INVALID_JSON',
      `${fault === undefined ? path : `${path}:${fault.line}:${fault.column}`} is not valid JSON: ${fault?.message ?? String(cause)}.`,
      {
        cause,
        line: fault?.line,
        column: fault?.column,
      },
    );
  }
}

/** The nearest thing that is there stands for one that is missing. */
async function placed(path: string, text: string, error: unknown): Promise<unknown> {
  if (!(error instanceof AppError) || error instanceof MovieError) return error;
  const field = error.path;
  if (field === undefined) return error;
  const { locateValues, locationAt } = await readPlaces();
  const { values } = locateValues(text);
  let at = field;
  while (!values.has(at) && at !== '') at = at.includes('.') ? at.slice(0, at.lastIndexOf('.')) : '';
  const { line, column } = locationAt(text, values.get(at) ?? 0);
  const message = `${path}:${line}:${column}: ${error.message.includes(field) ? error.message : `${field}: ${error.message}`}`;
  if (error.code === 'SCHEMA_VALIDATION_ERROR') return new MovieError(error.code, message, { path: field, line, column, cause: error });
  return new AppError(error.code, { message, path: field, cause: error });
}

/** Runs `act` with the script of a file; what is wrong with the script is told with its line. */
export async function withMovieFile<T>(path: string, act: (script: unknown, text: string) => Promise<T>): Promise<T> {
  const file = await openMovieFile(path);
  try {
    return await act(file.script, file.text);
  } catch (error) {
    throw await file.placed(error);
  }
}
