import { setTimeout as sleep } from 'node:timers/promises';
import { type CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, SelectQueryNode } from 'kysely';
import type pg from 'pg';

/** How long a query waits for a server that cannot be reached, is starting or has no connection left. */
const patienceMs = 15_000;

/** Any number, the same in each process: who writes holds this lock. */
const writersLock = 7_210_317_046;

/**
 * Behaves as SQLite does: one transaction writes at a time, over all machines, and sees whatever was committed before it;
 * who reads sees what is committed and waits for nobody. So the queries need no thought of what runs beside them, and the
 * order of rows is the order of commits. A job's few writes are small and many share a transaction, so this lasts for far
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
    return new Session(await insist(this.#pool));
  }

  async beginTransaction(session: DatabaseConnection): Promise<void> {
    await (session as Session).begin();
  }

  async commitTransaction(session: DatabaseConnection): Promise<void> {
    await (session as Session).end('commit');
  }

  async rollbackTransaction(session: DatabaseConnection): Promise<void> {
    await (session as Session).end('rollback');
  }

  async releaseConnection(session: DatabaseConnection): Promise<void> {
    (session as Session).release();
  }

  async destroy(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.end();
  }
}

class Session implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  #inTransaction = false;
  #broken: Error | undefined;

  constructor(client: pg.PoolClient) {
    this.#client = client;
    client.on('error', this.#break);
  }

  async begin(): Promise<void> {
    // A statement sees what was committed when it begins, so the first one must begin with the lock held: two statements, in one message.
    try {
      await this.#send(`begin; select pg_advisory_xact_lock(${writersLock})`);
    } catch (error) {
      await this.#send('rollback').catch(this.#break);
      throw error;
    }
    this.#inTransaction = true;
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    this.#inTransaction = false;
    await this.#send(how);
  }

  release(): void {
    this.#client.off('error', this.#break);
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
      await this.end('rollback').catch(this.#break);
      throw error;
    }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Rows are read in pages here, not streamed.');
  }

  async #run<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount, command } = await this.#client.query(sql, parameters.map(storable)).catch(this.#noteLoss);
    return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  }

  async #send(statements: string): Promise<void> {
    await this.#client.query(statements).catch(this.#noteLoss);
  }

  readonly #break = (error: Error): void => {
    this.#broken = error;
  };

  /** What the server refuses has a code of five characters and leaves the connection in order; the others (and the ends that it announces) do not. */
  readonly #noteLoss = (error: Error & { code?: string }): never => {
    if (error.code?.length !== 5 || /^(08|57P|25P03)/.test(error.code)) this.#break(error);
    throw error;
  };
}

/** PostgreSQL's texts cannot hold the character zero; it is shown as the mark for a character that cannot be shown. */
function storable(parameter: unknown): unknown {
  return typeof parameter === 'string' && parameter.includes('\0') ? parameter.replaceAll('\0', '\ufffd') : parameter;
}

/** A server that restarts is waited for: what clients ask meanwhile takes longer, and does not fail. */
async function insist(pool: pg.Pool): Promise<pg.PoolClient> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      if (performance.now() >= deadline || !isPassing(error as { code?: string; message?: string })) throw error;
    }
    await sleep(100);
  }
}

/** Refused or cut connections, a server that starts or stops, no connection left; not a wrong password or name. */
function isPassing({ code, message }: { code?: string; message?: string }): boolean {
  return /^(ECONN|EPIPE|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EAI_AGAIN|08|57P|53300)/.test(code ?? '') || /timeout|terminated/i.test(message ?? '');
}
