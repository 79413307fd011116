import { randomBytes } from 'node:crypto';
import { type Database, type Kysely, lockAccount, type TemplateRow } from '../db/index.js';
import { AppError } from '../errors/index.js';
import type { Clock } from './clock.js';

/** A template without its script. */
export interface TemplateMetadata {
  id: string;
  accountId: string;
  name: string;
  isPublic: boolean;
  createdAt: string;
  updatedAt: string;
}

/** A stored movie script with placeholders. */
export interface Template extends TemplateMetadata {
  /** A movie script with placeholders. */
  script: unknown;
}

/** Fields of a template to create. */
export interface NewTemplate {
  name: string;
  script: unknown;
  isPublic: boolean;
}

/** Partial update: absent fields keep their value. */
export type TemplateChanges = { [Field in keyof NewTemplate]?: NewTemplate[Field] | undefined };

/** Maximum number of templates per account; the list endpoint has no pagination. */
export const maxTemplates = 1000;

/** All columns but the script, which can be megabytes. */
const metadataColumns = ['id', 'account_id', 'name', 'is_public', 'created_at', 'updated_at'] as const;

/** Queries on templates, each on behalf of one account. */
export class TemplateStore {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;

  constructor(db: Kysely<Database>, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Creates a template. Throws VALIDATION_ERROR beyond `maxTemplates`. */
  async create(accountId: string, template: NewTemplate): Promise<TemplateMetadata> {
    const at = this.#timestamp();
    const row = {
      id: `tpl_${randomBytes(16).toString('hex')}`,
      account_id: accountId,
      name: template.name,
      is_public: Number(template.isPublic),
      created_at: at,
      updated_at: at,
    };
    return this.#db.transaction().execute(async (trx) => {
      await lockAccount(trx, accountId);
      await trx
        .insertInto('templates')
        .values({ ...row, script: JSON.stringify(template.script) })
        .execute();
      const { count } = await trx
        .selectFrom('templates')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      if (Number(count) > maxTemplates) {
        throw new AppError('VALIDATION_ERROR', {
          message: `The account already has ${maxTemplates} templates, which is the maximum. Delete one first.`,
          path: '',
        });
      }
      return parseMetadata(row);
    });
  }

  /** Lists the account's templates, newest first. */
  async list(accountId: string): Promise<TemplateMetadata[]> {
    const rows = await this.#db.selectFrom('templates').select(metadataColumns).where('account_id', '=', accountId).orderBy('seq', 'desc').execute();
    return rows.map(parseMetadata);
  }

  /** Reads an own or a public template. Throws NOT_FOUND, or FORBIDDEN if it is private to another account. */
  async get(accountId: string, id: string): Promise<Template> {
    const row = await this.#db
      .selectFrom('templates')
      .select([...metadataColumns, 'script'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) throw notFound();
    if (row.account_id !== accountId && row.is_public === 0) throw new AppError('FORBIDDEN', { message: 'This template belongs to another account.' });
    return { ...parseMetadata(row), script: JSON.parse(row.script) as unknown };
  }

  /** Changes an own template. Throws NOT_FOUND or FORBIDDEN. */
  async update(accountId: string, id: string, changes: TemplateChanges): Promise<TemplateMetadata> {
    const { name, script, isPublic } = changes;
    const isEmpty = name === undefined && script === undefined && isPublic === undefined;
    return this.#db.transaction().execute(async (trx) => {
      const row = await trx.selectFrom('templates').select(metadataColumns).where('id', '=', id).executeTakeFirst();
      const changed = {
        ...(name !== undefined && { name }),
        ...(isPublic !== undefined && { is_public: Number(isPublic) }),
        updated_at: this.#timestamp(),
      };
      const owned = requireOwned(row, accountId);
      if (isEmpty) return parseMetadata(owned);
      await trx
        .updateTable('templates')
        .set({ ...changed, ...(script !== undefined && { script: JSON.stringify(script) }) })
        .where('id', '=', id)
        .execute();
      return parseMetadata({ ...owned, ...changed });
    });
  }

  /** Deletes an own template. Throws NOT_FOUND or FORBIDDEN. */
  async delete(accountId: string, id: string): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      requireOwned(await trx.selectFrom('templates').select(metadataColumns).where('id', '=', id).executeTakeFirst(), accountId);
      await trx.deleteFrom('templates').where('id', '=', id).execute();
    });
  }

  #timestamp(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}

type MetadataRow = Pick<TemplateRow, (typeof metadataColumns)[number]>;

function requireOwned(row: MetadataRow | undefined, accountId: string): MetadataRow {
  if (row === undefined) throw notFound();
  if (row.account_id !== accountId)
    throw new AppError('FORBIDDEN', { message: 'This template belongs to another account: only its owner may change or delete it.' });
  return row;
}

function notFound(): AppError {
  return new AppError('NOT_FOUND', { message: 'Template not found.' });
}

function parseMetadata(row: MetadataRow): TemplateMetadata {
  return { id: row.id, accountId: row.account_id, name: row.name, isPublic: row.is_public === 1, createdAt: row.created_at, updatedAt: row.updated_at };
}
