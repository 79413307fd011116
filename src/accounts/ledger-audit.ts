import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database, Kysely } from '../db/index.js';

/** Entries read per query; larger chunks would block the event loop. */
const chunkSize = 20_000;

/**
 * Compares balances with the ledger incrementally: entries never change, so each audit
 * reads only those added since the last one. Concurrent calls share one audit.
 */
export class LedgerAudit {
  readonly #db: Kysely<Database>;
  readonly #sums = new Map<string, number>();
  #lastSeq = 0;
  #running: Promise<number> | undefined;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /** Number of accounts whose balance is negative or differs from the sum of their entries. */
  countImbalances(): Promise<number> {
    this.#running ??= this.#audit().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #audit(): Promise<number> {
    while (await this.#readChunk()) await yieldToEventLoop();
    // A single statement reads balances and the newest entries from the same snapshot.
    const rows = await this.#db
      .selectFrom('accounts')
      .leftJoin('ledger_entries', (join) => join.onRef('ledger_entries.account_id', '=', 'accounts.id').on('ledger_entries.seq', '>', this.#lastSeq))
      .select((eb) => ['accounts.id', 'accounts.balance', eb.fn.sum<number | null>('ledger_entries.amount').as('added')])
      .groupBy(['accounts.id', 'accounts.balance'])
      .execute();
    const suspects = rows.filter(({ id, balance, added }) => balance < 0 || balance !== (this.#sums.get(id) ?? 0) + Number(added ?? 0));
    let imbalances = 0;
    for (const { id } of suspects) if (!(await this.#recheck(id))) imbalances += 1;
    return imbalances;
  }

  /** Sums up an account anew: an entry may have been committed after one with a higher sequence number. Returns whether it is balanced. */
  async #recheck(accountId: string): Promise<boolean> {
    const row = await this.#db
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
  async #readChunk(): Promise<boolean> {
    const entries = await this.#db
      .selectFrom('ledger_entries')
      .select(['seq', 'account_id', 'amount'])
      .where('seq', '>', this.#lastSeq)
      .orderBy('seq')
      .limit(chunkSize)
      .execute();
    for (const { account_id, amount } of entries) this.#sums.set(account_id, (this.#sums.get(account_id) ?? 0) + amount);
    this.#lastSeq = entries.at(-1)?.seq ?? this.#lastSeq;
    return entries.length === chunkSize;
  }
}
