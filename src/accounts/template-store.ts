import { randomBytes } from 'node:crypto';
import type { Database, Kysely, TemplateRow } from '../db/index.js';
import { AppError } from '../errors/index.js';
import type { Clock } from './clock.js';

export interface TemplateMetadata {
  id: string;
  accountId: string;
  name: string;
  isPublic: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface Template extends TemplateMetadata {
  /** A movie script with placeholders. */
  script: unknown;
}

export interface NewTemplate {
  name: string;
  script: unknown;
  isPublic: boolean;
}

/** What is absent stays as it is. */
export type TemplateChanges = { [Field in keyof NewTemplate]?: NewTemplate[Field] | undefined };

/** Per account: the list has no pages. */
export const maxTemplates = 1000;

/** Everything but the script, which can be megabytes. */
const factColumns = ['id', 'account_id', 'name', 'is_public', 'created_at', 'updated_at'] as const;

/** The queries on templates, each for one account. */
export class TemplateStore {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;

  constructor(db: Kysely<Database>, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

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
        throw new AppError('VALIDATION_ERROR', { message: `An account has at most ${maxTemplates} templates. Delete one that is not needed.`, path: '' });
      }
      return parseFacts(row);
    });
  }

  /** The account's own, newest first. */
  async list(accountId: string): Promise<TemplateMetadata[]> {
    const rows = await this.#db.selectFrom('templates').select(factColumns).where('account_id', '=', accountId).orderBy('seq', 'desc').execute();
    return rows.map(parseFacts);
  }

  /** The account's own, or a public one. NOT_FOUND when there is none, FORBIDDEN when it is another's. */
  async get(accountId: string, id: string): Promise<Template> {
    const row = await this.#db
      .selectFrom('templates')
      .select([...factColumns, 'script'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) throw notFound();
    if (row.account_id !== accountId && row.is_public === 0) throw new AppError('FORBIDDEN', { message: 'This template belongs to another account.' });
    return { ...parseFacts(row), script: JSON.parse(row.script) as unknown };
  }

  async update(accountId: string, id: string, changes: TemplateChanges): Promise<TemplateMetadata> {
    const { name, script, isPublic } = changes;
    const nothing = name === undefined && script === undefined && isPublic === undefined;
    return this.#db.transaction().execute(async (trx) => {
      const row = await trx.selectFrom('templates').select(factColumns).where('id', '=', id).executeTakeFirst();
      const changed = {
        ...(name !== undefined && { name }),
        ...(isPublic !== undefined && { is_public: Number(isPublic) }),
        updated_at: this.#timestamp(),
      };
      const owned = requireOwned(row, accountId);
      if (nothing) return parseFacts(owned);
      await trx
        .updateTable('templates')
        .set({ ...changed, ...(script !== undefined && { script: JSON.stringify(script) }) })
        .where('id', '=', id)
        .execute();
      return parseFacts({ ...owned, ...changed });
    });
  }

  /** For good. */
  async delete(accountId: string, id: string): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      requireOwned(await trx.selectFrom('templates').select(factColumns).where('id', '=', id).executeTakeFirst(), accountId);
      await trx.deleteFrom('templates').where('id', '=', id).execute();
    });
  }

  #timestamp(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}

type FactRow = Pick<TemplateRow, (typeof factColumns)[number]>;

function requireOwned(row: FactRow | undefined, accountId: string): FactRow {
  if (row === undefined) throw notFound();
  if (row.account_id !== accountId) throw new AppError('FORBIDDEN', { message: 'Only its owner may change or delete a template.' });
  return row;
}

function notFound(): AppError {
  return new AppError('NOT_FOUND', { message: 'There is no such template.' });
}

function parseFacts(row: FactRow): TemplateMetadata {
  return { id: row.id, accountId: row.account_id, name: row.name, isPublic: row.is_public === 1, createdAt: row.created_at, updatedAt: row.updated_at };
}
