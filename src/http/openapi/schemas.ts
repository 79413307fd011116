import { readFileSync } from 'node:fs';
import type { HttpTypes, JsonSchema } from '../../contract/index.js';
import { errorTable } from '../../errors/index.js';
import { movieSchema } from '../../script/index.js';

/** A definition in schema/http-requests.schema.json. */
export type RequestName = Extract<keyof HttpTypes, `${string}Request`>;

/** Reference to a component of the OpenAPI document: a response, or the movie script. */
export function schemaRef(name: Exclude<keyof HttpTypes, RequestName> | 'Script'): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

const requests = readDefinitions('http-requests.schema.json');

/** Schema of a request body. A movie script in it is a reference to the component `Script`. */
export function requestSchema(name: RequestName): JsonSchema {
  const schema = requests[name];
  if (schema === undefined) throw new Error(`schema/http-requests.schema.json has no definition "${name}"`);
  return schema;
}

let components: Readonly<Record<string, JsonSchema>> | undefined;

/** The components of the OpenAPI document by name, built on the first call. */
export function componentSchemas(): Readonly<Record<string, JsonSchema>> {
  components ??= { ...scriptSchemas(), ...withErrorCodes(readDefinitions('http-responses.schema.json')) };
  return components;
}

function readDefinitions(file: string): Record<string, JsonSchema> {
  const { $defs } = JSON.parse(readFileSync(new URL(`../../../schema/${file}`, import.meta.url), 'utf8')) as { $defs: Record<string, JsonSchema> };
  return relink($defs, (name) => name);
}

/** Sets the enum of `Error.code`, whose source is schema/error-codes.json. */
function withErrorCodes(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const { Error: response = {} } = schemas;
  const { error = {} } = response.properties ?? {};
  const properties = { ...error.properties, code: { enum: Object.keys(errorTable) } };
  return { ...schemas, Error: { ...response, properties: { error: { ...error, properties } } } };
}

/** The movie schema with its definitions as components: few tools support `$defs` within an OpenAPI document. */
function scriptSchemas(): Record<string, JsonSchema> {
  const { $schema: _schema, $id: _id, $defs = {}, ...root } = movieSchema;
  const nameOf = (name: string): string => `Script${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const parts = Object.entries($defs).map(([name, schema]) => [nameOf(name), schema]);
  return relink(Object.fromEntries([['Script', root], ...parts]), nameOf);
}

/** A copy in which references into `$defs` and to the movie schema refer to components. */
function relink<Value>(value: Value, nameOf: (name: string) => string): Value {
  const text = JSON.stringify(value, (key, inner: unknown) => {
    if (key !== '$ref' || typeof inner !== 'string') return inner;
    const name = /^#\/\$defs\/(.+)$/.exec(inner)?.[1];
    return `#/components/schemas/${name === undefined ? 'Script' : nameOf(name)}`;
  });
  return JSON.parse(text) as Value;
}
