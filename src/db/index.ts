export type { Kysely, Transaction } from 'kysely';
export { CommitGroup } from './commit-group.js';
export { forgetDeleted } from './forget-deleted.js';
export { migrate } from './migrate.js';
export type { Migration } from './migrations.js';
export { migrations } from './migrations.js';
export type { DatabasePlace } from './open-database.js';
export { openDatabase } from './open-database.js';
export type { Slot } from './prepared-query.js';
export { PreparedQuery } from './prepared-query.js';
export type {
  AccountRow,
  ApiKeyRow,
  Database,
  ExportDeliveryRow,
  JobRow,
  LedgerEntryRow,
  NewJobRow,
  TemplateRow,
  WebhookAttemptRow,
  WebhookDeliveryRow,
} from './tables.js';
