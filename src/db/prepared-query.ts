import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely';
import type { Database } from './tables.js';

/** Creates the placeholder of a named parameter. */
export type Param<Values> = <Name extends keyof Values>(name: Name) => Values[Name];

class ParamName {
  readonly name: PropertyKey;
  /** Index of the row in an insert of several rows. */
  readonly row: number;

  constructor(name: PropertyKey, row = 0) {
    this.name = name;
    this.row = row;
  }
}

/** A compiled query with the time after which it fails with DatabaseUnavailableError (ms); only the PostgreSQL driver needs it. */
export interface TimedQuery<Row = unknown> extends CompiledQuery<Row> {
  timeoutMs?: number;
  /** Name of a statement that PostgreSQL parses and plans once per connection. */
  name?: string;
}

/** Queries of requests take milliseconds; longer means that the server or the network is stalled. */
const timeoutMs = 2000;

/** Compiled queries by adapter, as dialects differ. */
class CompiledQueries<Row> {
  readonly #byAdapter = new WeakMap<object, CompiledQuery<Row>>();

  get(db: Kysely<Database>, build: () => Compilable<Row>): CompiledQuery<Row> {
    const { adapter } = db.getExecutor();
    const cached = this.#byAdapter.get(adapter);
    if (cached !== undefined) return cached;
    const compiled = build().compile();
    this.#byAdapter.set(adapter, compiled);
    return compiled;
  }
}

function execute<Values, Row>(db: Kysely<Database>, compiled: CompiledQuery<Row>, rows: readonly Values[], name?: string): Promise<QueryResult<Row>> {
  const parameters = compiled.parameters.map((parameter) =>
    parameter instanceof ParamName ? rows[parameter.row]?.[parameter.name as keyof Values] : parameter,
  );
  const query: TimedQuery<Row> = { ...compiled, parameters, timeoutMs, ...(name !== undefined && { name }) };
  return db.executeQuery(query);
}

/**
 * A query that is compiled to SQL once per dialect, for queries of every request:
 * Kysely takes several times as long to build a query as SQLite takes to run it. On PostgreSQL it fails when it takes longer than 2 s.
 */
export class PreparedQuery<Values, Row> {
  readonly #build: (db: Kysely<Database>, param: Param<Values>) => Compilable<Row>;
  readonly #compiled = new CompiledQueries<Row>();
  readonly #name: string | undefined;

  /** `name`: unique name under which PostgreSQL caches the plan of a large statement, if the plan suits all parameters. */
  constructor(build: (db: Kysely<Database>, param: Param<Values>) => Compilable<Row>, name?: string) {
    this.#build = build;
    this.#name = name;
  }

  /** Runs the query with these parameter values. */
  run(db: Kysely<Database>, values: Values): Promise<QueryResult<Row>> {
    const compiled = this.#compiled.get(db, () => this.#build(db, (name) => new ParamName(name) as never));
    return execute(db, compiled, [values], this.#name);
  }
}

/** An insert of several rows in one statement, compiled once per dialect and number of rows. */
export class PreparedInsert<Values> {
  readonly #build: (db: Kysely<Database>, rows: Array<Param<Values>>) => Compilable<unknown>;
  readonly #compiled: Array<CompiledQueries<unknown>> = [];

  /** `build` returns the insert of as many rows as it gets, each by its placeholders. */
  constructor(build: (db: Kysely<Database>, rows: Array<Param<Values>>) => Compilable<unknown>) {
    this.#build = build;
  }

  /** Inserts the rows in order; without rows it does nothing. The number of rows is small and bounded. */
  async run(db: Kysely<Database>, rows: readonly Values[]): Promise<void> {
    if (rows.length === 0) return;
    this.#compiled[rows.length] ??= new CompiledQueries();
    const placeholders = rows.map(
      (_row, index): Param<Values> =>
        (name) =>
          new ParamName(name, index) as never,
    );
    const compiled = this.#compiled[rows.length]?.get(db, () => this.#build(db, placeholders));
    if (compiled !== undefined) await execute(db, compiled, rows);
  }
}
