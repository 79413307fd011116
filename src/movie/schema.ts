import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

/** The parts of a JSON Schema that this folder reads: defaults, limits and names have one home, the schema. */
export interface SchemaNode {
  title?: string;
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  pattern?: string;
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  $ref?: string;
  $defs?: Record<string, SchemaNode>;
}

const document = JSON.parse(readFileSync(new URL('../../schema/movie.schema.json', import.meta.url), 'utf8')) as SchemaNode;

/** JSON Schema (2020-12) of a movie script, as GET /api/render/schema serves it. */
export const movieSchema: Readonly<Record<string, unknown>> = document as Record<string, unknown>;

// Coercion and defaults would change the script behind the client's back; inherited properties are not the client's.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, ownProperties: true, verbose: true, coerceTypes: false });
const validate = ajv.compile(document) as ValidateFunction;

/** The errors of a script, the most exact one first; empty when it is valid. */
export function schemaErrors(script: unknown): ErrorObject[] {
  return validate(script) ? [] : [...(validate.errors ?? [])];
}

/** A named part of the schema's `$defs`, or the root for ''. */
export function schemaPart(name: string): SchemaNode {
  const part = name === '' ? document : document.$defs?.[name];
  if (part === undefined) throw new Error(`the movie schema has no part "${name}"`);
  return part;
}

const resolvedProperties = new WeakMap<SchemaNode, Map<string, SchemaNode>>();

/** What the schema says about a property, with `$ref` followed. */
export function propertySchema(part: SchemaNode, name: string): SchemaNode | undefined {
  let properties = resolvedProperties.get(part);
  if (properties === undefined) {
    properties = new Map(Object.entries(part.properties ?? {}).map(([key, property]) => [key, target(property)]));
    resolvedProperties.set(part, properties);
  }
  return properties.get(name);
}

function target(node: SchemaNode): SchemaNode {
  const name = node.$ref?.match(/^#\/\$defs\/(.+)$/)?.[1];
  return name === undefined ? node : schemaPart(name);
}
