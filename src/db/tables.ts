import type { Generated, Selectable } from 'kysely';

/** Schema. Times are ISO 8601 text in UTC, which sorts correctly; money is whole credits. */
export interface Database {
  accounts: AccountTable;
  api_keys: ApiKeyTable;
  ledger_entries: LedgerEntryTable;
  jobs: JobTable;
  provider_purchases: ProviderPurchaseTable;
  webhook_secrets: WebhookSecretTable;
  deliveries: DeliveryTable;
  delivery_attempts: DeliveryAttemptTable;
  templates: TemplateTable;
  idempotency_keys: IdempotencyKeyTable;
  job_counts: JobCountTable;
  probes: ProbeTable;
  tasks: TaskTable;
  render_hosts: RenderHostTable;
}

export interface AccountTable {
  id: string;
  name: string;
  plan: 'free' | 'starter' | 'pro' | 'enterprise';
  /** Set for the enterprise plan only; other plans have fixed limits. */
  requests_per_minute: number | null;
  concurrent_jobs: number | null;
  /** Sum of the account's ledger entries; updated in their transactions. */
  balance: number;
  /** Sequence number of the account's last claim, counted over all accounts; 0 before the first. Orders accounts fairly. */
  last_turn: Generated<number>;
  created_at: string;
}

export interface ApiKeyTable {
  id: string;
  account_id: string;
  mode: 'live' | 'test';
  /** SHA-256 of the key, hex. The key itself is not stored. */
  hash: string;
  prefix: string;
  last_four: string;
  created_at: string;
  revoked_at: string | null;
}

/** Append-only: rows never change. */
export interface LedgerEntryTable {
  seq: Generated<number>;
  account_id: string;
  job_id: string | null;
  kind: 'grant' | 'hold' | 'settle' | 'refund';
  /** Number of a job's settlement, else 0; (job_id, kind, ordinal) is unique. */
  ordinal: number;
  /** Positive is credited, negative debited. */
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
  /** The movie script as accepted, without its `client-data`, JSON. */
  script: string;
  /** The script's `client-data` as JSON; null if it has none. */
  client_data: string | null;
  /** Bytes of `script` and `client_data` of a sandbox job until retention clears them; 0 for live jobs. */
  sandbox_bytes: Generated<number>;
  estimated_credits: number;
  credits_used: number | null;
  /** The part of the charge for provider services: held while the job is open, spent when it has ended. */
  provider_credits: Generated<number>;
  duration_seconds: number | null;
  size_bytes: number | null;
  /** While the job is processed, the name that the primary output would have as an MP4 file. */
  output_name: string | null;
  /** The finished files of a movie with `outputs`, as JSON; null for other movies and until the job is completed. */
  outputs: Generated<string | null>;
  /** When retention removed the output. */
  output_removed_at: Generated<string | null>;
  error_code: string | null;
  error_message: string | null;
  /** JSON array of strings; null until the job is completed. */
  warnings: string | null;
  /** Counted attempts: released ones and those interrupted by a dying service do not count. */
  attempts: number;
  /** How often the service died while rendering the job. */
  interruptions: Generated<number>;
  lease_owner: string | null;
  lease_expires_at: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

/** What a job bought from a provider service; each item once, however many attempts request it. Rows never change. */
export interface ProviderPurchaseTable {
  job_id: string;
  /** Hash of the request. */
  item: string;
  kind: 'speech' | 'image' | 'video' | 'transcription';
  provider: string;
  /** Characters of speech, images, seconds of video, or seconds of transcribed audio. */
  quantity: number;
  /** Price in millionths of a credit; whole credits are charged for the sum of a job. */
  microcredits: number;
  bought_at: string;
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

/** The request and the response of an Idempotency-Key. */
export interface IdempotencyKeyTable {
  account_id: string;
  key: string;
  /** SHA-256 of the request, hex. */
  fingerprint: string;
  job_id: string;
  estimated_credits: number;
  /** Null only within the transaction that accepts the job. */
  credits_remaining: number | null;
  created_at: string;
}

/** Maintained by triggers on `jobs`; never written by code. */
export interface JobCountTable {
  account_id: string;
  status: JobTable['status'];
  jobs: number;
}

export interface ProbeTable {
  name: string;
  written_at: string;
}

/** Signing secrets of an account's webhooks, in plain text because signing needs them. */
export interface WebhookSecretTable {
  id: Generated<number>;
  account_id: string;
  secret: string;
  created_at: string;
  /** When the secret stops signing; null for the current one. */
  retires_at: string | null;
}

/** One per webhook and export target of a job, inserted at submission. The deliveries of one kind of a job are claimed together. */
export interface DeliveryTable {
  id: Generated<number>;
  job_id: string;
  kind: 'webhook' | 'export';
  /** Order of delivery among the job's deliveries of this kind, from 0. */
  ordinal: number;
  account_id: string;
  /** Type of an export target, such as `s3`; `webhook` for webhooks. */
  type: string;
  /** A webhook's URL, or an export target with its credentials as JSON; null once the export has ended. */
  target: string | null;
  /** Host and port of a webhook's URL, for limits per receiver. */
  host: string | null;
  /** `waiting`: the job has not ended. */
  status: 'waiting' | 'pending' | 'delivered' | 'failed';
  /** Runs started since the delivery became due, whether or not their outcome is known. A run of an export has several attempts. */
  runs: Generated<number>;
  next_attempt_at: string | null;
  /** Fencing token: number of claims. Only the latest claim may store an outcome. */
  token: Generated<number>;
  /** Owner of the lease; null without one. */
  holder: string | null;
  /** When the lease expires; its process renews it. */
  lease_expires_at: string | null;
  /** Attempts at the target, stored with the outcome. */
  attempts: Generated<number>;
  location: string | null;
  message: string | null;
  finished_at: string | null;
}

/** Attempts at webhooks. */
export interface DeliveryAttemptTable {
  delivery_id: number;
  /** Fencing token of the claim. */
  number: number;
  started_at: string;
  /** Null while it runs, and forever if the service stopped during it. */
  finished_at: string | null;
  http_status: number | null;
  error: string | null;
}

/** A step of a distributed movie that any host may claim. Only on PostgreSQL. Times are compared by the server's clock. */
export interface TaskTable {
  id: Generated<number>;
  job_id: string;
  account_id: string;
  /** Index of the segment; -1 for the movie itself, which has one task from its submission to its end. */
  segment: number;
  /** `stitch` also while segments are open; `cleanup`: the job has ended, and its objects are to be deleted. */
  kind: 'plan' | 'segment' | 'stitch' | 'cleanup';
  /** Group of the hosts that may claim it; empty for any host. */
  host_group: Generated<string>;
  /** Run of a segment. */
  run: string | null;
  /** Start tag of the fair queue: the lowest is claimed first. */
  tag: number;
  /** Credits of the movie; a segment's share is not stored. */
  cost: number;
  /** A segment's plan as JSON. */
  plan: string | null;
  /** Segments that a movie waits for. It cannot be claimed before this is 0. */
  open_segments: Generated<number>;
  ready_at: Generated<Date>;
  /** Fencing token: unique for each claim. Only its owner may end the task. Null if no host has it. */
  claim: string | null;
  /** When the claim expires; its host renews it. */
  lease_expires_at: Date | null;
  /** Counted attempts that failed. */
  failures: Generated<number>;
  /** How often a host was lost that had claimed it. */
  host_losses: Generated<number>;
}

/** A host of the render farm. Only on PostgreSQL. */
export interface RenderHostTable {
  id: string;
  host_group: string;
  /** What it reports about itself, JSON. */
  host: string;
  /** Time of the last heartbeat, by the server's clock. */
  seen_at: Date;
  /** It takes no more tasks. */
  has_left: Generated<boolean>;
}

export type AccountRow = Selectable<AccountTable>;
export type LedgerEntryRow = Selectable<LedgerEntryTable>;
export type JobRow = Selectable<JobTable>;
export type ProviderPurchaseRow = Selectable<ProviderPurchaseTable>;
export type TemplateRow = Selectable<TemplateTable>;
export type DeliveryRow = Selectable<DeliveryTable>;
export type DeliveryAttemptRow = Selectable<DeliveryAttemptTable>;
export type ApiKeyRow = Selectable<ApiKeyTable>;
