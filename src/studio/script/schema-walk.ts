import type { Path } from './places.js';

export interface Schema {
  title?: string;
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  $ref?: string;
  $defs?: Record<string, Schema>;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  if?: Schema;
  then?: Schema;
  else?: Schema;
}

/** The text at a path of the script, when it is a string: decides which kind of element is being written. */
export type TextAt = (path: Path) => string | undefined;

/** The published schema of movie scripts, asked for what may stand at a place. */
export class ScriptSchema {
  readonly #root: Schema;

  constructor(root: Schema) {
    this.#root = root;
  }

  /** Every schema that counts for the value at a path, references followed. Empty: nothing is known. */
  at(path: Path, textAt: TextAt): Schema[] {
    let schemas = this.#spread([this.#root], [], textAt);
    path.forEach((key, index) => {
      const inner = schemas.flatMap((schema) => (typeof key === 'number' ? (schema.items ?? []) : (schema.properties?.[key] ?? [])));
      schemas = this.#spread(inner, path.slice(0, index + 1), textAt);
    });
    return schemas;
  }

  /** What an object at a path may have, by name. */
  propertiesAt(path: Path, textAt: TextAt): Map<string, Schema> {
    const found = new Map<string, Schema>();
    for (const schema of this.at(path, textAt)) {
      for (const [name, property] of Object.entries(schema.properties ?? {})) {
        const before = found.get(name);
        const merged = this.#merged(property);
        found.set(name, before === undefined ? merged : { ...before, ...merged });
      }
    }
    return found;
  }

  /** A schema with what its references say. */
  #merged(schema: Schema): Schema {
    const target = this.#target(schema);
    return target === undefined ? schema : { ...this.#merged(target), ...schema };
  }

  #target({ $ref }: Schema): Schema | undefined {
    const name = /^#\/\$defs\/(.+)$/.exec($ref ?? '')?.[1];
    return name === undefined ? undefined : this.#root.$defs?.[name];
  }

  #spread(schemas: readonly Schema[], path: Path, textAt: TextAt): Schema[] {
    return schemas.flatMap((schema) => {
      const target = this.#target(schema);
      const parts = [...(target === undefined ? [] : [target]), ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
      const chosen = schema.if === undefined ? undefined : fits(schema.if, path, textAt) ? schema.then : schema.else;
      if (chosen !== undefined) parts.push(chosen);
      return [schema, ...this.#spread(parts, path, textAt)];
    });
  }
}

/** The conditions of the movie schema that tell kinds apart: a property with one text. */
function fits(condition: Schema, path: Path, textAt: TextAt): boolean {
  const tests = Object.entries(condition.properties ?? {});
  return tests.length > 0 && tests.every(([name, { const: wanted }]) => wanted !== undefined && textAt([...path, name]) === wanted);
}

/** The values that a schema names, with what it would be without one first. */
export function namedValues(schemas: readonly Schema[]): unknown[] {
  const values = new Set<unknown>();
  for (const schema of schemas) {
    for (const value of schema.enum ?? []) if (value !== null) values.add(value);
    if (schema.const !== undefined) values.add(schema.const);
    if ([schema.type].flat().includes('boolean')) values.add(true).add(false);
  }
  if (values.size === 0) for (const { examples = [] } of schemas) for (const example of examples) values.add(example);
  return [...values];
}

/** In a few words: its kind, limits and default. */
export function summarize({ type, minimum, maximum, default: fallback, enum: choices }: Schema): string {
  const kinds = [type ?? []].flat().filter((kind) => kind !== 'null');
  const words = choices === undefined ? kinds.join(' or ') : 'one of a list';
  const limits = minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}` : minimum !== undefined ? `from ${minimum}` : '';
  const given = fallback === undefined || fallback === null ? '' : `default ${JSON.stringify(fallback)}`;
  return [words, limits, given].filter((part) => part !== '').join(', ');
}
