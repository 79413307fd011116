import { type JobStore, type Log, PollLoop } from '../../jobs/index.js';
import type { Outbound } from '../../outbound/index.js';
import { sendWebhook, webhookBody, webhookId } from './webhook-request.js';
import type { WebhookSecretStore } from './webhook-secret-store.js';
import type { AttemptOutcome, DueWebhook, WallClock, WebhookStore } from './webhook-store.js';

export interface WebhookDispatcherOptions {
  store: WebhookStore;
  secrets: WebhookSecretStore;
  jobs: Pick<JobStore, 'find'>;
  outbound: Pick<Outbound, 'send' | 'checkUrl'>;
  outputUri: (outputName: string) => string;
  /** Waits after each failed attempt but the last. */
  retryDelaysMs: readonly number[];
  /** Told how each attempt went. */
  onAttempt?: (result: 'delivered' | 'failed') => void;
  clock: WallClock;
  log: Log;
  timing?: Partial<WebhookTiming>;
}

export interface WebhookTiming {
  /** How long a receiver may take from the connection to its status. */
  timeoutMs: number;
  pollMs: number;
}

const maxInFlight = 32;
const maxPerHost = 2;
/** So that one account whose receivers hang under many names leaves room for the others. */
const maxPerAccount = 16;
/** Beyond the time-out: how long the outcome of an attempt may take to be written down. */
const marginMs = 5000;

/** Sends the webhooks whose time has come, few at a time to each receiver. */
export class WebhookDispatcher {
  readonly #parts: WebhookDispatcherOptions;
  readonly #timing: WebhookTiming;
  readonly #loop: PollLoop;
  readonly #inFlight = new Map<string, { host: string; accountId: string; ended: Promise<void> }>();
  readonly #stopping = new AbortController();

  constructor(parts: WebhookDispatcherOptions) {
    this.#parts = parts;
    this.#timing = { timeoutMs: 15_000, pollMs: 500, ...parts.timing };
    this.#loop = new PollLoop({
      poll: () => this.#beginDue(),
      pollMs: this.#timing.pollMs,
      onError: (error) => parts.log.error({ err: error }, 'due webhooks could not be looked for'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** There may be a webhook to send. */
  notify(): void {
    this.#loop.notify();
  }

  /** Begins no further attempt; those in flight may end within the time, and count as failed otherwise. */
  async stop(graceMs: number): Promise<void> {
    await this.#loop.stopWithin(
      graceMs,
      () => this.#inFlight.values(),
      () => this.#stopping.abort(),
    );
  }

  async #beginDue(): Promise<void> {
    const maxWaitMs = Math.max(...this.#parts.retryDelaysMs, this.#timing.timeoutMs + marginMs);
    let begun = true;
    while (begun && this.#inFlight.size < maxInFlight) {
      begun = false;
      for (const due of await this.#parts.store.listDue(
        { hosts: this.#full('host', maxPerHost), accountIds: this.#full('accountId', maxPerAccount) },
        64,
        maxWaitMs,
      )) {
        if (!this.#hasRoom(due)) continue;
        begun = true;
        await this.#begin(due);
      }
    }
  }

  async #begin(due: DueWebhook): Promise<void> {
    const { store, retryDelaysMs, log } = this.#parts;
    if (due.attempts > retryDelaysMs.length) {
      await store.abandon(due.jobId);
      log.warn({ job_id: due.jobId, account_id: due.accountId, attempts: due.attempts }, 'a webhook is abandoned; its last outcome is unknown');
      return;
    }
    const retryInMs = Math.max(retryDelaysMs[due.attempts] ?? 0, this.#timing.timeoutMs + marginMs);
    const number = await store.begin(due, retryInMs);
    if (number === undefined) return;
    const ended = this.#attempt(due, number)
      .catch((error: unknown) => {
        if (!this.#stopping.signal.aborted) log.error({ err: error, job_id: due.jobId }, 'the outcome of a webhook could not be kept; it counts as failed');
      })
      .finally(() => {
        this.#inFlight.delete(due.jobId);
        this.notify();
      });
    this.#inFlight.set(due.jobId, { host: due.host, accountId: due.accountId, ended });
  }

  async #attempt(due: DueWebhook, number: number): Promise<void> {
    const { store, secrets, jobs, outbound, outputUri, retryDelaysMs, clock } = this.#parts;
    const { jobId, accountId, url } = due;
    const job = await jobs.find(accountId, jobId);
    if (job === undefined) throw new Error(`There is no job ${jobId} of account ${accountId}.`);
    const message = { id: webhookId(jobId), url, body: webhookBody(job, outputUri), at: clock.now(), timeoutMs: this.#timing.timeoutMs };
    const outcome = await sendWebhook({ ...message, secrets: await secrets.listSigning(accountId) }, outbound, this.#stopping.signal);
    const retryInMs = retryDelaysMs[number - 1];
    await store.finish(jobId, number, outcome, retryInMs);
    this.#parts.onAttempt?.(outcome.error === null ? 'delivered' : 'failed');
    this.#tell(due, number, outcome, retryInMs);
  }

  /** The receiver's host is enough: paths and queries may hold its secrets. */
  #tell({ jobId, accountId, host }: DueWebhook, number: number, outcome: AttemptOutcome, retryInMs: number | undefined): void {
    const facts = { job_id: jobId, account_id: accountId, host, attempt: number, http_status: outcome.httpStatus };
    if (outcome.error === null) this.#parts.log.info(facts, 'a webhook is delivered');
    else if (retryInMs === undefined) this.#parts.log.warn({ ...facts, reason: outcome.error }, 'a webhook is abandoned');
    else this.#parts.log.warn({ ...facts, reason: outcome.error, retry_in_seconds: retryInMs / 1000 }, 'a webhook failed');
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

  /** Hosts, or accounts, that have as many attempts in flight as they may. */
  #full(key: 'host' | 'accountId', limit: number): string[] {
    const counts = new Map<string, number>();
    for (const attempt of this.#inFlight.values()) counts.set(attempt[key], (counts.get(attempt[key]) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= limit).map(([name]) => name);
  }
}
