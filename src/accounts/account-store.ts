import { randomUUID } from 'node:crypto';
import { type AccountRow, type ApiKeyRow, BatchedLookup, type Database, type Kysely, lockRows, type Transaction } from '../db/index.js';
import { createKeyText, describeKey, equalHashes, hashKey, type KeyMode, looksLikeKey } from './api-key.js';
import type { Clock } from './clock.js';
import { postEntry } from './ledger.js';
import { type Limits, limitsOf, type PlanName } from './plans.js';

/** The authenticated caller: a key that exists and is not revoked. */
export interface Caller {
  accountId: string;
  keyId: string;
  mode: KeyMode;
  limits: Limits;
}

/** What an operator asks for when creating a key. */
export interface NewKey {
  accountName: string;
  /** Default: the account keeps its plan; a new account gets `free`. */
  plan?: PlanName;
  mode: KeyMode;
  credits: number;
  /** Overrides of the plan's limits; only the enterprise plan honours them. */
  limits?: Partial<Limits>;
}

/** A new key with the state of its account. */
export interface CreatedKey {
  /** The key in plain text. It is shown once: the database stores its hash only. */
  key: string;
  keyId: string;
  accountId: string;
  accountIsNew: boolean;
  plan: PlanName;
  limits: Limits;
  balance: number;
}

/** A key in the operator's listing. */
export interface ListedKey {
  keyId: string;
  accountId: string;
  accountName: string;
  plan: PlanName;
  balance: number;
  mode: KeyMode;
  /** Prefix, an ellipsis and the last four characters. */
  masked: string;
  createdAt: string;
  revokedAt: string | null;
}

type CallerRow = Pick<ApiKeyRow, 'hash' | 'mode' | 'revoked_at'> &
  Pick<AccountRow, 'plan' | 'requests_per_minute' | 'concurrent_jobs'> & { keyId: string; accountId: string };

/** Queries on accounts and their API keys. */
export class AccountStore {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #callers: BatchedLookup<CallerRow>;

  constructor(db: Kysely<Database>, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#callers = new BatchedLookup(
      db,
      (database, hasKey) =>
        database
          .selectFrom('api_keys')
          .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
          .select(['api_keys.id as keyId', 'api_keys.hash', 'api_keys.mode', 'api_keys.revoked_at', 'accounts.id as accountId'])
          .select(['accounts.plan', 'accounts.requests_per_minute', 'accounts.concurrent_jobs'])
          .where(hasKey('api_keys.hash')),
      ({ hash }) => hash,
    );
  }

  /** Finds the caller of a request; undefined for an unknown or revoked key. Reads the database each time, so a revocation takes effect at the next request. */
  async findCaller(key: string): Promise<Caller | undefined> {
    if (!looksLikeKey(key)) return undefined;
    const hash = hashKey(key);
    const row = await this.#callers.find(hash);
    if (row === undefined || !equalHashes(row.hash, hash) || row.revoked_at !== null) return undefined;
    return { accountId: row.accountId, keyId: row.keyId, mode: row.mode, limits: limitsOf(row) };
  }

  /** Creates a key, and its account if the name is new, and grants the credits, in one transaction. */
  async createKey(request: NewKey): Promise<CreatedKey> {
    const at = this.#timestamp();
    const key = createKeyText(request.mode);
    const { hash, prefix, lastFour } = describeKey(key);
    const keyId = `key_${randomUUID()}`;
    return this.#db.transaction().execute(async (trx) => {
      const { account, isNew } = await this.#openAccount(trx, request, at);
      if (request.credits > 0) await postEntry(trx, { accountId: account.id, jobId: null, kind: 'grant', amount: request.credits, at });
      await trx
        .insertInto('api_keys')
        .values({ id: keyId, account_id: account.id, mode: request.mode, hash, prefix, last_four: lastFour, created_at: at, revoked_at: null })
        .execute();
      const balance = account.balance + request.credits;
      return { key, keyId, accountId: account.id, accountIsNew: isNew, plan: account.plan, limits: limitsOf(account), balance };
    });
  }

  async #openAccount(trx: Transaction<Database>, request: NewKey, at: string): Promise<{ account: AccountRow; isNew: boolean }> {
    const found = await this.#lockAccount(trx, request.accountName);
    const account: AccountRow = {
      id: found?.id ?? `acc_${randomUUID()}`,
      name: request.accountName,
      plan: request.plan ?? found?.plan ?? 'free',
      requests_per_minute: request.limits?.requestsPerMinute ?? found?.requests_per_minute ?? null,
      concurrent_jobs: request.limits?.concurrentJobs ?? found?.concurrent_jobs ?? null,
      balance: found?.balance ?? 0,
      last_turn: found?.last_turn ?? 0,
      created_at: found?.created_at ?? at,
    };
    if (found === undefined) {
      const inserted = await trx
        .insertInto('accounts')
        .values(account)
        .onConflict((conflict) => conflict.column('name').doNothing())
        .executeTakeFirst();
      // Another process has created it since.
      if (inserted.numInsertedOrUpdatedRows !== 1n) return this.#openAccount(trx, request, at);
    } else {
      const { plan, requests_per_minute, concurrent_jobs } = account;
      await trx.updateTable('accounts').set({ plan, requests_per_minute, concurrent_jobs }).where('id', '=', account.id).execute();
    }
    return { account, isNew: found === undefined };
  }

  /** Lists the keys of all accounts, revoked ones included, by account name. */
  async listKeys(): Promise<ListedKey[]> {
    const rows = await this.#db
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      .select(['api_keys.id as keyId', 'api_keys.mode', 'api_keys.prefix', 'api_keys.last_four', 'api_keys.created_at', 'api_keys.revoked_at'])
      .select(['accounts.id as accountId', 'accounts.name', 'accounts.plan', 'accounts.balance'])
      .orderBy('accounts.name')
      .orderBy('api_keys.created_at')
      .execute();
    return rows.map((row) => ({
      keyId: row.keyId,
      accountId: row.accountId,
      accountName: row.name,
      plan: row.plan,
      balance: row.balance,
      mode: row.mode,
      masked: `${row.prefix}…${row.last_four}`,
      createdAt: row.created_at,
      revokedAt: row.revoked_at,
    }));
  }

  /** Revokes a key, given by its text or by its id. Revoking it again keeps the first time. */
  async revokeKey(keyOrId: string): Promise<'revoked' | 'already revoked' | 'unknown'> {
    const column = keyOrId.startsWith('key_') ? 'id' : 'hash';
    const value = column === 'id' ? keyOrId : hashKey(keyOrId);
    const changed = await this.#db
      .updateTable('api_keys')
      .set({ revoked_at: this.#timestamp() })
      .where(column, '=', value)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (changed.numUpdatedRows > 0n) return 'revoked';
    const known = await this.#db.selectFrom('api_keys').select('id').where(column, '=', value).executeTakeFirst();
    return known === undefined ? 'unknown' : 'already revoked';
  }

  /** Grants credits and returns the new balance; undefined if the account does not exist. */
  async grantCredits(accountName: string, credits: number): Promise<{ accountId: string; balance: number } | undefined> {
    return this.#db.transaction().execute(async (trx) => {
      const account = await this.#lockAccount(trx, accountName);
      if (account === undefined) return undefined;
      await postEntry(trx, { accountId: account.id, jobId: null, kind: 'grant', amount: credits, at: this.#timestamp() });
      return { accountId: account.id, balance: account.balance + credits };
    });
  }

  #lockAccount(trx: Transaction<Database>, name: string): Promise<AccountRow | undefined> {
    return trx.selectFrom('accounts').selectAll().where('name', '=', name).$call(lockRows(trx)).executeTakeFirst();
  }

  /** Balance in credits. */
  async getBalance(accountId: string): Promise<number> {
    const { balance } = await this.#db.selectFrom('accounts').select('balance').where('id', '=', accountId).executeTakeFirstOrThrow();
    return balance;
  }

  #timestamp(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}
