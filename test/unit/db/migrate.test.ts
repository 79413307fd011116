import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Kysely, type Migration, migrate, migrations, openDatabase } from '../../../src/db/index.js';
import { createExportDeliveries } from '../../../src/db/migrations/export-deliveries.js';
import { createExportHolds } from '../../../src/db/migrations/export-holds.js';
import { createWebhooks } from '../../../src/db/migrations/webhooks.js';
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

it('moves webhooks and exports of earlier versions into one table', async () => {
  // biome-ignore lint/suspicious/noExplicitAny: tables of an earlier version have no types
  const db = books.db as unknown as Kysely<any>;
  for (const table of ['delivery_attempts', 'deliveries', 'webhook_secrets']) await db.schema.dropTable(table).execute();
  await createWebhooks(untyped());
  await createExportDeliveries(untyped());
  await createExportHolds(untyped());
  const last = migrations.findIndex(({ name }) => name.endsWith('-deliveries') && !name.includes('export'));
  await db.deleteFrom('schema_migrations').where('name', '=', migrations[last]?.name).execute();
  const { accountId } = await books.accounts.createKey({ accountName: 'acme', mode: 'live', credits: 10 });
  const at = (second: number): string => `2030-01-01T00:00:0${second}.000Z`;
  for (const [index, id] of ['first', 'second'].entries()) {
    const finished = { status: 'completed', progress: 1, finished_at: at(index) };
    await db
      .insertInto('jobs')
      .values({ id, account_id: accountId, mode: 'live', script: '{}', estimated_credits: 1, attempts: 1, created_at: at(0), ...finished })
      .execute();
  }
  const webhook = { account_id: accountId, url: 'https://example.com/hook', host: 'example.com' };
  await db
    .insertInto('webhook_deliveries')
    .values([
      { job_id: 'second', ...webhook, status: 'pending', attempts: 1, next_attempt_at: at(9) },
      { job_id: 'first', ...webhook, status: 'abandoned', attempts: 2, next_attempt_at: null },
    ])
    .execute();
  const attempt = { job_id: 'first', http_status: 500, error: 'answered 500' };
  await db
    .insertInto('webhook_attempts')
    .values([
      { ...attempt, number: 1, started_at: at(1), finished_at: at(2) },
      { ...attempt, number: 2, started_at: at(3), finished_at: at(4) },
      { ...attempt, job_id: 'second', number: 1, started_at: at(5), finished_at: null, http_status: null, error: null },
    ])
    .execute();
  const exported = { job_id: 'second', account_id: accountId, type: 's3' };
  await db
    .insertInto('export_deliveries')
    .values([
      { ...exported, ordinal: 0, target: null, status: 'delivered', runs: 1, attempts: 2, location: 's3://b/k', message: 'Delivered.', finished_at: at(7) },
      { ...exported, ordinal: 1, target: '{"type":"s3"}', status: 'pending', runs: 1, attempts: 0, location: null, message: null, finished_at: null },
    ])
    .execute();
  await sql`insert into export_holds values ('second', 'host-1', ${at(9)})`.execute(db);

  expect(await migrate(untyped())).toEqual([migrations[last]?.name]);
  const free = { holder: null, lease_expires_at: null };
  const { url, ...shared } = { ...webhook, kind: 'webhook', ordinal: 0, type: 'webhook', target: webhook.url, location: null, ...free };
  const failed = { status: 'failed', runs: 2, token: 2, attempts: 2, next_attempt_at: null, message: 'answered 500', finished_at: at(4) };
  const pending = { status: 'pending', runs: 1, token: 1, attempts: 1, next_attempt_at: at(9), message: null, finished_at: null };
  const open = { ...exported, kind: 'export', host: null, runs: 1, token: 1, ...free };
  expect(await db.selectFrom('deliveries').selectAll().orderBy('id').execute()).toEqual([
    { id: 1, job_id: 'first', ...shared, ...failed },
    { id: 2, job_id: 'second', ...shared, ...pending },
    {
      ...{ id: 3, ...open, ordinal: 0, target: null, status: 'delivered', attempts: 2, next_attempt_at: null },
      ...{ location: 's3://b/k', message: 'Delivered.', finished_at: at(7) },
    },
    {
      ...{ id: 4, ...open, ordinal: 1, target: '{"type":"s3"}', status: 'pending', attempts: 0, next_attempt_at: at(1) },
      ...{ location: null, message: null, finished_at: null },
    },
  ]);
  expect(await db.selectFrom('delivery_attempts').select(['delivery_id', 'number', 'error']).orderBy('started_at').execute()).toEqual([
    { delivery_id: 1, number: 1, error: 'answered 500' },
    { delivery_id: 1, number: 2, error: 'answered 500' },
    { delivery_id: 2, number: 1, error: null },
  ]);
  const tables = (await books.db.introspection.getTables()).map((table) => table.name);
  for (const dropped of ['webhook_deliveries', 'webhook_attempts', 'export_deliveries', 'export_holds']) expect(tables).not.toContain(dropped);
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
