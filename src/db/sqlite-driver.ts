import { setTimeout as sleep } from 'node:timers/promises';
import type SqliteDatabase from 'better-sqlite3';
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, SelectQueryNode } from 'kysely';

/** How long to wait for another process that writes. */
const busyTimeoutMs = 5000;
const maxStatements = 500;

/** Two connections to one file: who writes waits for its turn, who reads sees what is committed and waits for nobody. */
export interface SqliteConnections {
  writer: SqliteDatabase.Database;
  reader: SqliteDatabase.Database;
}

/**
 * Other processes (the CLI) may write meanwhile, so each transaction takes the write lock at its start: one that read
 * first and wrote later would fail at once with SQLITE_BUSY_SNAPSHOT. Nothing waits inside SQLite, which would hold up the whole process.
 */
export class SqliteDriver implements Driver {
  readonly #open: () => SqliteConnections;
  #connections: SqliteConnections | undefined;
  readonly #turns = new Turns();

  constructor(open: () => SqliteConnections) {
    this.#open = open;
  }

  async init(): Promise<void> {
    this.#connections = this.#open();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#connections === undefined) throw new Error('The database is not open.');
    return new Lane(new Statements(this.#connections.writer), new Statements(this.#connections.reader), this.#turns);
  }

  async beginTransaction(lane: DatabaseConnection): Promise<void> {
    await (lane as Lane).begin();
  }

  async commitTransaction(lane: DatabaseConnection): Promise<void> {
    await lane.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(lane: DatabaseConnection): Promise<void> {
    // A full disk has ended it already.
    if (this.#connections?.writer.inTransaction) await lane.executeQuery(CompiledQuery.raw('rollback'));
  }

  async releaseConnection(lane: DatabaseConnection): Promise<void> {
    (lane as Lane).leave();
  }

  async destroy(): Promise<void> {
    this.#connections?.reader.close();
    this.#connections?.writer.close();
    this.#connections = undefined;
  }
}

/** What Kysely takes for a connection: a transaction on the writer, or single queries on either. */
class Lane implements DatabaseConnection {
  readonly #writer: Statements;
  readonly #reader: Statements;
  readonly #turns: Turns;
  #endTurn: (() => void) | undefined;

  constructor(writer: Statements, reader: Statements, turns: Turns) {
    this.#writer = writer;
    this.#reader = reader;
    this.#turns = turns;
  }

  async begin(): Promise<void> {
    this.#endTurn = await this.#turns.take();
    await insist(() => this.#writer.run(CompiledQuery.raw('begin immediate')));
  }

  leave(): void {
    this.#endTurn?.();
    this.#endTurn = undefined;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#endTurn !== undefined) return this.#writer.run(query);
    if (SelectQueryNode.is(query.query)) return insist(() => this.#reader.run<R>(query));
    const endTurn = await this.#turns.take();
    try {
      return await insist(() => this.#writer.run<R>(query));
    } finally {
      endTurn();
    }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Rows are read in pages here, not streamed.');
  }
}

/** Queries are built anew each time but their texts are few: preparing each of them once saves a third of a submission's processor time. */
class Statements {
  static readonly #kept = new WeakMap<SqliteDatabase.Database, Map<string, SqliteDatabase.Statement>>();
  readonly #database: SqliteDatabase.Database;

  constructor(database: SqliteDatabase.Database) {
    this.#database = database;
  }

  run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const statement = this.#prepare(sql);
    if (statement.reader) return { rows: statement.all(parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
  }

  #prepare(sql: string): SqliteDatabase.Statement {
    let kept = Statements.#kept.get(this.#database);
    if (kept === undefined) {
      kept = new Map();
      Statements.#kept.set(this.#database, kept);
    }
    const known = kept.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    if (kept.size < maxStatements) kept.set(sql, statement);
    return statement;
  }
}

/** One at a time, in the order in which they came. */
class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves to the end of the turn. */
  async take(): Promise<() => void> {
    const before = this.#last;
    let end = (): void => {};
    this.#last = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    return end;
  }
}

/** Tries again while another process has the lock, and lets this one go on with other work meanwhile. */
async function insist<T>(attempt: () => T): Promise<T> {
  const deadline = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (performance.now() >= deadline || !String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error;
    }
    await sleep(5);
  }
}
