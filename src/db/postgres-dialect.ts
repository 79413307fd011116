import { type Dialect, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import pg from 'pg';
import { PostgresDriver } from './postgres-driver.js';
import { timeCommits } from './time-commits.js';

/** So many queries at once from this process; PostgreSQL allows 100 connections in all unless told otherwise. */
const maxConnections = 10;

/** A client that vanished in the middle of a transaction (a cut network) holds up the others for so long at most. */
const abandonedMs = 10_000;

/** PostgreSQL 13 and later. A commit is on the server's disk before it is acknowledged, whatever its own settings say. */
export function createPostgresDialect(url: string, onCommit?: (seconds: number) => void): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => timeCommits(new PostgresDriver(() => openPool(url)), onCommit),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    application_name: 'framewright',
    connectionTimeoutMillis: 5000,
    idle_in_transaction_session_timeout: abandonedMs,
    lock_timeout: 2 * abandonedMs,
    statement_timeout: 60_000,
    keepAlive: true,
    options: '-c synchronous_commit=on -c default_transaction_isolation=read\\ committed',
    types: { getTypeParser },
  });
  // A connection that waits and is lost (the server restarts) is replaced by the next query.
  pool.on('error', () => {});
  return pool;
}

const numbers = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

/** Counts and sums are numbers here as in SQLite; all of them stay below 2⁵³. */
const getTypeParser: typeof pg.types.getTypeParser = (type: number, ...format: unknown[]) =>
  numbers.has(type) ? Number : pg.types.getTypeParser(type, ...(format as []));
