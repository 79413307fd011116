import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Kysely, type Migration, migrate, migrations, openDatabase } from '../../../src/db/index.js';
import { openTestAccounts, type TestAccounts } from '../../support/accounting.js';

let books: TestAccounts;
beforeEach(async () => {
  books = await openTestAccounts();
});
afterEach(() => books.close());
const untyped = (): Kysely<unknown> => books.db as unknown as Kysely<unknown>;

it('applies each migration once, whichever process opens the database', async () => {
  expect(await migrate(untyped())).toEqual([]);
  const others = await Promise.all([1, 2, 3].map(() => openDatabase(books.location)));
  await Promise.all(others.map((db) => db.destroy()));
});

it('rolls back a migration that fails', async () => {
  const broken: Migration = {
    name: '900-broken',
    async up(db) {
      await db.schema.createTable('half_made').addColumn('id', 'text').execute();
      throw new Error('no further');
    },
  };
  await expect(migrate(untyped(), [...migrations, broken])).rejects.toThrow('no further');
  const tables = (await books.db.introspection.getTables()).map((table) => table.name);
  expect(tables).toContain('accounts');
  expect(tables).not.toContain('half_made');
});

it('refuses a database of a newer version', async () => {
  await expect(migrate(untyped(), migrations.slice(0, 1))).rejects.toThrow(/newer version \(migrations unknown here: .*002-jobs, 003-ledger/);
});

it('lets two connections write at the same time without an error', async () => {
  const other = await openDatabase(books.location);
  const insert = (db: typeof other, name: string) =>
    db.transaction().execute(async (trx) => {
      await trx.selectFrom('accounts').select('id').execute();
      await trx.insertInto('accounts').values({ id: name, name, plan: 'free', balance: 0, created_at: 'now' }).execute();
    });
  await Promise.all(Array.from({ length: 40 }, (_, index) => insert(index % 2 === 0 ? other : books.db, `account ${index}`)));
  expect(await books.db.selectFrom('accounts').select('id').execute()).toHaveLength(40);
  await other.destroy();
});

it('creates a file that only its owner can read, in any folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'framewright-rights-'));
  const db = await openDatabase({ path: join(folder, 'framewright.db') });
  const rights = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o077);
  await db.destroy();
  rmSync(folder, { recursive: true });
  expect(rights).toEqual([0, 0, 0]);
});
