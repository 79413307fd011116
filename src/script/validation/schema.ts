import { readFileSync } from 'node:fs';
import type { ErrorObject } from 'ajv';
import type { JsonSchema } from '../../contract/index.js';
import { loadValidator, type ValidatorSource } from './validator.js';

const movieDocument = readSchema('movie.schema.json');
const exportsDocument = readSchema('exports.schema.json');

/** JSON Schema (2020-12) of a movie script in one document, as GET /api/render/schema serves it. */
export const movieSchema: JsonSchema = {
  ...withExports({ $ref: '#/$defs/exports' }),
  $defs: { ...movieDocument.$defs, ...exportsDocument.$defs },
};

/** The movie schema for validation. Of exports it has only the outer shape: src/delivery/exports validates the rest. */
export const scriptSchema: JsonSchema = withExports({
  title: 'Exports',
  type: ['array', 'null'],
  maxItems: 10,
  items: { title: 'Export', type: 'object', maxProperties: 50 },
});

// Coercion and defaults would change the script behind the client's back; inherited properties are not the client's.
export const scriptValidation: ValidatorSource = {
  name: 'script',
  schema: scriptSchema,
  options: { strict: true, allowUnionTypes: true, ownProperties: true, verbose: true, coerceTypes: false },
};
const validate = loadValidator(scriptValidation);

/** The errors of a script, the most exact one first; empty when it is valid. */
export function schemaErrors(script: unknown): ErrorObject[] {
  return validate(script) ? [] : [...(validate.errors ?? [])];
}

/** A named part of the schema's `$defs`, or the root for ''. */
export function schemaPart(name: string): JsonSchema {
  const part = name === '' ? scriptSchema : scriptSchema.$defs?.[name];
  if (part === undefined) throw new Error(`the movie schema has no part "${name}"`);
  return part;
}

const resolvedProperties = new WeakMap<JsonSchema, Map<string, JsonSchema>>();

/** What the schema says about a property, with `$ref` followed. */
export function propertySchema(part: JsonSchema, name: string): JsonSchema | undefined {
  let properties = resolvedProperties.get(part);
  if (properties === undefined) {
    properties = new Map(Object.entries(part.properties ?? {}).map(([key, property]) => [key, target(property)]));
    resolvedProperties.set(part, properties);
  }
  return properties.get(name);
}

function target(node: JsonSchema): JsonSchema {
  const name = node.$ref?.match(/^#\/\$defs\/(.+)$/)?.[1];
  return name === undefined ? node : schemaPart(name);
}

function readSchema(name: string): JsonSchema {
  return JSON.parse(readFileSync(new URL(`../../../schema/${name}`, import.meta.url), 'utf8')) as JsonSchema;
}

function withExports(exports: JsonSchema): JsonSchema {
  return { ...movieDocument, properties: { ...movieDocument.properties, exports } };
}
