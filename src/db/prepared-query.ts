import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely';
import type { Database } from './tables.js';

/** Stands for a value that is given at each run. */
export type Param<Values> = <Name extends keyof Values>(name: Name) => Values[Name];

class SlotName {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/**
 * A query whose text is made once and not at every run, for those that each request needs:
 * building a query takes several times as long as SQLite needs for its answer.
 */
export class PreparedQuery<Values, Row> {
  readonly #build: (db: Kysely<Database>, slot: Param<Values>) => Compilable<Row>;
  /** By database: their dialects may differ. */
  readonly #compiled = new WeakMap<object, CompiledQuery<Row>>();

  constructor(build: (db: Kysely<Database>, slot: Param<Values>) => Compilable<Row>) {
    this.#build = build;
  }

  run(db: Kysely<Database>, values: Values): Promise<QueryResult<Row>> {
    const compiled = this.#compile(db);
    const parameters = compiled.parameters.map((parameter) => (parameter instanceof SlotName ? values[parameter.name as keyof Values] : parameter));
    return db.executeQuery({ ...compiled, parameters });
  }

  #compile(db: Kysely<Database>): CompiledQuery<Row> {
    const { adapter } = db.getExecutor();
    const kept = this.#compiled.get(adapter);
    if (kept !== undefined) return kept;
    const compiled = this.#build(db, (name) => new SlotName(name) as never).compile();
    this.#compiled.set(adapter, compiled);
    return compiled;
  }
}
