import type { Database, Kysely, Transaction } from '../../db/index.js';
import { createSecret } from './signature.js';
import type { WallClock } from './webhook-store.js';

/** How long a replaced secret signs beside its successor. */
export const rotationMs = 24 * 60 * 60 * 1000;

/** The secrets that webhooks are signed with. An account has one from the first time that anyone asks for it. */
export class WebhookSecretStore {
  readonly #db: Kysely<Database>;
  readonly #clock: WallClock;

  constructor(db: Kysely<Database>, clock: WallClock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Those that sign now, the current one first. */
  async listSigning(accountId: string): Promise<string[]> {
    const found = await this.#select(this.#db, accountId);
    return found.length > 0 ? found : this.#db.transaction().execute((trx) => this.#openSigning(trx, accountId));
  }

  /** The current secret of an account; undefined when there is no such account. */
  async find(accountName: string): Promise<string | undefined> {
    const accountId = await this.#findAccount(accountName);
    return accountId === undefined ? undefined : (await this.listSigning(accountId))[0];
  }

  /** A new current secret; those before it sign for one more day. */
  async rotate(accountName: string): Promise<string | undefined> {
    const accountId = await this.#findAccount(accountName);
    if (accountId === undefined) return undefined;
    return this.#db.transaction().execute(async (trx) => {
      await trx
        .updateTable('webhook_secrets')
        .set({ retires_at: this.#at(rotationMs) })
        .where('account_id', '=', accountId)
        .where('retires_at', 'is', null)
        .execute();
      await trx.deleteFrom('webhook_secrets').where('account_id', '=', accountId).where('retires_at', '<=', this.#at()).execute();
      return this.#create(trx, accountId);
    });
  }

  async #openSigning(trx: Transaction<Database>, accountId: string): Promise<string[]> {
    const found = await this.#select(trx, accountId);
    return found.length > 0 ? found : [await this.#create(trx, accountId)];
  }

  async #create(trx: Transaction<Database>, accountId: string): Promise<string> {
    const secret = createSecret();
    await trx.insertInto('webhook_secrets').values({ account_id: accountId, secret, created_at: this.#at(), retires_at: null }).execute();
    return secret;
  }

  async #select(db: Kysely<Database>, accountId: string): Promise<string[]> {
    const rows = await db
      .selectFrom('webhook_secrets')
      .select('secret')
      .where('account_id', '=', accountId)
      .where((eb) => eb.or([eb('retires_at', 'is', null), eb('retires_at', '>', this.#at())]))
      .orderBy('id', 'desc')
      .execute();
    return rows.map((row) => row.secret);
  }

  async #findAccount(name: string): Promise<string | undefined> {
    return (await this.#db.selectFrom('accounts').select('id').where('name', '=', name).executeTakeFirst())?.id;
  }

  #at(laterMs = 0): string {
    return new Date(this.#clock.now() + laterMs).toISOString();
  }
}
