import type { JobStore, Log } from '../../jobs/index.js';
import type { Outbound } from '../../outbound/index.js';
import { type AttemptOutcome, sendWebhook, type WebhookSecretStore, webhookBody, webhookId } from '../webhooks/index.js';
import type { RecordOutcome, Sender } from './delivery-runner.js';
import type { Claim, ClaimPolicy } from './delivery-store.js';

/** Dependencies and settings of `WebhookSender`. */
export interface WebhookSenderOptions {
  secrets: WebhookSecretStore;
  jobs: Pick<JobStore, 'find'>;
  outbound: Pick<Outbound, 'send' | 'checkUrl'>;
  outputUri: (outputName: string) => string;
  /** Delays before the second and each further attempt. */
  retryDelaysMs: readonly number[];
  /** Called after each attempt. */
  onAttempt?: (result: 'delivered' | 'failed') => void;
  clock: { now(): number };
  log: Log;
  /** Time limit from connecting to receiving the status; default 15 s. */
  timeoutMs?: number | undefined;
  /** Added to the timeout: how long persisting the outcome of an attempt may take; default 5 s. */
  persistMarginMs?: number | undefined;
}

/** Signs webhooks and sends them, one attempt per run. */
export class WebhookSender implements Sender {
  readonly #options: WebhookSenderOptions;
  readonly #timeoutMs: number;
  readonly policy: ClaimPolicy;
  // The limit per account prevents one with many hanging receivers from blocking the others.
  readonly limits = { total: 32, perAccount: 16, perHost: 2 };
  readonly countsStoppedRuns = true;

  constructor(options: WebhookSenderOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? 15_000;
    this.policy = {
      kind: 'webhook',
      leaseMs: this.#timeoutMs + (options.persistMarginMs ?? 5000),
      maxRuns: options.retryDelaysMs.length + 1,
      exhaustedMessage: 'the outcome of the last attempt is unknown',
      retryDelaysMs: options.retryDelaysMs,
    };
  }

  async send(claim: Claim, signal: AbortSignal, record: RecordOutcome): Promise<void> {
    const { secrets, jobs, outbound, outputUri, retryDelaysMs, clock } = this.#options;
    const { jobId, accountId } = claim;
    const job = await jobs.find(accountId, jobId);
    if (job === undefined) throw new Error(`Job ${jobId} of account ${accountId} not found.`);
    for (const { ordinal, target: url, run } of claim.deliveries) {
      const message = { id: webhookId(jobId), url, body: webhookBody(job, outputUri), at: clock.now(), timeoutMs: this.#timeoutMs };
      const outcome = await sendWebhook({ ...message, secrets: await secrets.listSigning(accountId) }, outbound, signal);
      const { error, httpStatus } = outcome;
      const retryInMs = retryDelaysMs[run - 1];
      await record(ordinal, { status: error === null ? 'delivered' : 'failed', attempts: claim.token, message: error, httpStatus, retryInMs });
      this.#options.onAttempt?.(error === null ? 'delivered' : 'failed');
      this.#logOutcome(claim, new URL(url).host, outcome, retryInMs);
    }
  }

  /** Logs only the receiver's host: paths and queries may contain secrets. */
  #logOutcome({ jobId, accountId, token }: Claim, host: string, outcome: AttemptOutcome, retryInMs: number | undefined): void {
    const { log } = this.#options;
    const fields = { job_id: jobId, account_id: accountId, host, attempt: token, http_status: outcome.httpStatus };
    if (outcome.error === null) log.info(fields, 'webhook delivered');
    else if (retryInMs === undefined) log.warn({ ...fields, reason: outcome.error }, 'webhook abandoned');
    else log.warn({ ...fields, reason: outcome.error, retry_in_seconds: retryInMs / 1000 }, 'webhook attempt failed');
  }
}
