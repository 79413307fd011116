export type { PublicErrorCode } from '../contract/index.js';
export { AppError, type AppErrorOptions } from './app-error.js';
export { DatabaseUnavailableError } from './database-unavailable.js';
export { engineErrorTable, errorTable } from './error-table.js';
export { formatProblem, type Problem, problemOf, withPath } from './problem.js';
