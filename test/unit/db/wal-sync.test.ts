import { statSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Database, type Kysely, openDatabase } from '../../../src/db/index.js';
import { DatabaseUnavailableError } from '../../../src/errors/index.js';

let folder: string;
let db: Kysely<Database>;
/** The syncs of files that are blocked. */
let syncs: Array<{ release(error?: Error): void }>;
let isBlocked: boolean;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framewright-wal-'));
  db = await openDatabase({ path: join(folder, 'framewright.db') });
  await sql`create table numbers (value integer primary key)`.execute(db);
  syncs = [];
  isBlocked = true;
  const file = await open(folder);
  const prototype = Object.getPrototypeOf(file) as FileHandle;
  await file.close();
  const datasync = prototype.datasync;
  vi.spyOn(prototype, 'datasync').mockImplementation(async function (this: FileHandle) {
    if (isBlocked) await new Promise<void>((resolve, reject) => syncs.push({ release: (error) => (error === undefined ? resolve() : reject(error)) }));
    return datasync.call(this);
  });
});

afterEach(async () => {
  isBlocked = false;
  for (const { release } of syncs) release();
  await db.destroy();
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

/** A transaction that has ended or is waiting for its sync. */
function insert(value: number): { done: Promise<void>; isDone: boolean } {
  const insertion = {
    isDone: false,
    done: db.transaction().execute(async (trx) => {
      await sql`insert into numbers values (${value})`.execute(trx);
    }),
  };
  insertion.done.then(
    () => {
      insertion.isDone = true;
    },
    () => {},
  );
  return insertion;
}

async function stored(): Promise<number[]> {
  const { rows } = await sql<{ value: number }>`select value from numbers order by value`.execute(db);
  return rows.map(({ value }) => value);
}

it('a transaction resolves after a sync that began after its commit', async () => {
  const first = insert(1);
  await vi.waitFor(() => expect(syncs).toHaveLength(1));
  const [second, third] = [insert(2), insert(3)];
  await new Promise((resolve) => setTimeout(resolve, 50));
  // The first sync may have begun before these commits; one more is for both.
  expect([first.isDone, syncs.length]).toEqual([false, 1]);
  syncs[0]?.release();
  await first.done;
  await vi.waitFor(() => expect(syncs).toHaveLength(2));
  expect([second.isDone, third.isDone]).toEqual([false, false]);
  syncs[1]?.release();
  await Promise.all([second.done, third.done]);
  expect(syncs).toHaveLength(2);
});

it('a failed sync rejects its transactions and leaves the next one alone', async () => {
  const first = insert(1);
  await vi.waitFor(() => expect(syncs).toHaveLength(1));
  let finish = (): void => {};
  let second: Promise<void> | undefined;
  await new Promise<void>((entered) => {
    second = db.transaction().execute(async (trx) => {
      await sql`insert into numbers values (2)`.execute(trx);
      entered();
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
  });
  syncs[0]?.release(new Error('input/output error'));
  await expect(first.done).rejects.toBeInstanceOf(DatabaseUnavailableError);
  finish();
  await second;
  expect(await stored()).toEqual([1, 2]);
});

it('after a failed sync nothing counts as durable before the log is copied to the main file', async () => {
  const first = insert(1);
  await vi.waitFor(() => expect(syncs).toHaveLength(1));
  syncs[0]?.release(new Error('input/output error'));
  await expect(first.done).rejects.toBeInstanceOf(DatabaseUnavailableError);
  const log = join(folder, 'framewright.db-wal');
  expect(statSync(log).size).toBeGreaterThan(0);

  // A reader of another process keeps the log in use.
  const reader = new SqliteDatabase(join(folder, 'framewright.db'), { readonly: true });
  reader.prepare('begin').run();
  reader.prepare('select * from numbers').all();
  await expect(insert(2).done).rejects.toBeInstanceOf(DatabaseUnavailableError);
  reader.close();

  await insert(3).done;
  expect([statSync(log).size, syncs.length]).toEqual([0, 1]);
  isBlocked = false;
  await insert(4).done;
  expect(await stored()).toEqual([1, 2, 3, 4]);
});
