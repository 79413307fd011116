import { DatabaseUnavailableError } from '../../errors/index.js';
import { type Log, PollLoop, retryWhileUnavailable } from '../../jobs/index.js';
import type { Claim, ClaimPolicy, DeliveryKind, DeliveryOutcome, DeliveryStore, DueDeliveries } from './delivery-store.js';

/** Sends the deliveries of one kind. */
export interface Sender {
  readonly policy: ClaimPolicy;
  /** Maximum numbers of jobs whose deliveries are sent at the same time. */
  readonly limits: { readonly total: number; readonly perAccount: number; readonly perHost: number };
  /** Whether a run counts although a regular stop of the service interrupted it. */
  readonly countsStoppedRuns: boolean;
  /**
   * Sends the deliveries of a claim and reports each outcome once with `record`. Rejects when `signal` is aborted, because the
   * service stops or the lease is lost.
   */
  send(claim: Claim, signal: AbortSignal, record: RecordOutcome): Promise<void>;
}

/** Stores the outcome of a delivery of the claim, also after an outage of the database. */
export type RecordOutcome = (ordinal: number, outcome: DeliveryOutcome) => Promise<void>;

/** Dependencies and settings of `DeliveryRunner`. */
export interface DeliveryRunnerOptions {
  store: DeliveryStore;
  senders: readonly Sender[];
  clock: { monotonic(): number };
  log: Log;
  /** Interval between two polls without a notification; default 500 ms. */
  pollMs?: number;
}

interface Run {
  kind: DeliveryKind;
  accountId: string;
  host: string | null;
  ended: Promise<void>;
}

const maxPolled = 64;

/** Claims due deliveries and hands them to the sender of their kind, within its limits per account and per receiver. */
export class DeliveryRunner {
  readonly #options: DeliveryRunnerOptions;
  readonly #loop: PollLoop;
  readonly #running = new Map<string, Run>();
  readonly #stopping = new AbortController();

  constructor(options: DeliveryRunnerOptions) {
    this.#options = options;
    this.#loop = new PollLoop({
      poll: async () => {
        for (const sender of options.senders) await this.#startDue(sender);
      },
      pollMs: options.pollMs ?? 500,
      onError: (error) => options.log.error({ err: error }, 'failed to query due deliveries'),
    });
  }

  /** Starts polling for due deliveries. */
  start(): void {
    this.#loop.start();
  }

  /** Polls now, because deliveries may have become due. */
  notify(): void {
    this.#loop.notify();
  }

  /** Starts no new runs and waits up to `graceMs` for running ones, then aborts them. */
  async stop(graceMs: number): Promise<void> {
    await this.#loop.stopWithin(
      graceMs,
      () => this.#running.values(),
      () => this.#stopping.abort(),
    );
  }

  async #startDue(sender: Sender): Promise<void> {
    const { policy, limits } = sender;
    let hasStarted = true;
    while (hasStarted && this.#runsOf(policy.kind).length < limits.total) {
      hasStarted = false;
      const busy = { hosts: this.#listSaturated(sender, 'host', limits.perHost), accountIds: this.#listSaturated(sender, 'accountId', limits.perAccount) };
      for (const due of await this.#options.store.listDue(policy, busy, maxPolled)) {
        if (this.#hasRoom(sender, due)) hasStarted = (await this.#start(sender, due)) || hasStarted;
      }
    }
  }

  /** Returns false when another process has claimed the deliveries. */
  async #start(sender: Sender, { jobId, accountId, host }: DueDeliveries): Promise<boolean> {
    const { store, log } = this.#options;
    const { kind, exhaustedMessage: reason } = sender.policy;
    const claimed = await store.claim(sender.policy, jobId);
    if (claimed === undefined) return false;
    const { claim, exhausted } = claimed;
    if (exhausted !== undefined) log.warn({ job_id: jobId, account_id: accountId, type: exhausted.type, attempts: exhausted.run, reason }, `${kind} abandoned`);
    if (claim === undefined) return true;
    const key = keyOf(kind, jobId);
    const ended = this.#run(sender, claim)
      .catch((error: unknown) => log.error({ err: error, job_id: jobId }, `failed to send the ${kind}; retrying`))
      .finally(() => this.#running.delete(key))
      // Frees a slot: other deliveries may start at once.
      .then(() => this.notify());
    this.#running.set(key, { kind, accountId, host, ended });
    return true;
  }

  async #run(sender: Sender, claim: Claim): Promise<void> {
    const { store, log } = this.#options;
    const lost = new AbortController();
    const signal = AbortSignal.any([lost.signal, this.#stopping.signal]);
    const open = new Set(claim.deliveries.map(({ ordinal }) => ordinal));
    const record: RecordOutcome = async (ordinal, outcome) => {
      // The token still fences a write after the lease has expired. After a retry, false may mean that the first write succeeded.
      const isRecorded = await retryWhileUnavailable(async (isRetry) => (await store.record(claim, ordinal, outcome)) || isRetry, this.#stopping.signal);
      if (!isRecorded) log.warn({ job_id: claim.jobId, account_id: claim.accountId }, `another run has claimed the ${claim.kind} and decides its outcome`);
      open.delete(ordinal);
    };
    const renewing = this.#renewRegularly(claim, sender.policy.leaseMs, lost);
    let isOutage = false;
    try {
      await sender.send(claim, signal, record);
    } catch (error) {
      isOutage = !signal.aborted && error instanceof DatabaseUnavailableError;
      if (!signal.aborted) throw error;
    } finally {
      clearInterval(renewing);
      if (open.size > 0) await this.#release(claim, isOutage || (signal.aborted && !sender.countsStoppedRuns));
    }
  }

  /** Releases the lease, if need be after an outage of the database. */
  async #release(claim: Claim, isUncounted: boolean): Promise<void> {
    const { store } = this.#options;
    await retryWhileUnavailable(() => store.release(claim, isUncounted), this.#stopping.signal).catch(() => store.abandon(claim));
  }

  /** Aborts `lost` when another process has the lease, or when the third renewal in a row has failed: the fourth would come too late. */
  #renewRegularly(claim: Claim, leaseMs: number, lost: AbortController): NodeJS.Timeout {
    const { store, clock } = this.#options;
    let renewedAt = clock.monotonic();
    const renew = async (): Promise<void> => {
      const startedAt = clock.monotonic();
      const isRenewed = await store.renew(claim, leaseMs).catch(() => undefined);
      if (isRenewed === true) renewedAt = startedAt;
      if (isRenewed === false || clock.monotonic() - renewedAt > leaseMs * 0.7) lost.abort();
    };
    return setInterval(() => void renew(), leaseMs / 4);
  }

  #runsOf(kind: DeliveryKind): Run[] {
    return [...this.#running.values()].filter((run) => run.kind === kind);
  }

  #hasRoom({ policy: { kind }, limits }: Sender, { jobId, host, accountId }: DueDeliveries): boolean {
    const runs = this.#runsOf(kind);
    return (
      runs.length < limits.total &&
      !this.#running.has(keyOf(kind, jobId)) &&
      runs.filter((run) => run.host === host).length < limits.perHost &&
      runs.filter((run) => run.accountId === accountId).length < limits.perAccount
    );
  }

  /** Hosts or accounts that have reached their limit. */
  #listSaturated({ policy }: Sender, key: 'host' | 'accountId', limit: number): string[] {
    const counts = new Map<string, number>();
    for (const { [key]: name } of this.#runsOf(policy.kind)) if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= limit).map(([name]) => name);
  }
}

function keyOf(kind: DeliveryKind, jobId: string): string {
  return `${kind} ${jobId}`;
}
