export type { Kysely, Transaction } from 'kysely';
export { BatchedLookup } from './batched-lookup.js';
export { createDatabaseClock } from './database-clock.js';
export { isOneOf, isPostgres, listParameter, truncateWal } from './dialects.js';
export type { GroupOutcome } from './group-commit.js';
export { GroupCommit } from './group-commit.js';
export type { LockedAccount } from './locks.js';
export { isLockTimeout, limitLockWaits, lockAccount, lockAccounts, lockFreeJobs, lockRows } from './locks.js';
export { migrate } from './migrate.js';
export type { Migration } from './migrations/index.js';
export { migrations } from './migrations/index.js';
export type { DatabaseLocation } from './open-database.js';
export { openDatabase, openNotifications } from './open-database.js';
export type { NotificationReceiver, Notifications } from './postgres/notifications.js';
export type { Param } from './prepared-query.js';
export { PreparedInsert, PreparedQuery } from './prepared-query.js';
export type {
  AccountRow,
  ApiKeyRow,
  Database,
  DeliveryAttemptRow,
  DeliveryRow,
  JobRow,
  LedgerEntryRow,
  ProviderPurchaseRow,
  TemplateRow,
} from './tables.js';
