export { AppError } from './app-error.js';
export type { AppErrorOptions } from './app-error.js';
export { engineErrorTable, errorTable } from './error-table.js';
export type { ErrorRow, PublicErrorCode } from './error-table.js';
