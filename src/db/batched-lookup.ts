import type { Compilable, Expression, Kysely, SqlBool } from 'kysely';
import { DatabaseUnavailableError } from '../errors/index.js';
import { isOneOf, listParameter } from './dialects.js';
import { PreparedQuery } from './prepared-query.js';
import type { Database } from './tables.js';

/** Maximum keys per query. */
const maxKeys = 200;
/** Maximum queries of one look-up at a time: a stalled connection must not stop all of them. */
const maxQueries = 2;
/** Time after which a query that fails has got no answer (ms). */
const stalledMs = 1000;

interface Waiting<Row> {
  key: string;
  resolve(row: Row | undefined): void;
  reject(error: unknown): void;
}

/** Condition of a look-up's query: that its column has one of the keys. */
export type HasKey = (column: string) => Expression<SqlBool>;

/**
 * Finds rows by a unique key for many requests at once: those that arrive together, or while queries are running, share the next query.
 * Each query begins after the requests that it answers, so a result is never older than its request.
 */
export class BatchedLookup<Row> {
  readonly #db: Kysely<Database>;
  readonly #query: PreparedQuery<{ keys: string }, Row>;
  readonly #keyOf: (row: Row) => string;
  #waiting: Array<Waiting<Row>> = [];
  #queryCount = 0;

  constructor(db: Kysely<Database>, build: (db: Kysely<Database>, hasKey: HasKey) => Compilable<Row>, keyOf: (row: Row) => string) {
    this.#db = db;
    this.#keyOf = keyOf;
    this.#query = new PreparedQuery((database, param) => build(database, (column) => isOneOf(database, column, param('keys'))));
  }

  /** Finds the row with this key. */
  find(key: string): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
      // Requests of the same event loop iteration share a query.
      if (this.#waiting.length === 1) setImmediate(() => void this.#runQuery());
    });
  }

  async #runQuery(): Promise<void> {
    if (this.#queryCount >= maxQueries || this.#waiting.length === 0) return;
    const batch = this.#waiting.splice(0, maxKeys);
    this.#queryCount += 1;
    const startedAt = performance.now();
    if (this.#waiting.length > 0) setImmediate(() => void this.#runQuery());
    try {
      const keys = listParameter(this.#db, [...new Set(batch.map(({ key }) => key))]);
      const { rows } = await this.#query.run(this.#db, { keys });
      const byKey = new Map(rows.map((row) => [this.#keyOf(row), row]));
      for (const { key, resolve } of batch) resolve(byKey.get(key));
    } catch (error) {
      const isStalled = error instanceof DatabaseUnavailableError && performance.now() - startedAt >= stalledMs;
      // Requests that wait for the next query fail, too: together they would wait twice as long as one query may take.
      for (const { reject } of isStalled ? [...batch, ...this.#waiting.splice(0)] : batch) reject(error);
    } finally {
      this.#queryCount -= 1;
      if (this.#waiting.length > 0) setImmediate(() => void this.#runQuery());
    }
  }
}
