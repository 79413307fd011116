import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDatabase as SqliteDialectDatabase,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

/** How long to wait for another process that writes. */
const busyTimeoutMs = 5000;
const maxStatements = 500;

/**
 * SQLite for money: a commit is on disk before it is acknowledged (WAL, synchronous FULL).
 * Other processes (the CLI) may write meanwhile, so each transaction takes the write lock at its start:
 * one that read first and wrote later would fail at once with SQLITE_BUSY_SNAPSHOT, whatever the timeout.
 */
export function createSqliteDialect(path: string, onCommit?: (seconds: number) => void): Dialect {
  const inner = new SqliteDialect({ database: async () => keepStatements(openDatabaseFile(path)) });
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => timeCommits(takeWriteLockAtBegin(inner.createDriver()), onCommit),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function openDatabaseFile(path: string): SqliteDatabase.Database {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = new SqliteDatabase(path, { timeout: busyTimeoutMs });
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  // What was secret does not stay behind in free pages.
  database.pragma('secure_delete = ON');
  return database;
}

/** Queries are built anew each time but their texts are few: preparing each of them once saves a third of a submission's processor time. */
function keepStatements(database: SqliteDatabase.Database): SqliteDialectDatabase {
  const statements = new Map<string, SqliteDatabase.Statement>();
  return {
    prepare(sql) {
      const kept = statements.get(sql);
      if (kept !== undefined) return kept;
      const statement = database.prepare(sql);
      if (statements.size < maxStatements) statements.set(sql, statement);
      return statement;
    },
    close: () => database.close(),
  };
}

function timeCommits(driver: Driver, onCommit: ((seconds: number) => void) | undefined): Driver {
  if (onCommit === undefined) return driver;
  const commit = driver.commitTransaction.bind(driver);
  driver.commitTransaction = async (connection) => {
    const startedAt = performance.now();
    await commit(connection);
    onCommit((performance.now() - startedAt) / 1000);
  };
  return driver;
}

function takeWriteLockAtBegin(driver: Driver): Driver {
  driver.beginTransaction = async (connection: DatabaseConnection) => {
    const deadline = performance.now() + busyTimeoutMs;
    while (!(await tryBegin(connection, performance.now() >= deadline))) await sleep(5);
  };
  return driver;
}

/** Does not wait inside SQLite, which would hold up the whole process. False: someone else writes at the moment. */
async function tryBegin(connection: DatabaseConnection, lastTry: boolean): Promise<boolean> {
  await connection.executeQuery(CompiledQuery.raw('pragma busy_timeout = 0'));
  try {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
    return true;
  } catch (error) {
    if (lastTry || !String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error;
    return false;
  } finally {
    await connection.executeQuery(CompiledQuery.raw(`pragma busy_timeout = ${busyTimeoutMs}`));
  }
}
