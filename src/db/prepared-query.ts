import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely';
import type { Database } from './tables.js';

/** Creates the placeholder of a named parameter. */
export type Param<Values> = <Name extends keyof Values>(name: Name) => Values[Name];

class ParamName {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/**
 * A query that is compiled to SQL once per dialect, for queries of every request:
 * Kysely takes several times as long to build a query as SQLite takes to run it.
 */
export class PreparedQuery<Values, Row> {
  readonly #build: (db: Kysely<Database>, param: Param<Values>) => Compilable<Row>;
  /** By adapter, as dialects may differ. */
  readonly #compiled = new WeakMap<object, CompiledQuery<Row>>();

  constructor(build: (db: Kysely<Database>, param: Param<Values>) => Compilable<Row>) {
    this.#build = build;
  }

  /** Runs the query with these parameter values. */
  run(db: Kysely<Database>, values: Values): Promise<QueryResult<Row>> {
    const compiled = this.#compile(db);
    const parameters = compiled.parameters.map((parameter) => (parameter instanceof ParamName ? values[parameter.name as keyof Values] : parameter));
    return db.executeQuery({ ...compiled, parameters });
  }

  #compile(db: Kysely<Database>): CompiledQuery<Row> {
    const { adapter } = db.getExecutor();
    const cached = this.#compiled.get(adapter);
    if (cached !== undefined) return cached;
    const compiled = this.#build(db, (name) => new ParamName(name) as never).compile();
    this.#compiled.set(adapter, compiled);
    return compiled;
  }
}
