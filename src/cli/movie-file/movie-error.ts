import { AppError, type PublicErrorCode } from '../../errors/index.js';

export interface MovieErrorFacts {
  path?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
  cause?: unknown;
}

/** The movie script is wrong, or is not there: exit code 3. */
export class MovieError extends AppError {
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(code: PublicErrorCode, message: string, { path, line, column, cause }: MovieErrorFacts = {}) {
    super(code, { message, cause, ...(path !== undefined && { path }) });
    this.name = 'MovieError';
    this.line = line;
    this.column = column;
  }
}
