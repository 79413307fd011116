import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { type SqliteConnections, SqliteDriver } from './sqlite-driver.js';
import { timeCommits } from './time-commits.js';

/** SQLite for money: a commit is on disk before it is acknowledged (WAL, synchronous FULL). */
export function createSqliteDialect(path: string, onCommit?: (seconds: number) => void): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => timeCommits(new SqliteDriver(() => openConnections(path)), onCommit),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function openConnections(path: string): SqliteConnections {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // There are secrets of webhooks and exports in it; the files beside it take its rights over.
  closeSync(openSync(path, 'a', 0o600));
  // Turning the log on and recovering from a crash need the file to themselves, once.
  const writer = new SqliteDatabase(path, { timeout: 5000 });
  writer.pragma('journal_mode = WAL');
  writer.pragma('synchronous = FULL');
  writer.pragma('foreign_keys = ON');
  // What was secret does not stay behind in free pages.
  writer.pragma('secure_delete = ON');
  const reader = new SqliteDatabase(path, { timeout: 5000 });
  reader.pragma('query_only = ON');
  // From now on the driver waits, outside SQLite.
  for (const connection of [writer, reader]) connection.pragma('busy_timeout = 0');
  return { writer, reader };
}
