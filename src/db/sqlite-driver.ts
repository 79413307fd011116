import { setTimeout as sleep } from 'node:timers/promises';
import type SqliteDatabase from 'better-sqlite3';
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, SelectQueryNode } from 'kysely';
import { DatabaseUnavailableError } from '../errors/index.js';
import { WalSync } from './wal-sync.js';

/** How long to wait for another process's write lock. */
const busyTimeoutMs = 5000;
/** Maximum cached prepared statements per connection. */
const maxStatements = 500;

/** Two connections to one file: writes are serialized on one, reads on the other see committed data and never wait. */
export interface SqliteConnections {
  writer: SqliteDatabase.Database;
  reader: SqliteDatabase.Database;
  path: string;
}

/**
 * Kysely driver for SQLite. Transactions take the write lock at BEGIN, because other processes (the CLI) may write:
 * one that read first and wrote later would fail with SQLITE_BUSY_SNAPSHOT. Waiting happens outside SQLite, as it would block the event loop.
 */
export class SqliteDriver implements Driver {
  readonly #open: () => SqliteConnections;
  #connections: (SqliteConnections & { wal: WalSync }) | undefined;
  readonly #mutex = new Mutex();

  constructor(open: () => SqliteConnections) {
    this.#open = open;
  }

  async init(): Promise<void> {
    const connections = this.#open();
    this.#connections = { ...connections, wal: new WalSync(connections.path, () => this.#checkpoint(connections.writer)) };
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#connections === undefined) throw new Error('The database is not open.');
    const { writer, reader, wal } = this.#connections;
    return new SqliteConnection(new Statements(writer), new Statements(reader), wal, this.#mutex);
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as SqliteConnection).begin();
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as SqliteConnection).commit();
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    (connection as SqliteConnection).rollback();
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    (connection as SqliteConnection).release();
  }

  /** Copies the log to the main file and empties it. Rejects if another process prevents that. */
  async #checkpoint(writer: SqliteDatabase.Database): Promise<void> {
    const unlock = await this.#mutex.lock();
    try {
      const [row] = writer.pragma('wal_checkpoint(truncate)') as Array<{ busy: number }>;
      if (row?.busy !== 0) throw new Error('The write-ahead log is in use and cannot be copied to the main file.');
    } finally {
      unlock();
    }
  }

  async destroy(): Promise<void> {
    const connections = this.#connections;
    this.#connections = undefined;
    try {
      await connections?.wal.close();
    } finally {
      connections?.reader.close();
      connections?.writer.close();
    }
  }
}

/** A Kysely connection: runs a transaction on the writer, or single queries on either connection. */
class SqliteConnection implements DatabaseConnection {
  readonly #writer: Statements;
  readonly #reader: Statements;
  readonly #wal: WalSync;
  readonly #mutex: Mutex;
  #unlock: (() => void) | undefined;

  constructor(writer: Statements, reader: Statements, wal: WalSync, mutex: Mutex) {
    this.#writer = writer;
    this.#reader = reader;
    this.#wal = wal;
    this.#mutex = mutex;
  }

  async begin(): Promise<void> {
    this.#unlock = await this.#mutex.lock();
    await retryWhileBusy(() => this.#writer.run(CompiledQuery.raw('begin immediate')));
  }

  /** Resolves when the transaction is durable; the next one begins before that. */
  async commit(): Promise<void> {
    this.#writer.run(CompiledQuery.raw('commit'));
    this.release();
    await this.#wal.flush();
  }

  /** Does nothing after a commit that could not be made durable: the writer may be in the next transaction. */
  rollback(): void {
    // SQLite has already rolled back if the disk is full.
    if (this.#unlock !== undefined && this.#writer.isInTransaction) this.#writer.run(CompiledQuery.raw('rollback'));
  }

  release(): void {
    this.#unlock?.();
    this.#unlock = undefined;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#unlock !== undefined) return this.#writer.run(query);
    if (SelectQueryNode.is(query.query)) return retryWhileBusy(() => this.#reader.run<R>(query));
    const unlock = await this.#mutex.lock();
    let result: QueryResult<R>;
    try {
      result = await retryWhileBusy(() => this.#writer.run<R>(query));
    } finally {
      unlock();
    }
    if (!this.#writer.isReadOnly(query)) await this.#wal.flush();
    return result;
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming queries are not supported; read rows in pages.');
  }
}

/** Caches prepared statements by SQL text, which saves a third of a submission's CPU time. */
class Statements {
  static readonly #cache = new WeakMap<SqliteDatabase.Database, Map<string, SqliteDatabase.Statement>>();
  readonly #database: SqliteDatabase.Database;

  constructor(database: SqliteDatabase.Database) {
    this.#database = database;
  }

  get isInTransaction(): boolean {
    return this.#database.inTransaction;
  }

  run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const statement = this.#prepare(sql);
    if (statement.reader) return { rows: statement.all(parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
  }

  isReadOnly({ sql }: CompiledQuery): boolean {
    return this.#prepare(sql).readonly;
  }

  #prepare(sql: string): SqliteDatabase.Statement {
    let cached = Statements.#cache.get(this.#database);
    if (cached === undefined) {
      cached = new Map();
      Statements.#cache.set(this.#database, cached);
    }
    const known = cached.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    if (cached.size < maxStatements) cached.set(sql, statement);
    return statement;
  }
}

/** FIFO mutex. */
class Mutex {
  #last: Promise<void> = Promise.resolve();

  /** Waits for the lock and returns the function that releases it. */
  async lock(): Promise<() => void> {
    const previous = this.#last;
    let release = (): void => {};
    this.#last = new Promise((resolve) => {
      release = resolve;
    });
    await previous;
    return release;
  }
}

/** Retries while another process has the lock, without blocking the event loop. */
async function retryWhileBusy<T>(attempt: () => T): Promise<T> {
  const deadline = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error;
      if (performance.now() >= deadline) throw new DatabaseUnavailableError(error);
    }
    await sleep(5);
  }
}
