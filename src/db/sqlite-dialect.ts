import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { type SqliteConnections, SqliteDriver } from './sqlite-driver.js';
import { timeCommits } from './time-commits.js';

/** SQLite dialect with durable commits: SQLite writes them to its write-ahead log, `WalSync` syncs it. */
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
  // The database holds secrets of webhooks and exports. WAL and shm files inherit its mode.
  closeSync(openSync(path, 'a', 0o600));
  // Enabling WAL and crash recovery need exclusive access, once.
  const writer = new SqliteDatabase(path, { timeout: 5000 });
  writer.pragma('journal_mode = WAL');
  // Pages are copied to the main file less often, each once for several commits that change it.
  writer.pragma('wal_autocheckpoint = 4000');
  // Syncs at checkpoints only: commits are synced by WalSync.
  writer.pragma('synchronous = NORMAL');
  writer.pragma('foreign_keys = ON');
  // Deleted secrets must not stay in free pages.
  writer.pragma('secure_delete = ON');
  const reader = new SqliteDatabase(path, { timeout: 5000 });
  reader.pragma('query_only = ON');
  // From here on the driver retries without blocking the event loop.
  for (const connection of [writer, reader]) connection.pragma('busy_timeout = 0');
  return { writer, reader, path };
}
