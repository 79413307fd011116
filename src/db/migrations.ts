import type { Kysely } from 'kysely';
import { addAccountTurns } from './steps/account-turns.js';
import { createAccounts } from './steps/accounts.js';
import { createExportDeliveries } from './steps/export-deliveries.js';
import { createExportHolds } from './steps/export-holds.js';
import { createIdempotencyKeys } from './steps/idempotency.js';
import { addJobClientEcho } from './steps/job-client-echo.js';
import { createJobCounts } from './steps/job-counts.js';
import { addJobInterruptions } from './steps/job-interruptions.js';
import { createJobs } from './steps/jobs.js';
import { createLedger } from './steps/ledger.js';
import { createProbe } from './steps/probe.js';
import { addRemovedOutputs } from './steps/removed-outputs.js';
import { createTemplates } from './steps/templates.js';
import { createWebhooks } from './steps/webhooks.js';

export interface Migration {
  /** Never renamed once released: the database remembers it. */
  name: string;
  up(db: Kysely<unknown>): Promise<void>;
}

/** In order; only ever appended to. */
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
  { name: '014-account-turns', up: addAccountTurns },
];
