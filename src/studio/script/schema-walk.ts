import type { InstalledComponent, JsonSchema } from '../../contract/index.js';
import type { Path } from './syntax-nodes.js';

/** Looks up a string of the script by path; the schema selects element types by it. */
export type TextAt = (path: Path) => string | undefined;

type KnownComponent = Pick<InstalledComponent, 'id' | 'settings'>;

/** The schema of movie scripts and of component settings, queried by path. */
export class ScriptSchema {
  readonly #root: JsonSchema;
  readonly #components: readonly KnownComponent[];

  constructor(root: JsonSchema, components: readonly KnownComponent[] = []) {
    this.#root = root;
    this.#components = components;
  }

  with(components: readonly KnownComponent[]): ScriptSchema {
    return new ScriptSchema(this.#root, components);
  }

  /** All schemas that apply to the value at a path, with references resolved; empty when none is known. */
  at(path: Path, textAt: TextAt): JsonSchema[] {
    let schemas = this.#spread([this.#root], [], textAt);
    path.forEach((key, index) => {
      const inner = this.#ofComponent(path.slice(0, index), key, textAt) ?? schemas.flatMap((schema) => innerOf(schema, key));
      schemas = this.#spread(inner, path.slice(0, index + 1), textAt);
    });
    return schemas;
  }

  /** Properties that an object at a path may have, by name. */
  propertiesAt(path: Path, textAt: TextAt): Map<string, JsonSchema> {
    const found = new Map<string, JsonSchema>();
    for (const schema of this.at(path, textAt)) {
      for (const [name, property] of [...Object.entries(schema.properties ?? {}), ...numbered(schema)]) {
        const before = found.get(name);
        const merged = this.#merged(property);
        found.set(name, before === undefined ? merged : { ...before, ...merged });
      }
    }
    return found;
  }

  /** A schema merged with the targets of its references. */
  #merged(schema: JsonSchema): JsonSchema {
    const target = this.#target(schema);
    return target === undefined ? schema : { ...this.#merged(target), ...schema };
  }

  #target({ $ref }: JsonSchema): JsonSchema | undefined {
    const name = /^#\/\$defs\/(.+)$/.exec($ref ?? '')?.[1];
    return name === undefined ? undefined : this.#root.$defs?.[name];
  }

  /** Schema of `component` and `settings` of a component element, which the movie schema does not define. */
  #ofComponent(element: Path, key: string | number, textAt: TextAt): JsonSchema[] | undefined {
    if (this.#components.length === 0 || (key !== 'component' && key !== 'settings') || textAt([...element, 'type']) !== 'component') return undefined;
    if (key === 'component') return [{ title: 'Component', description: 'Pack and name.', type: 'string', enum: this.#components.map(({ id }) => id) }];
    const id = textAt([...element, 'component'])
      ?.trim()
      .toLowerCase();
    const found = this.#components.find((component) => component.id === id);
    return found === undefined ? undefined : [found.settings];
  }

  #spread(schemas: readonly JsonSchema[], path: Path, textAt: TextAt): JsonSchema[] {
    return schemas.flatMap((schema) => {
      const target = this.#target(schema);
      const parts = [...(target === undefined ? [] : [target]), ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
      parts.push(...branchesOf(schema, path, textAt));
      return [schema, ...this.#spread(parts, path, textAt)];
    });
  }
}

function innerOf({ items, properties, patternProperties = {} }: JsonSchema, key: string | number): JsonSchema[] {
  if (typeof key === 'number') return items === undefined ? [] : [items];
  const found = properties?.[key];
  const patterned = Object.entries(patternProperties).filter(([pattern]) => new RegExp(pattern, 'u').test(key));
  return [found, ...patterned.map(([, schema]) => schema)].filter((schema) => typeof schema === 'object');
}

/** Examples for numbered names: of `^rectangle([1-9]|10)$` the first three. */
function numbered({ patternProperties = {} }: JsonSchema): Array<[string, JsonSchema]> {
  return Object.entries(patternProperties).flatMap(([pattern, schema]): Array<[string, JsonSchema]> => {
    const word = /^\^([a-z]+)\(/.exec(pattern)?.[1];
    return word === undefined || typeof schema !== 'object' ? [] : [1, 2, 3].map((number) => [`${word}${number}`, schema]);
  });
}

/** What a condition of the movie schema chooses by properties with constant strings; any other one, as by the type of the value, leaves both open. */
function branchesOf({ if: condition, then: met, else: unmet }: JsonSchema, path: Path, textAt: TextAt): JsonSchema[] {
  if (condition === undefined) return [];
  const chosen = condition.properties === undefined ? [met, unmet] : [fits(condition, path, textAt) ? met : unmet];
  return chosen.filter((schema) => schema !== undefined);
}

function fits(condition: JsonSchema, path: Path, textAt: TextAt): boolean {
  const tests = Object.entries(condition.properties ?? {});
  return tests.length > 0 && tests.every(([name, { const: wanted }]) => wanted !== undefined && textAt([...path, name]) === wanted);
}

/** Values that the schemas list, or else their examples. */
export function namedValues(schemas: readonly JsonSchema[]): unknown[] {
  const values = new Set<unknown>();
  for (const schema of schemas) {
    for (const value of schema.enum ?? []) if (value !== null) values.add(value);
    if (schema.const !== undefined) values.add(schema.const);
    if ([schema.type].flat().includes('boolean')) values.add(true).add(false);
  }
  if (values.size === 0) for (const { examples = [] } of schemas) for (const example of examples) values.add(example);
  return [...values];
}

/** Type, limits and default in a few words. */
export function summarize({ type, minimum, maximum, default: fallback, enum: choices }: JsonSchema): string {
  const kinds = [type ?? []].flat().filter((kind) => kind !== 'null');
  const words = choices === undefined ? kinds.join(' or ') : 'one of a list';
  const limits = minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}` : minimum !== undefined ? `from ${minimum}` : '';
  const given = fallback === undefined || fallback === null ? '' : `default ${JSON.stringify(fallback)}`;
  return [words, limits, given].filter((part) => part !== '').join(', ');
}
