import { randomUUID } from 'node:crypto';
import { type Caller, type Clock, type LedgerEntry, postEntries } from '../../accounts/index.js';
import {
  type Database,
  GroupCommit,
  type GroupOutcome,
  isOneOf,
  type JobRow,
  type Kysely,
  type LockedAccount,
  listParameter,
  lockAccounts,
  type Param,
  PreparedInsert,
  PreparedQuery,
  type Transaction,
} from '../../db/index.js';
import { AppError } from '../../errors/index.js';
import type { JobTransactionHook, SubmittedJob } from '../job-transaction-hook.js';
import type { ProviderLimits } from '../purchase.js';
import { checkFingerprint, findStoredResponse, type IdempotencyKey, idempotencyMs, storeResponse } from './idempotency-store.js';
import { describeLimit, exceededLimit, sumProviderCredits } from './purchases.js';

/** A validated job submission. */
export interface Submission {
  caller: Pick<Caller, 'accountId' | 'mode' | 'limits'>;
  /** The accepted script with secrets of exports masked. */
  script: unknown;
  estimatedCredits: number;
  /** The part of the estimate for provider services. Default: 0. */
  providerCredits?: number;
  /** Any JSON; returned with the job. */
  clientData?: unknown;
  webhookUri?: string | undefined;
  /** Export targets with their secrets. */
  exportTargets?: SubmittedJob['exportTargets'];
  /** Accepts the submission once; a repetition gets the first response. */
  idempotency?: IdempotencyKey | undefined;
}

/** The response to a submission. */
export interface AcceptedJob {
  jobId: string;
  estimatedCredits: number;
  creditsRemaining: number;
}

/** Limits on what an account may submit, besides those of its plan. */
export interface SubmissionLimits extends ProviderLimits {
  /** Maximum bytes of the scripts and outputs of an account's sandbox jobs; default: no limit. */
  sandboxBytes?: number | undefined;
}

/** A submission with the rows that it becomes. */
interface PreparedSubmission {
  caller: Submission['caller'];
  row: InsertedJob;
  /** Credits to debit; 0 for sandbox jobs. */
  price: number;
  deliveries: SubmittedJob;
  idempotency: IdempotencyKey | undefined;
}

/** What the submissions of a group may still use of their account. Read once per group and reduced by each submission that is accepted. */
interface AccountUse {
  account: LockedAccount;
  balance: number;
  activeJobs: number;
  /** Read with the first submission that needs it. */
  providerCredits?: number;
  sandboxBytes?: number;
}

/** Accepts submissions: groups of them are checked, charged and queued in one transaction. */
export class SubmissionStore {
  readonly #clock: Clock;
  readonly #hooks: readonly JobTransactionHook[];
  readonly #limits: SubmissionLimits;
  readonly #groups: GroupCommit<PreparedSubmission, AcceptedJob>;

  constructor(db: Kysely<Database>, clock: Clock, hooks: readonly JobTransactionHook[], limits: SubmissionLimits) {
    this.#clock = clock;
    this.#hooks = hooks;
    this.#limits = limits;
    this.#groups = new GroupCommit(db, (trx, items, waits) => this.#submitGroup(trx, items, waits));
  }

  /** See `JobStore.submit`. */
  async submit(submission: Submission): Promise<AcceptedJob> {
    return this.#groups.run(submission.caller.accountId, this.#prepare(submission));
  }

  #prepare(submission: Submission): PreparedSubmission {
    const { caller, estimatedCredits, webhookUri, exportTargets = [], idempotency } = submission;
    const { accountId, mode } = caller;
    const isLive = mode === 'live';
    const id = randomUUID();
    const script = JSON.stringify(submission.script);
    const client_data = submission.clientData === undefined ? null : JSON.stringify(submission.clientData);
    const sandbox_bytes = isLive ? 0 : Buffer.byteLength(script) + Buffer.byteLength(client_data ?? '');
    const provider_credits = isLive ? (submission.providerCredits ?? 0) : 0;
    const created_at = new Date(this.#clock.now()).toISOString();
    const row = { id, account_id: accountId, mode, script, client_data, sandbox_bytes, estimated_credits: estimatedCredits, provider_credits, created_at };
    return { caller, row, price: isLive ? estimatedCredits : 0, deliveries: { jobId: id, accountId, webhookUri, exportTargets }, idempotency };
  }

  async #submitGroup(trx: Transaction<Database>, items: readonly PreparedSubmission[], waits: boolean): Promise<Array<GroupOutcome<AcceptedJob>>> {
    const ids = [...new Set(items.map(({ caller }) => caller.accountId))];
    const accounts = await lockAccounts(trx, ids, waits);
    const uses = await readUses(trx, accounts);
    const accepted: PreparedSubmission[] = [];
    const responses = new Map<string, { response: AcceptedJob; once: IdempotencyKey }>();
    const outcomes: Array<GroupOutcome<AcceptedJob>> = [];
    for (const item of items) {
      const use = uses.get(item.caller.accountId);
      if (use === undefined) {
        outcomes.push({ isLocked: true });
        continue;
      }
      try {
        const earlier = await this.#findEarlier(trx, item, responses);
        if (earlier === undefined) {
          await this.#check(trx, item, use);
          accepted.push(item);
        }
        const response = earlier ?? { jobId: item.row.id, estimatedCredits: item.row.estimated_credits, creditsRemaining: use.balance };
        outcomes.push({ result: response });
        if (item.idempotency !== undefined) responses.set(keyOf(item, item.idempotency), { response, once: item.idempotency });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        outcomes.push({ error });
      }
    }
    await this.#store(trx, accepted, responses);
    return outcomes;
  }

  /** The response to an earlier submission under the same key, stored or of this group. */
  async #findEarlier(
    trx: Transaction<Database>,
    item: PreparedSubmission,
    responses: ReadonlyMap<string, { response: AcceptedJob; once: IdempotencyKey }>,
  ): Promise<AcceptedJob | undefined> {
    const { idempotency: once, caller } = item;
    if (once === undefined) return undefined;
    const inGroup = responses.get(keyOf(item, once));
    if (inGroup === undefined) return findStoredResponse(trx, { accountId: caller.accountId, once }, new Date(this.#clock.now() - idempotencyMs).toISOString());
    checkFingerprint(inGroup.once.fingerprint, once);
    return inGroup.response;
  }

  /** Reserves what the submission needs of its account, or throws why it is refused and reserves nothing. */
  async #check(trx: Transaction<Database>, { caller, row, price }: PreparedSubmission, use: AccountUse): Promise<void> {
    if (use.balance < price) throw insufficientCredits(price, use.balance);
    const { concurrentJobs } = caller.limits;
    if (use.activeJobs >= concurrentJobs) {
      throw new AppError('CONCURRENCY_LIMIT_EXCEEDED', {
        message: `The account has ${concurrentJobs} jobs queued or processing, which is the limit of its plan. Submit again when one of them is finished.`,
      });
    }
    const dailyLimit = this.#limits.perDay?.[use.account.plan];
    if (row.provider_credits > 0 && dailyLimit !== undefined) {
      use.providerCredits ??= await sumProviderCredits(trx, { accountId: caller.accountId }, this.#clock.now());
      const exceeded = exceededLimit(row.provider_credits, dailyLimit, use.providerCredits);
      if (exceeded !== undefined) throw new AppError('PROVIDER_LIMIT_EXCEEDED', { message: describeLimit(exceeded), fields: { ...exceeded } });
    }
    const { sandboxBytes } = this.#limits;
    if (caller.mode === 'test' && sandboxBytes !== undefined) {
      use.sandboxBytes ??= Number((await sumSandboxBytes.run(trx, { accountId: caller.accountId })).rows[0]?.bytes ?? 0);
      if (use.sandboxBytes + row.sandbox_bytes > sandboxBytes) throw sandboxQuotaExceeded(sandboxBytes);
      use.sandboxBytes += row.sandbox_bytes;
    }
    if (use.providerCredits !== undefined) use.providerCredits += row.provider_credits;
    use.balance -= price;
    use.activeJobs += 1;
  }

  async #store(
    trx: Transaction<Database>,
    accepted: readonly PreparedSubmission[],
    responses: ReadonlyMap<string, { response: AcceptedJob; once: IdempotencyKey }>,
  ): Promise<void> {
    await insertJobs.run(
      trx,
      accepted.map(({ row }) => row),
    );
    const holds = accepted.map(
      ({ row, price }): LedgerEntry => ({ accountId: row.account_id, jobId: row.id, kind: 'hold', amount: 0 - price, at: row.created_at }),
    );
    await postEntries(trx, holds);
    const queued = accepted
      .filter(({ row }) => row.mode === 'live')
      .map(({ row }) => ({ jobId: row.id, accountId: row.account_id, credits: row.estimated_credits }));
    if (queued.length > 0) for (const hook of this.#hooks) await hook.onQueued?.(trx, queued);
    for (const { deliveries, row, idempotency } of accepted) {
      for (const hook of this.#hooks) await hook.onSubmitted(trx, deliveries);
      const stored = idempotency && responses.get(keyOf({ row }, idempotency));
      if (stored !== undefined) await storeResponse(trx, { accountId: row.account_id, once: stored.once }, stored.response, row.created_at);
    }
  }
}

function keyOf({ row }: Pick<PreparedSubmission, 'row'>, { key }: IdempotencyKey): string {
  return `${row.account_id} ${key}`;
}

/** Reads in statements of their own, after the locks: on PostgreSQL a statement sees what was committed before it began. */
async function readUses(trx: Transaction<Database>, accounts: ReadonlyMap<string, LockedAccount>): Promise<Map<string, AccountUse>> {
  if (accounts.size === 0) return new Map();
  const { rows } = await countActive.run(trx, { ids: listParameter(trx, [...accounts.keys()]) });
  const active = new Map(rows.map(({ account_id, jobs }) => [account_id, Number(jobs)]));
  return new Map([...accounts].map(([id, account]) => [id, { account, balance: account.balance, activeJobs: active.get(id) ?? 0 }]));
}

type InsertedJob = Pick<
  JobRow,
  'id' | 'account_id' | 'mode' | 'script' | 'client_data' | 'sandbox_bytes' | 'estimated_credits' | 'provider_credits' | 'created_at'
>;

const insertJobs = new PreparedInsert<InsertedJob>((db, rows) =>
  db.insertInto('jobs').values((eb) =>
    rows.map((param) => ({
      id: param('id'),
      account_id: param('account_id'),
      mode: param('mode'),
      status: eb.val('queued'),
      progress: eb.lit(0),
      script: param('script'),
      client_data: param('client_data'),
      sandbox_bytes: param('sandbox_bytes'),
      estimated_credits: param('estimated_credits'),
      provider_credits: param('provider_credits'),
      attempts: eb.lit(0),
      created_at: param('created_at'),
    })),
  ),
);

const countActive = new PreparedQuery((db, param: Param<{ ids: string }>) =>
  db
    .selectFrom('job_counts')
    .select((eb) => ['account_id', eb.fn.sum<number>('jobs').as('jobs')])
    .where(isOneOf(db, 'account_id', param('ids')))
    .where('status', 'in', ['queued', 'processing'])
    .groupBy('account_id'),
);

const sumSandboxBytes = new PreparedQuery((db, param: Param<{ accountId: string }>) =>
  db
    .selectFrom('jobs')
    .select((eb) => {
      const outputBytes = eb
        .case()
        .when('output_removed_at', 'is', null)
        .then(eb.fn.coalesce('size_bytes', eb.lit(0)))
        .else(eb.lit(0))
        .end();
      return eb.fn.sum<number | null>(eb('sandbox_bytes', '+', outputBytes)).as('bytes');
    })
    .where('account_id', '=', param('accountId'))
    .where('sandbox_bytes', '>', (eb) => eb.lit(0)),
);

function insufficientCredits(required: number, balance: number): AppError {
  return new AppError('INSUFFICIENT_CREDITS', {
    message: `This render is estimated at ${required} credit${required === 1 ? '' : 's'} and the balance is ${balance}.`,
    fields: { required, balance },
  });
}

function sandboxQuotaExceeded(maxBytes: number): AppError {
  const message = `The scripts and videos of the account's test keys may occupy ${maxBytes / 1024 ** 2} MiB, which are used up. Submit again when older ones have expired, or use a live key.`;
  return new AppError('SANDBOX_QUOTA_EXCEEDED', { message });
}
