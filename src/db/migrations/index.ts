import type { Kysely } from 'kysely';
import { addAccountLastTurn } from './account-last-turn.js';
import { createAccounts } from './accounts.js';
import { createDeliveries } from './deliveries.js';
import { createExportDeliveries } from './export-deliveries.js';
import { createExportHolds } from './export-holds.js';
import { createIdempotencyKeys } from './idempotency.js';
import { addJobClientEcho } from './job-client-echo.js';
import { createJobCounts } from './job-counts.js';
import { addJobInterruptions } from './job-interruptions.js';
import { addJobOutputs } from './job-outputs.js';
import { createJobs } from './jobs.js';
import { createLedger } from './ledger.js';
import { createProbe } from './probe.js';
import { createProviderPurchases } from './provider-purchases.js';
import { addRemovedOutputs } from './removed-outputs.js';
import { addSandboxBytes } from './sandbox-bytes.js';
import { createTasks } from './tasks.js';
import { createTemplates } from './templates.js';
import { createWebhooks } from './webhooks.js';

/** A schema change. */
export interface Migration {
  /** Stored in the database; never changes after a release. */
  name: string;
  up(db: Kysely<unknown>): Promise<void>;
}

/** All migrations in order. New ones are appended. */
export const migrations: readonly Migration[] = [
  { name: '001-accounts', up: createAccounts },
  { name: '002-jobs', up: createJobs },
  { name: '003-ledger', up: createLedger },
  { name: '004-webhooks', up: createWebhooks },
  { name: '005-export-deliveries', up: createExportDeliveries },
  { name: '006-templates', up: createTemplates },
  { name: '007-idempotency', up: createIdempotencyKeys },
  { name: '008-job-counts', up: createJobCounts },
  { name: '009-probe', up: createProbe },
  { name: '010-job-interruptions', up: addJobInterruptions },
  { name: '011-job-client-echo', up: addJobClientEcho },
  { name: '012-removed-outputs', up: addRemovedOutputs },
  { name: '013-export-holds', up: createExportHolds },
  { name: '014-account-turns', up: addAccountLastTurn },
  { name: '015-provider-purchases', up: createProviderPurchases },
  { name: '016-deliveries', up: createDeliveries },
  { name: '017-sandbox-bytes', up: addSandboxBytes },
  { name: '018-tasks', up: createTasks },
  { name: '019-job-outputs', up: addJobOutputs },
];
