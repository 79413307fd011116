import type { Generated, Insertable, Selectable } from 'kysely';

/** Times are ISO 8601 text in UTC (they sort as text in every database); money is whole credits. */
export interface Database {
  accounts: AccountTable;
  api_keys: ApiKeyTable;
  ledger_entries: LedgerEntryTable;
  jobs: JobTable;
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
  estimated_credits: number;
  credits_used: number | null;
  duration_seconds: number | null;
  size_bytes: number | null;
  output_name: string | null;
  error_code: string | null;
  error_message: string | null;
  /** JSON array of texts for the operator. */
  warnings: string | null;
  attempts: number;
  lease_owner: string | null;
  lease_expires_at: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

export type AccountRow = Selectable<AccountTable>;
export type ApiKeyRow = Selectable<ApiKeyTable>;
export type LedgerEntryRow = Selectable<LedgerEntryTable>;
export type JobRow = Selectable<JobTable>;
export type NewJobRow = Insertable<JobTable>;
