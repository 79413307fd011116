import { type Database, type Kysely, lockAccount, type Transaction } from '../../db/index.js';
import { createSecret } from './signature.js';

/** How long a replaced secret still signs beside its successor: 24 hours. */
export const rotationMs = 24 * 60 * 60 * 1000;

/** Signing secrets of accounts. An account's first secret is created on first use. */
export class WebhookSecretStore {
  readonly #db: Kysely<Database>;
  readonly #clock: { now(): number };

  constructor(db: Kysely<Database>, clock: { now(): number }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** The secrets in use, the current one first. */
  async listSigning(accountId: string): Promise<string[]> {
    const found = await this.#select(this.#db, accountId);
    return found.length > 0 ? found : this.#db.transaction().execute((trx) => this.#findOrCreate(trx, accountId));
  }

  /** The current secret of an account; undefined when the account does not exist. */
  async find(accountName: string): Promise<string | undefined> {
    const accountId = await this.#findAccount(accountName);
    return accountId === undefined ? undefined : (await this.listSigning(accountId))[0];
  }

  /** Creates a new current secret; the previous ones sign for 24 more hours. Undefined when the account does not exist. */
  async rotate(accountName: string): Promise<string | undefined> {
    const accountId = await this.#findAccount(accountName);
    if (accountId === undefined) return undefined;
    return this.#db.transaction().execute(async (trx) => {
      await lockAccount(trx, accountId);
      await trx
        .updateTable('webhook_secrets')
        .set({ retires_at: this.#timestamp(rotationMs) })
        .where('account_id', '=', accountId)
        .where('retires_at', 'is', null)
        .execute();
      await trx.deleteFrom('webhook_secrets').where('account_id', '=', accountId).where('retires_at', '<=', this.#timestamp()).execute();
      return this.#create(trx, accountId);
    });
  }

  async #findOrCreate(trx: Transaction<Database>, accountId: string): Promise<string[]> {
    await lockAccount(trx, accountId);
    const found = await this.#select(trx, accountId);
    return found.length > 0 ? found : [await this.#create(trx, accountId)];
  }

  async #create(trx: Transaction<Database>, accountId: string): Promise<string> {
    const secret = createSecret();
    await trx.insertInto('webhook_secrets').values({ account_id: accountId, secret, created_at: this.#timestamp(), retires_at: null }).execute();
    return secret;
  }

  async #select(db: Kysely<Database>, accountId: string): Promise<string[]> {
    const rows = await db
      .selectFrom('webhook_secrets')
      .select('secret')
      .where('account_id', '=', accountId)
      .where((eb) => eb.or([eb('retires_at', 'is', null), eb('retires_at', '>', this.#timestamp())]))
      .orderBy('id', 'desc')
      .execute();
    return rows.map((row) => row.secret);
  }

  async #findAccount(name: string): Promise<string | undefined> {
    return (await this.#db.selectFrom('accounts').select('id').where('name', '=', name).executeTakeFirst())?.id;
  }

  #timestamp(laterMs = 0): string {
    return new Date(this.#clock.now() + laterMs).toISOString();
  }
}
