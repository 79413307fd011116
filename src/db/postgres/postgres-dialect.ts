import { type Dialect, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import pg from 'pg';
import { timeCommits } from '../time-commits.js';
import { type PoolRole, PostgresDriver } from './postgres-driver.js';

/** Maximum connections of this process; PostgreSQL's default limit is 100 in total. */
const maxConnections: Readonly<Record<PoolRole, number>> = { reader: 4, writer: 6 };
/** How long a query waits for a free connection, or for a new one to be made (ms). */
const connectTimeoutMs = 2000;
/** How long a transaction waits for a row that another one has locked (ms); less than the time after which clients give up a query. */
const lockTimeoutMs = 1800;
/** How long the transaction of a client that vanished or was stopped may block others (ms). */
const idleTransactionMs = 5000;

/** Dialect for PostgreSQL 13 or later. Commits are synchronous, whatever the server's settings are. */
export function createPostgresDialect(url: string, onCommit?: (seconds: number) => void): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => timeCommits(new PostgresDriver((role) => openPool(url, role)), onCommit),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

function openPool(url: string, role: PoolRole): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections[role],
    application_name: 'framewright',
    connectionTimeoutMillis: connectTimeoutMs,
    idle_in_transaction_session_timeout: idleTransactionMs,
    lock_timeout: lockTimeoutMs,
    statement_timeout: 60_000,
    keepAlive: true,
    options: '-c synchronous_commit=on -c default_transaction_isolation=read\\ committed',
    types: { getTypeParser },
  });
  // The next query replaces an idle connection that is lost when the server restarts.
  pool.on('error', () => {});
  return pool;
}

const numericTypes = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

/** Parses bigint and numeric as numbers, as SQLite does; all values stay below 2⁵³. */
const getTypeParser: typeof pg.types.getTypeParser = (type: number, ...format: unknown[]) =>
  numericTypes.has(type) ? Number : pg.types.getTypeParser(type, ...(format as []));
