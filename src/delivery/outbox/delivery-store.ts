import { type Database, type DeliveryRow, type Kysely, lockRows, type Transaction } from '../../db/index.js';
import { type Job, type JobTransactionHook, LeaseOwner, type SubmittedJob } from '../../jobs/index.js';

/** What is delivered: the webhook that reports the end of a job, or its file to one export target. */
export type DeliveryKind = DeliveryRow['kind'];

/** How deliveries of one kind are claimed. */
export interface ClaimPolicy {
  kind: DeliveryKind;
  /** Lifetime of a lease without renewal: after a crash, other processes wait this long. */
  leaseMs: number;
  /** Maximum number of runs; a delivery whose last run ended without an outcome fails with `exhaustedMessage`. */
  maxRuns: number;
  exhaustedMessage: string;
  /** Delays after the start of each run before the next one may start, in ms; empty if a run may follow another at once. */
  retryDelaysMs: readonly number[];
}

/** The pending deliveries of one kind of one job. They are claimed together. */
export interface DueDeliveries {
  jobId: string;
  accountId: string;
  /** Host and port of a webhook's URL; null for exports. */
  host: string | null;
}

/** A delivery within a claim. */
export interface ClaimedDelivery {
  ordinal: number;
  type: string;
  /** A webhook's URL, or an export target with its credentials as JSON. */
  target: string;
  /** Number of this run among those since the delivery became due. */
  run: number;
}

/** A leased run over the pending deliveries of one kind of one job. */
export interface Claim {
  kind: DeliveryKind;
  jobId: string;
  accountId: string;
  /** Fencing token: greater than that of every earlier claim. Outcomes are stored only under the current token. */
  token: number;
  holder: string;
  deliveries: readonly ClaimedDelivery[];
}

/** The outcome of a run for one delivery. */
export interface DeliveryOutcome {
  status: 'delivered' | 'failed';
  /** Attempts at the target. */
  attempts: number;
  /** URL of the delivered file, without credentials. */
  location?: string;
  /** One sentence without secrets; null if there is nothing to say. */
  message: string | null;
  /** Status of the response to a webhook. */
  httpStatus?: number | null;
  /** Set if a failed delivery is tried again after this time. */
  retryInMs?: number | undefined;
}

/** Hosts and accounts that are at their concurrency limit. */
export interface Busy {
  hosts: readonly string[];
  accountIds: readonly string[];
}

/** How far the clocks of hosts may differ: each measures the database's clock with the error of a round trip. */
const maxClockSkewMs = 5000;

const neverDelivered = 'The render failed, so there was nothing to deliver.';

/** The outbox: deliveries are stored in the transactions of their job and claimed under leases with fencing tokens. */
export class DeliveryStore implements JobTransactionHook {
  readonly #db: Kysely<Database>;
  readonly #clock: { now(): number };
  readonly #owner: LeaseOwner;

  constructor(db: Kysely<Database>, clock: { now(): number }, owner: LeaseOwner = new LeaseOwner()) {
    this.#db = db;
    this.#clock = clock;
    this.#owner = owner;
  }

  async onSubmitted(trx: Transaction<Database>, { jobId, accountId, webhookUri, exportTargets }: SubmittedJob): Promise<void> {
    const shared = { job_id: jobId, account_id: accountId, status: 'waiting' as const };
    const exports = exportTargets.map((target, ordinal) => {
      return { ...shared, kind: 'export' as const, ordinal, type: target.type, target: JSON.stringify(target), host: null };
    });
    const webhook = { ...shared, kind: 'webhook' as const, ordinal: 0, type: 'webhook' };
    const rows = webhookUri === undefined ? exports : [{ ...webhook, target: webhookUri, host: new URL(webhookUri).host }, ...exports];
    if (rows.length > 0) await trx.insertInto('deliveries').values(rows).execute();
  }

  async onEnded(trx: Transaction<Database>, job: Job): Promise<void> {
    const at = this.#timestamp();
    const waiting = trx.updateTable('deliveries').where('job_id', '=', job.id).where('status', '=', 'waiting');
    if (job.status !== 'completed') {
      await waiting.where('kind', '=', 'export').set({ status: 'failed', message: neverDelivered, target: null, finished_at: at }).execute();
    }
    await waiting.set({ status: 'pending', next_attempt_at: at }).execute();
  }

  /**
   * Due deliveries without an active lease, the longest overdue first. A due time further ahead than the policy allows was written
   * before the clock was set back, so it counts as due.
   */
  async listDue(policy: ClaimPolicy, busy: Busy, limit: number): Promise<DueDeliveries[]> {
    const leased = await this.#db.selectFrom('deliveries').select('holder').distinct().where('holder', 'is not', null).execute();
    const gone = leased.flatMap(({ holder }) => (holder !== null && this.#owner.isGone(holder) ? [holder] : []));
    const rows = await this.#db
      .selectFrom('deliveries')
      .select(['job_id', 'account_id', 'host'])
      .where('status', '=', 'pending')
      .where('kind', '=', policy.kind)
      .where((eb) => eb.or([eb('next_attempt_at', '<=', this.#timestamp()), eb('next_attempt_at', '>', this.#timestamp(maxDelayMs(policy) + maxClockSkewMs))]))
      .where((eb) =>
        eb.or([
          eb('holder', 'is', null),
          eb('lease_expires_at', '<=', this.#timestamp()),
          eb('lease_expires_at', '>', this.#timestamp(policy.leaseMs + maxClockSkewMs)),
          ...(gone.length > 0 ? [eb('holder', 'in', gone)] : []),
        ]),
      )
      .$if(busy.hosts.length > 0, (query) => query.where('host', 'not in', busy.hosts))
      .$if(busy.accountIds.length > 0, (query) => query.where('account_id', 'not in', busy.accountIds))
      .orderBy('next_attempt_at')
      .orderBy('id')
      .limit(limit)
      .execute();
    const unique = new Map(rows.map((row) => [row.job_id, row]));
    return [...unique.values()].map((row) => ({ jobId: row.job_id, accountId: row.account_id, host: row.host }));
  }

  /**
   * Leases the pending deliveries of a job, counts a run and, in case this process dies, schedules the next one. Returns undefined when
   * they are leased or not due. A crash interrupts a run at its first pending delivery, so that one fails after `maxRuns` runs:
   * it is returned as `exhausted`.
   */
  async claim(policy: ClaimPolicy, jobId: string): Promise<{ claim?: Claim; exhausted?: ClaimedDelivery } | undefined> {
    const holder = this.#owner.createId();
    const claiming = this.#db.transaction().execute(async (trx) => {
      const open = await lockPending(trx, policy.kind, jobId);
      const [first] = open;
      // One that was sent again while a run delivers the others waits for that run.
      if (first === undefined || !open.every((row) => this.#isClaimable(row, policy))) return undefined;
      const isExhausted = first.runs >= policy.maxRuns;
      const exhausted = isExhausted ? describeClaimed(first, first.runs) : undefined;
      if (isExhausted) {
        await trx
          .updateTable('deliveries')
          .set({ ...released, status: 'failed', message: policy.exhaustedMessage, finished_at: this.#timestamp(), ...erased(policy.kind) })
          .where('id', '=', first.id)
          .execute();
      }
      const remaining = isExhausted ? open.slice(1) : open;
      if (remaining.length === 0) return { ...(exhausted && { exhausted }) };
      const run = isExhausted ? 1 : first.runs + 1;
      const token = Math.max(...open.map((row) => row.token)) + 1;
      const delayMs = policy.retryDelaysMs[run - 1];
      await trx
        .updateTable('deliveries')
        .set({
          runs: run,
          token,
          holder,
          lease_expires_at: this.#timestamp(policy.leaseMs),
          ...(policy.retryDelaysMs.length > 0 && { next_attempt_at: this.#timestamp(Math.max(delayMs ?? 0, policy.leaseMs)) }),
        })
        .where('job_id', '=', jobId)
        .where('kind', '=', policy.kind)
        .where('status', '=', 'pending')
        .execute();
      if (policy.kind === 'webhook') {
        await trx
          .insertInto('delivery_attempts')
          .values(remaining.map(({ id }) => ({ delivery_id: id, number: token, started_at: this.#timestamp() })))
          .execute();
      }
      const deliveries = remaining.map((row) => describeClaimed(row, run));
      return { claim: { kind: policy.kind, jobId, accountId: first.account_id, token, holder, deliveries }, ...(exhausted && { exhausted }) };
    });
    return claiming.catch((error: unknown) => {
      // The answer to the commit may have been lost: then no run sends what is claimed.
      this.#owner.markReleased(holder);
      throw error;
    });
  }

  /** Extends the lease of a claim. Returns false if another claim has replaced it. */
  async renew(claim: Claim, leaseMs: number): Promise<boolean> {
    const renewed = await this.#updateClaimed(this.#db, claim)
      .set({ lease_expires_at: this.#timestamp(leaseMs) })
      .executeTakeFirst();
    return renewed.numUpdatedRows > 0n;
  }

  /**
   * Stores the outcome of one delivery and erases the credentials of an export that has ended. Returns false, and changes no state,
   * if another claim has replaced this one or the delivery has ended.
   */
  async record(claim: Claim, ordinal: number, outcome: DeliveryOutcome): Promise<boolean> {
    const { status, attempts, location = null, message, httpStatus = null, retryInMs } = outcome;
    const at = this.#timestamp();
    const state =
      status === 'failed' && retryInMs !== undefined
        ? { next_attempt_at: this.#timestamp(retryInMs) }
        : { status, location, finished_at: at, next_attempt_at: null, ...erased(claim.kind) };
    return this.#db.transaction().execute(async (trx) => {
      const recorded = await this.#updateClaimed(trx, claim)
        .where('ordinal', '=', ordinal)
        .set({ ...state, ...released, attempts, message })
        .executeTakeFirst();
      if (claim.kind === 'webhook') {
        const error = status === 'failed' ? message : null;
        await trx
          .updateTable('delivery_attempts')
          .set({ finished_at: at, http_status: httpStatus, error })
          .where('number', '=', claim.token)
          .where('delivery_id', 'in', (eb) =>
            eb.selectFrom('deliveries').select('id').where('job_id', '=', claim.jobId).where('kind', '=', claim.kind).where('ordinal', '=', ordinal),
          )
          .execute();
      }
      return recorded.numUpdatedRows === 1n;
    });
  }

  /** Gives up the lease of a claim once, however often it is called; with `isUncounted`, its run does not count. */
  async release(claim: Claim, isUncounted: boolean): Promise<void> {
    await this.#updateClaimed(this.#db, claim)
      .where('holder', '=', claim.holder)
      .set((eb) => ({ ...released, ...(isUncounted && { runs: eb('runs', '-', 1) }) }))
      .execute();
  }

  /** Gives up a claim whose lease cannot be released: this process may claim again all the same. */
  abandon(claim: Claim): void {
    this.#owner.markReleased(claim.holder);
  }

  #updateClaimed(db: Kysely<Database>, { jobId, kind, token }: Claim) {
    return db.updateTable('deliveries').where('job_id', '=', jobId).where('kind', '=', kind).where('status', '=', 'pending').where('token', '=', token);
  }

  /** A lease that expires later than any new one could was written before the clock was set back; it is not active. */
  #isClaimable(row: DeliveryRow, policy: ClaimPolicy): boolean {
    const { holder, next_attempt_at: dueAt, lease_expires_at: expiresAt } = row;
    const isWithin = (time: string | null, ms: number): boolean => time !== null && time > this.#timestamp() && time <= this.#timestamp(ms + maxClockSkewMs);
    return !isWithin(dueAt, maxDelayMs(policy)) && (holder === null || !isWithin(expiresAt, policy.leaseMs) || this.#owner.isGone(holder));
  }

  #timestamp(laterMs = 0): string {
    return new Date(this.#clock.now() + laterMs).toISOString();
  }
}

const released = { holder: null, lease_expires_at: null };

/** Credentials do not outlive the delivery: an export that is sent again needs its target anew. */
function erased(kind: DeliveryKind): { target?: null } {
  return kind === 'export' ? { target: null } : {};
}

function maxDelayMs({ retryDelaysMs, leaseMs }: ClaimPolicy): number {
  return Math.max(...retryDelaysMs, leaseMs);
}

function lockPending(trx: Transaction<Database>, kind: DeliveryKind, jobId: string): Promise<DeliveryRow[]> {
  return trx
    .selectFrom('deliveries')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('kind', '=', kind)
    .where('status', '=', 'pending')
    .orderBy('ordinal')
    .$call(lockRows(trx))
    .execute();
}

function describeClaimed({ ordinal, type, target }: DeliveryRow, run: number): ClaimedDelivery {
  return { ordinal, type, target: target ?? '', run };
}
