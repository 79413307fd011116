import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Kysely } from '../db/index.js';

/** Entries read at once; more would hold up the process. */
const chunk = 20_000;

/**
 * Compares balances with the ledger again and again without reading it again and again: entries are never changed,
 * so each look reads only those that came since the last one.
 */
export class LedgerAudit {
  readonly #db: Kysely<Database>;
  readonly #sums = new Map<string, number>();
  #readUpTo = 0;
  #looking: Promise<number> | undefined;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /** Accounts whose balance is not the sum of their entries, or is negative. */
  countImbalances(): Promise<number> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<number> {
    while (await this.#readChunk()) await nextTurn();
    // One statement, so that balances and the latest entries are of one moment.
    const rows = await this.#db
      .selectFrom('accounts')
      .leftJoin('ledger_entries', (join) => join.onRef('ledger_entries.account_id', '=', 'accounts.id').on('ledger_entries.seq', '>', this.#readUpTo))
      .select((eb) => ['accounts.id', 'accounts.balance', eb.fn.sum<number | null>('ledger_entries.amount').as('added')])
      .groupBy(['accounts.id', 'accounts.balance'])
      .execute();
    return rows.filter(({ id, balance, added }) => balance < 0 || balance !== (this.#sums.get(id) ?? 0) + Number(added ?? 0)).length;
  }

  /** True when there is more. */
  async #readChunk(): Promise<boolean> {
    const entries = await this.#db
      .selectFrom('ledger_entries')
      .select(['seq', 'account_id', 'amount'])
      .where('seq', '>', this.#readUpTo)
      .orderBy('seq')
      .limit(chunk)
      .execute();
    for (const { account_id, amount } of entries) this.#sums.set(account_id, (this.#sums.get(account_id) ?? 0) + amount);
    this.#readUpTo = entries.at(-1)?.seq ?? this.#readUpTo;
    return entries.length === chunk;
  }
}
