/**
 * The database cannot be reached or is blocked for now, so that the same work may succeed later: refused, cut or exhausted connections,
 * a server that starts or stops, a lock or time limit. Whether a commit that failed so took place is unknown.
 */
export class DatabaseUnavailableError extends Error {
  constructor(cause: unknown) {
    super(`The database is not available: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'DatabaseUnavailableError';
  }
}
