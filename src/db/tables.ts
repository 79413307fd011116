import type { Generated, Insertable, Selectable } from 'kysely';

/** Times are ISO 8601 text in UTC (they sort as text in every database); money is whole credits. */
export interface Database {
  accounts: AccountTable;
  api_keys: ApiKeyTable;
  ledger_entries: LedgerEntryTable;
  jobs: JobTable;
  webhook_secrets: WebhookSecretTable;
  webhook_deliveries: WebhookDeliveryTable;
  webhook_attempts: WebhookAttemptTable;
  export_deliveries: ExportDeliveryTable;
  export_holds: ExportHoldTable;
  templates: TemplateTable;
  idempotency_keys: IdempotencyKeyTable;
  job_counts: JobCountTable;
  probes: ProbeTable;
}

export interface AccountTable {
  id: string;
  name: string;
  plan: 'free' | 'starter' | 'pro' | 'enterprise';
  /** Only for enterprise; the other plans have fixed limits. */
  requests_per_minute: number | null;
  concurrent_jobs: number | null;
  /** Always the sum of the account's ledger entries; written in the same transaction as they are. */
  balance: number;
  /** Number of its job that was taken last, counted over all accounts; 0 before the first. */
  last_turn: Generated<number>;
  created_at: string;
}

export interface ApiKeyTable {
  id: string;
  account_id: string;
  mode: 'live' | 'test';
  /** SHA-256 of the whole key, hex. The key itself is never stored. */
  hash: string;
  prefix: string;
  last_four: string;
  created_at: string;
  revoked_at: string | null;
}

/** Append-only: no row is ever changed or deleted. */
export interface LedgerEntryTable {
  seq: Generated<number>;
  account_id: string;
  job_id: string | null;
  kind: 'grant' | 'hold' | 'settle' | 'refund';
  /** 0 except for a job's later settlements; (job_id, kind, ordinal) is unique. */
  ordinal: number;
  /** Positive: to the account. Negative: from it. */
  amount: number;
  created_at: string;
}

export interface JobTable {
  /** Order of submission. */
  seq: Generated<number>;
  id: string;
  account_id: string;
  mode: 'live' | 'test';
  status: 'queued' | 'processing' | 'completed' | 'failed';
  progress: number;
  stage: string | null;
  /** The movie script as accepted, JSON. */
  script: string;
  /** JSON of the script's client-data; null without. */
  client_data: string | null;
  estimated_credits: number;
  credits_used: number | null;
  duration_seconds: number | null;
  size_bytes: number | null;
  output_name: string | null;
  /** When the file was removed because its time had passed. */
  output_removed_at: Generated<string | null>;
  error_code: string | null;
  error_message: string | null;
  /** JSON array of texts; null until the job is completed. */
  warnings: string | null;
  /** Render processes that took it up and neither gave it back nor lost it to a death of the service. */
  attempts: number;
  /** How often the service died while it had the job in hand. */
  interruptions: Generated<number>;
  lease_owner: string | null;
  lease_expires_at: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

export interface TemplateTable {
  /** Order of creation. */
  seq: Generated<number>;
  id: string;
  account_id: string;
  name: string;
  /** A movie script with placeholders, JSON. */
  script: string;
  /** 0 or 1: SQLite has no booleans. */
  is_public: number;
  created_at: string;
  updated_at: string;
}

/** What a client's Idempotency-Key stood for, and what was answered. */
export interface IdempotencyKeyTable {
  account_id: string;
  key: string;
  /** SHA-256 of the request, hex. */
  fingerprint: string;
  job_id: string;
  estimated_credits: number;
  /** Null only inside the transaction that accepts the job. */
  credits_remaining: number | null;
  created_at: string;
}

/** Kept by triggers on jobs; never written by code. */
export interface JobCountTable {
  account_id: string;
  status: JobTable['status'];
  jobs: number;
}

export interface ProbeTable {
  name: string;
  written_at: string;
}

/** What an account's webhooks are signed with. Signing needs the secret itself, so it is kept as it is. */
export interface WebhookSecretTable {
  id: Generated<number>;
  account_id: string;
  secret: string;
  created_at: string;
  /** Null: the current one. Others sign beside it until then. */
  retires_at: string | null;
}

/** One per job whose script has a webhook_uri, from its submission on. */
export interface WebhookDeliveryTable {
  job_id: string;
  account_id: string;
  url: string;
  /** Host and port of the URL, for the limits per receiver. */
  host: string;
  /** Waiting: the job has not ended. */
  status: 'waiting' | 'pending' | 'delivered' | 'abandoned';
  /** Attempts begun, whether or not their outcome is known. */
  attempts: number;
  next_attempt_at: string | null;
}

export interface WebhookAttemptTable {
  job_id: string;
  number: number;
  started_at: string;
  /** Null while it runs, and for ever when the service stopped meanwhile. */
  finished_at: string | null;
  http_status: number | null;
  error: string | null;
}

/** One per export target of a job, from its submission on. */
export interface ExportDeliveryTable {
  job_id: string;
  /** Order of delivery, from 0. */
  ordinal: number;
  account_id: string;
  type: string;
  /** The target with its secrets, JSON; null as soon as it is decided. */
  target: string | null;
  /** Waiting: the job has not ended. */
  status: 'waiting' | 'pending' | 'delivered' | 'failed';
  /** How often the service has set about it; tries within a run are not counted here. */
  runs: number;
  attempts: number;
  location: string | null;
  message: string | null;
  finished_at: string | null;
}

/** While a process delivers a job's exports. */
export interface ExportHoldTable {
  job_id: string;
  held_by: string;
  /** It counts until then; its process moves this on. */
  held_until: string;
}

export type AccountRow = Selectable<AccountTable>;
export type ApiKeyRow = Selectable<ApiKeyTable>;
export type LedgerEntryRow = Selectable<LedgerEntryTable>;
export type JobRow = Selectable<JobTable>;
export type TemplateRow = Selectable<TemplateTable>;
export type NewJobRow = Insertable<JobTable>;
export type WebhookDeliveryRow = Selectable<WebhookDeliveryTable>;
export type WebhookAttemptRow = Selectable<WebhookAttemptTable>;
export type ExportDeliveryRow = Selectable<ExportDeliveryTable>;
