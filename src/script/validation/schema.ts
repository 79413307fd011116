import { readFileSync } from 'node:fs';
import type { ErrorObject } from 'ajv';
import { loadValidator, type ValidatorSource } from './validator.js';

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

const movieDocument = readSchema('movie.schema.json');
const exportsDocument = readSchema('exports.schema.json');

/** JSON Schema (2020-12) of a movie script in one document, as GET /api/render/schema serves it. */
export const movieSchema: Readonly<Record<string, unknown>> = {
  ...withExports({ $ref: '#/$defs/exports' }),
  $defs: { ...movieDocument.$defs, ...exportsDocument.$defs },
};

/** What is validated here: of exports their outer shape alone, since whoever delivers them reads the rest and words its errors. */
const document = withExports({
  title: 'Exports',
  type: ['array', 'null'],
  maxItems: 10,
  items: { title: 'Export', type: 'object', maxProperties: 50 },
});
export const scriptSchema: Readonly<Record<string, unknown>> = document as Record<string, unknown>;

// Coercion and defaults would change the script behind the client's back; inherited properties are not the client's.
export const scriptValidation: ValidatorSource = {
  name: 'script',
  schema: document,
  options: { strict: true, allowUnionTypes: true, ownProperties: true, verbose: true, coerceTypes: false },
};
const validate = loadValidator(scriptValidation);

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

function readSchema(name: string): SchemaNode {
  return JSON.parse(readFileSync(new URL(`../../../schema/${name}`, import.meta.url), 'utf8')) as SchemaNode;
}

function withExports(exports: SchemaNode): SchemaNode {
  return { ...movieDocument, properties: { ...movieDocument.properties, exports } };
}
