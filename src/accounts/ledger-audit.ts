import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database, Kysely } from '../db/index.js';

/** Entries read per query; larger chunks would block the event loop. */
const entriesPerQuery = 20_000;
/** Accounts compared per query, for the same reason. */
const accountsPerQuery = 1000;
/** Age of a result after which the next request starts another audit. */
const maxAgeMs = 60_000;

export interface LedgerAuditParts {
  db: Kysely<Database>;
  clock: { monotonic(): number };
  /** Called with the error of an audit that fails; the last result remains. */
  onError: (error: unknown) => void;
}

/**
 * Compares balances with the ledger in the background. Entries never change, so each audit reads only those added since the last one, and
 * every account. Requests get the last result and wait for nothing.
 */
export class LedgerAudit {
  readonly #parts: LedgerAuditParts;
  readonly #sums = new Map<string, number>();
  #lastSeq = 0;
  #lastCount: number | undefined;
  /** When the last audit started (monotonic ms). */
  #startedAt = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  #isClosing = false;

  constructor(parts: LedgerAuditParts) {
    this.#parts = parts;
  }

  /**
   * Number of accounts whose balance is negative or differs from the sum of their entries, by the last audit; undefined before the first has
   * ended. Starts another one if the last is more than a minute old.
   */
  getImbalanceCount(): number | undefined {
    const now = this.#parts.clock.monotonic();
    if (this.#running === undefined && !this.#isClosing && now - this.#startedAt >= maxAgeMs) {
      this.#startedAt = now;
      this.#running = this.#audit()
        .then((count) => {
          this.#lastCount = count ?? this.#lastCount;
        })
        .catch(this.#parts.onError)
        .finally(() => {
          this.#running = undefined;
        });
    }
    return this.#lastCount;
  }

  /** Ends a running audit before its next query. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#running;
  }

  /** Returns undefined if `close` ends it. */
  async #audit(): Promise<number | undefined> {
    while (await this.#readEntries()) await yieldToEventLoop();
    let count = 0;
    for (let after: string | undefined = ''; after !== undefined; await yieldToEventLoop()) {
      if (this.#isClosing) return undefined;
      const { suspects, last } = await this.#compareAccounts(after);
      for (const id of suspects) if (!(await this.#recheck(id))) count += 1;
      after = last;
    }
    return count;
  }

  /** Compares the accounts after this id. `last` is undefined if none follow. */
  async #compareAccounts(after: string): Promise<{ suspects: string[]; last: string | undefined }> {
    const accounts = this.#parts.db.selectFrom('accounts').select(['id', 'balance']).where('id', '>', after).orderBy('id').limit(accountsPerQuery);
    // A single statement reads balances and the newest entries from the same snapshot.
    const rows = await this.#parts.db
      .selectFrom(accounts.as('chunk'))
      .leftJoin('ledger_entries', (join) => join.onRef('ledger_entries.account_id', '=', 'chunk.id').on('ledger_entries.seq', '>', this.#lastSeq))
      .select((eb) => ['chunk.id', 'chunk.balance', eb.fn.sum<number | null>('ledger_entries.amount').as('added')])
      .groupBy(['chunk.id', 'chunk.balance'])
      .orderBy('chunk.id')
      .execute();
    const suspects = rows.filter(({ id, balance, added }) => balance < 0 || balance !== (this.#sums.get(id) ?? 0) + Number(added ?? 0));
    return { suspects: suspects.map(({ id }) => id), last: rows.length === accountsPerQuery ? rows.at(-1)?.id : undefined };
  }

  /** Sums up an account anew: an entry may have been committed after one with a higher sequence number. Returns whether it is balanced. */
  async #recheck(accountId: string): Promise<boolean> {
    const row = await this.#parts.db
      .selectFrom('accounts')
      .leftJoin('ledger_entries', 'ledger_entries.account_id', 'accounts.id')
      .select((eb) => ['accounts.balance', eb.fn.sum<number | null>('ledger_entries.amount').as('sum')])
      .select((eb) => eb.fn.sum<number | null>('ledger_entries.amount').filterWhere('ledger_entries.seq', '<=', this.#lastSeq).as('known'))
      .where('accounts.id', '=', accountId)
      .groupBy('accounts.balance')
      .executeTakeFirstOrThrow();
    this.#sums.set(accountId, Number(row.known ?? 0));
    return row.balance >= 0 && row.balance === Number(row.sum ?? 0);
  }

  /** Returns whether more entries follow. */
  async #readEntries(): Promise<boolean> {
    if (this.#isClosing) return false;
    const entries = await this.#parts.db
      .selectFrom('ledger_entries')
      .select(['seq', 'account_id', 'amount'])
      .where('seq', '>', this.#lastSeq)
      .orderBy('seq')
      .limit(entriesPerQuery)
      .execute();
    for (const { account_id, amount } of entries) this.#sums.set(account_id, (this.#sums.get(account_id) ?? 0) + amount);
    this.#lastSeq = entries.at(-1)?.seq ?? this.#lastSeq;
    return entries.length === entriesPerQuery;
  }
}
