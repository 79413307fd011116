export type { AppErrorOptions } from './app-error.js';
export { AppError } from './app-error.js';
export { isDatabaseUnavailable } from './database-unavailable.js';
export type { ErrorRow, PublicErrorCode } from './error-table.js';
export { engineErrorTable, errorTable } from './error-table.js';
export { formatProblem, type Problem, problemOf, withPath } from './problem.js';
