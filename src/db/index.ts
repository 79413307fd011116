export type { Kysely, Transaction } from 'kysely';
export { createDatabaseClock } from './database-clock.js';
export { truncateWal } from './dialects.js';
export { GroupCommit } from './group-commit.js';
export { lockAccount, lockFreeJobs, lockRows } from './locks.js';
export { migrate } from './migrate.js';
export type { Migration } from './migrations/index.js';
export { migrations } from './migrations/index.js';
export type { DatabaseLocation } from './open-database.js';
export { openDatabase } from './open-database.js';
export type { Param } from './prepared-query.js';
export { PreparedQuery } from './prepared-query.js';
export type {
  AccountRow,
  ApiKeyRow,
  Database,
  DeliveryAttemptRow,
  DeliveryRow,
  JobRow,
  LedgerEntryRow,
  NewJobRow,
  ProviderPurchaseRow,
  TemplateRow,
} from './tables.js';
