import { type JobStore, type Log, PollLoop, retryWhileUnavailable } from '../../jobs/index.js';
import type { Outbound } from '../../outbound/index.js';
import { sendWebhook, webhookBody, webhookId } from './webhook-request.js';
import type { WebhookSecretStore } from './webhook-secret-store.js';
import type { AttemptOutcome, DueWebhook, WallClock, WebhookStore } from './webhook-store.js';

/** Dependencies and settings of `WebhookDispatcher`. */
export interface WebhookDispatcherOptions {
  store: WebhookStore;
  secrets: WebhookSecretStore;
  jobs: Pick<JobStore, 'find'>;
  outbound: Pick<Outbound, 'send' | 'checkUrl'>;
  outputUri: (outputName: string) => string;
  /** Delays before the second and each further attempt. */
  retryDelaysMs: readonly number[];
  /** Called after each attempt. */
  onAttempt?: (result: 'delivered' | 'failed') => void;
  clock: WallClock;
  log: Log;
  timing?: Partial<WebhookTiming>;
}

/** Timeouts and intervals of the dispatcher. */
export interface WebhookTiming {
  /** Time limit from connecting to receiving the status. */
  timeoutMs: number;
  pollMs: number;
}

const maxInFlight = 32;
const maxPerHost = 2;
/** Prevents one account with many hanging receivers from blocking the others. */
const maxPerAccount = 16;
/** Added to the timeout: how long persisting the outcome of an attempt may take. */
const persistMarginMs = 5000;

/** Sends due webhooks, with limits per receiver and per account. */
export class WebhookDispatcher {
  readonly #options: WebhookDispatcherOptions;
  readonly #timing: WebhookTiming;
  readonly #loop: PollLoop;
  readonly #inFlight = new Map<string, { host: string; accountId: string; ended: Promise<void> }>();
  readonly #stopping = new AbortController();

  constructor(options: WebhookDispatcherOptions) {
    this.#options = options;
    this.#timing = { timeoutMs: 15_000, pollMs: 500, ...options.timing };
    this.#loop = new PollLoop({
      poll: () => this.#startDue(),
      pollMs: this.#timing.pollMs,
      onError: (error) => options.log.error({ err: error }, 'failed to query due webhooks'),
    });
  }

  /** Starts polling for due webhooks. */
  start(): void {
    this.#loop.start();
  }

  /** Polls now, because a webhook may have become due. */
  notify(): void {
    this.#loop.notify();
  }

  /** Starts no new attempts and waits up to `graceMs` for those in flight; aborted attempts count as failed. */
  async stop(graceMs: number): Promise<void> {
    await this.#loop.stopWithin(
      graceMs,
      () => this.#inFlight.values(),
      () => this.#stopping.abort(),
    );
  }

  async #startDue(): Promise<void> {
    const maxWaitMs = Math.max(...this.#options.retryDelaysMs, this.#timing.timeoutMs + persistMarginMs);
    let hasStarted = true;
    while (hasStarted && this.#inFlight.size < maxInFlight) {
      hasStarted = false;
      for (const due of await this.#options.store.listDue(
        { hosts: this.#listSaturated('host', maxPerHost), accountIds: this.#listSaturated('accountId', maxPerAccount) },
        64,
        maxWaitMs,
      )) {
        if (!this.#hasRoom(due)) continue;
        hasStarted = true;
        await this.#startAttempt(due);
      }
    }
  }

  async #startAttempt(due: DueWebhook): Promise<void> {
    const { store, retryDelaysMs, log } = this.#options;
    if (due.attempts > retryDelaysMs.length) {
      if (await store.abandon(due.jobId, due.attempts))
        log.warn({ job_id: due.jobId, account_id: due.accountId, attempts: due.attempts }, 'webhook abandoned; the outcome of the last attempt is unknown');
      return;
    }
    const retryInMs = Math.max(retryDelaysMs[due.attempts] ?? 0, this.#timing.timeoutMs + persistMarginMs);
    const number = await store.beginAttempt(due, retryInMs);
    if (number === undefined) return;
    const ended = this.#attempt(due, number)
      .catch((error: unknown) => {
        if (!this.#stopping.signal.aborted)
          log.error({ err: error, job_id: due.jobId }, 'failed to persist the outcome of a webhook attempt; it counts as failed');
      })
      .finally(() => {
        this.#inFlight.delete(due.jobId);
        this.notify();
      });
    this.#inFlight.set(due.jobId, { host: due.host, accountId: due.accountId, ended });
  }

  async #attempt(due: DueWebhook, number: number): Promise<void> {
    const { store, secrets, jobs, outbound, outputUri, retryDelaysMs, clock, log } = this.#options;
    const { jobId, accountId, url } = due;
    const job = await jobs.find(accountId, jobId);
    if (job === undefined) throw new Error(`Job ${jobId} of account ${accountId} not found.`);
    const message = { id: webhookId(jobId), url, body: webhookBody(job, outputUri), at: clock.now(), timeoutMs: this.#timing.timeoutMs };
    const outcome = await sendWebhook({ ...message, secrets: await secrets.listSigning(accountId) }, outbound, this.#stopping.signal);
    const retryInMs = retryDelaysMs[number - 1];
    const isDecided = await retryWhileUnavailable(
      // After a retry, false may mean that the first write succeeded without an answer.
      async (isRetry) => (await store.finishAttempt(jobId, number, outcome, retryInMs)) || isRetry,
      this.#stopping.signal,
    );
    if (!isDecided) log.warn({ job_id: jobId, account_id: accountId, attempt: number }, 'a later attempt has begun; it decides the state of the webhook');
    this.#options.onAttempt?.(outcome.error === null ? 'delivered' : 'failed');
    this.#logOutcome(due, number, outcome, retryInMs);
  }

  /** Logs only the receiver's host: paths and queries may contain secrets. */
  #logOutcome({ jobId, accountId, host }: DueWebhook, number: number, outcome: AttemptOutcome, retryInMs: number | undefined): void {
    const fields = { job_id: jobId, account_id: accountId, host, attempt: number, http_status: outcome.httpStatus };
    if (outcome.error === null) this.#options.log.info(fields, 'webhook delivered');
    else if (retryInMs === undefined) this.#options.log.warn({ ...fields, reason: outcome.error }, 'webhook abandoned');
    else this.#options.log.warn({ ...fields, reason: outcome.error, retry_in_seconds: retryInMs / 1000 }, 'webhook attempt failed');
  }

  #hasRoom({ jobId, host, accountId }: DueWebhook): boolean {
    const attempts = [...this.#inFlight.values()];
    return (
      attempts.length < maxInFlight &&
      !this.#inFlight.has(jobId) &&
      attempts.filter((attempt) => attempt.host === host).length < maxPerHost &&
      attempts.filter((attempt) => attempt.accountId === accountId).length < maxPerAccount
    );
  }

  /** Hosts or accounts that have reached their limit of attempts in flight. */
  #listSaturated(key: 'host' | 'accountId', limit: number): string[] {
    const counts = new Map<string, number>();
    for (const attempt of this.#inFlight.values()) counts.set(attempt[key], (counts.get(attempt[key]) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= limit).map(([name]) => name);
  }
}
