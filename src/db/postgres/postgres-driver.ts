import { setTimeout as sleep } from 'node:timers/promises';
import { type CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, RawNode, SelectQueryNode } from 'kysely';
import type pg from 'pg';
import { DatabaseUnavailableError } from '../../errors/index.js';
import type { TimedQuery } from '../prepared-query.js';

/** How long a query waits for a server that is unreachable, starting, or out of connections (ms). */
const connectTimeoutMs = 2000;

/**
 * Kysely driver for PostgreSQL. Transactions and writes run on one pool, other reads on another, so that reads never wait behind
 * blocked writers. Isolation is read committed: transactions lock the rows that their decisions depend on (`lockRows`, `lockAccount`).
 */
export class PostgresDriver implements Driver {
  readonly #open: (role: PoolRole) => pg.Pool;
  #pools: Record<PoolRole, pg.Pool> | undefined;

  constructor(open: (role: PoolRole) => pg.Pool) {
    this.#open = open;
  }

  async init(): Promise<void> {
    this.#pools = { reader: this.#open('reader'), writer: this.#open('writer') };
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#pools === undefined) throw new Error('The database is not open.');
    return new PostgresConnection(this.#pools);
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
    const pools = this.#pools;
    this.#pools = undefined;
    await Promise.all(Object.values(pools ?? {}).map((pool) => pool.end()));
  }
}

/** An option of a query that the types of pg lack (ms). */
type TimedConfig = pg.QueryConfig & { query_timeout?: number | undefined };

/** What the connections of a pool are used for. */
export type PoolRole = 'reader' | 'writer';

/** A Kysely connection: a transaction on a connection of the writer pool, or single statements on connections of either pool. */
class PostgresConnection implements DatabaseConnection {
  readonly #pools: Record<PoolRole, pg.Pool>;
  #transaction: pg.PoolClient | undefined;
  #broken: Error | undefined;

  constructor(pools: Record<PoolRole, pg.Pool>) {
    this.#pools = pools;
  }

  async begin(): Promise<void> {
    this.#transaction = await this.#connect('writer');
    await this.#send(this.#transaction, 'begin', connectTimeoutMs);
  }

  async end(command: 'commit' | 'rollback'): Promise<void> {
    // A lost or stalled connection is closed, which rolls its transaction back.
    if (command === 'rollback' && this.#broken !== undefined) return;
    if (this.#transaction !== undefined) await this.#send(this.#transaction, command);
  }

  release(): void {
    if (this.#transaction !== undefined) this.#disconnect(this.#transaction);
    this.#transaction = undefined;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#transaction !== undefined) return this.#run(this.#transaction, query);
    const client = await this.#connect(isRead(query) ? 'reader' : 'writer');
    try {
      return await this.#run<R>(client, query);
    } finally {
      this.#disconnect(client);
    }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming queries are not supported; read rows in pages.');
  }

  async #connect(role: PoolRole): Promise<pg.PoolClient> {
    const client = await connectWithRetry(this.#pools[role]);
    this.#broken = undefined;
    client.on('error', this.#markBroken);
    return client;
  }

  #disconnect(client: pg.PoolClient): void {
    client.off('error', this.#markBroken);
    client.release(this.#broken);
  }

  async #run<R>(client: pg.PoolClient, { sql: text, parameters, timeoutMs, name }: TimedQuery): Promise<QueryResult<R>> {
    const config: TimedConfig = { text, values: parameters.map(replaceNul), query_timeout: timeoutMs, ...(name !== undefined && { name }) };
    const { rows, rowCount, command } = await client.query(config).catch(this.#checkConnection);
    return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  }

  async #send(client: pg.PoolClient, text: string, timeoutMs?: number): Promise<void> {
    const config: TimedConfig = { text, query_timeout: timeoutMs };
    await client.query(config).catch(this.#checkConnection);
  }

  readonly #markBroken = (error: Error): void => {
    this.#broken = error;
  };

  /** SQL errors have a five-character SQLSTATE and leave the connection usable. Other errors, and SQLSTATEs of a shutdown, break it. */
  readonly #checkConnection = (error: Error & { code?: string }): never => {
    if (error.code?.length !== 5 || /^(08|57P|25P03)/.test(error.code)) this.#markBroken(error);
    throw isOutage(error) ? new DatabaseUnavailableError(error) : error;
  };
}

/** Raw SQL counts as a read if it starts with SELECT. */
function isRead({ query, sql }: CompiledQuery): boolean {
  return SelectQueryNode.is(query) || (RawNode.is(query) && /^\s*select\b/i.test(sql));
}

/** PostgreSQL texts cannot contain NUL; it is replaced by U+FFFD. */
function replaceNul(parameter: unknown): unknown {
  if (Array.isArray(parameter)) return parameter.map(replaceNul);
  return typeof parameter === 'string' && parameter.includes('\0') ? parameter.replaceAll('\0', '\ufffd') : parameter;
}

/** Waits for a restarting server, so that requests are slower instead of failing. */
async function connectWithRetry(pool: pg.Pool): Promise<pg.PoolClient> {
  const deadline = performance.now() + connectTimeoutMs;
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      if (!isOutage(error)) throw error;
      // A connection attempt that timed out has used up the time, up to the accuracy of timers.
      if (isTimeout(error) || performance.now() >= deadline) throw new DatabaseUnavailableError(error);
    }
    await sleep(100);
  }
}

function isTimeout(error: unknown): boolean {
  return /timeout/i.test((error as { message?: string }).message ?? '');
}

function isOutage(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return outageCodes.test(code ?? '') || /timeout|terminated|not queryable/i.test(message ?? '');
}

/** Codes of the operating system and SQLSTATEs: connections, shutdown, too many connections, time limits, serialization and deadlocks. */
const outageCodes = /^(ECONN|EPIPE|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EAI_AGAIN|08|57P|57014|53300|55P03|25P03|40001|40P01)/;
