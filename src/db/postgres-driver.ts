import { setTimeout as sleep } from 'node:timers/promises';
import { type CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, SelectQueryNode } from 'kysely';
import type pg from 'pg';
import { isDatabaseUnavailable } from './availability.js';

/** How long a query waits for a server that is unreachable, starting, or out of connections (ms). */
const connectTimeoutMs = 15_000;

/** Key of the advisory lock that every writing transaction takes; the same in each process. */
const writerLockKey = 7_210_317_046;

/**
 * Kysely driver with SQLite's semantics: one transaction writes at a time, over all machines, and sees everything
 * committed before it; reads see committed data and never wait. So queries need no isolation reasoning, and
 * row order is commit order. A job's writes are few, small and often grouped, so the writer lock carries far
 * more jobs than machines can render.
 */
export class PostgresDriver implements Driver {
  readonly #open: () => pg.Pool;
  #pool: pg.Pool | undefined;

  constructor(open: () => pg.Pool) {
    this.#open = open;
  }

  async init(): Promise<void> {
    this.#pool = this.#open();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#pool === undefined) throw new Error('The database is not open.');
    return new PostgresConnection(await connectWithRetry(this.#pool));
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as PostgresConnection).begin();
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as PostgresConnection).end('commit');
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as PostgresConnection).end('rollback');
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    (connection as PostgresConnection).release();
  }

  async destroy(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.end();
  }
}

class PostgresConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  #inTransaction = false;
  #broken: Error | undefined;

  constructor(client: pg.PoolClient) {
    this.#client = client;
    client.on('error', this.#markBroken);
  }

  async begin(): Promise<void> {
    // A statement sees what was committed when it starts, so the lock must be held before the first one. Both go in one message.
    try {
      await this.#send(`begin; select pg_advisory_xact_lock(${writerLockKey})`);
    } catch (error) {
      await this.#send('rollback').catch(this.#markBroken);
      throw error;
    }
    this.#inTransaction = true;
  }

  async end(command: 'commit' | 'rollback'): Promise<void> {
    this.#inTransaction = false;
    await this.#send(command);
  }

  release(): void {
    this.#client.off('error', this.#markBroken);
    this.#client.release(this.#broken);
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#inTransaction || SelectQueryNode.is(query.query)) return this.#run(query);
    await this.begin();
    try {
      const result = await this.#run<R>(query);
      await this.end('commit');
      return result;
    } catch (error) {
      await this.end('rollback').catch(this.#markBroken);
      throw error;
    }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming queries are not supported; read rows in pages.');
  }

  async #run<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount, command } = await this.#client.query(sql, parameters.map(replaceNul)).catch(this.#checkConnection);
    return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  }

  async #send(statements: string): Promise<void> {
    await this.#client.query(statements).catch(this.#checkConnection);
  }

  readonly #markBroken = (error: Error): void => {
    this.#broken = error;
  };

  /** SQL errors have a five-character SQLSTATE and leave the connection usable. Other errors, and SQLSTATEs of a shutdown, break it. */
  readonly #checkConnection = (error: Error & { code?: string }): never => {
    if (error.code?.length !== 5 || /^(08|57P|25P03)/.test(error.code)) this.#markBroken(error);
    throw error;
  };
}

/** PostgreSQL texts cannot contain NUL; it is replaced by U+FFFD. */
function replaceNul(parameter: unknown): unknown {
  return typeof parameter === 'string' && parameter.includes('\0') ? parameter.replaceAll('\0', '\ufffd') : parameter;
}

/** Waits for a restarting server, so that requests are slower instead of failing. */
async function connectWithRetry(pool: pg.Pool): Promise<pg.PoolClient> {
  const deadline = performance.now() + connectTimeoutMs;
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      if (performance.now() >= deadline || !isDatabaseUnavailable(error)) throw error;
    }
    await sleep(100);
  }
}
