import { createRequire } from 'node:module';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { AppError, type PublicErrorCode } from '../../errors/index.js';
import { createSchemaError } from '../../script/index.js';
import type { JsonSchema } from './operation.js';

const require = createRequire(import.meta.url);

/** A check of request bodies against the schema that the interface's description shows, compiled for the first of them: no start waits for Ajv. */
export function compileBodyCheck(schema: JsonSchema, code: PublicErrorCode): (body: unknown) => Record<string, unknown> {
  let validate: ValidateFunction | undefined;
  return (body) => {
    if (body === undefined) throw new AppError('INVALID_JSON', { message: 'The request body is not valid JSON: it is empty.' });
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new AppError(code, { message: 'The request body must be a JSON object.', path: '' });
    }
    validate ??= compile(schema);
    if (!validate(body)) throw createSchemaError(validate.errors ?? [], code);
    return body as Record<string, unknown>;
  };
}

function compile(schema: JsonSchema): ValidateFunction {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, ownProperties: true, verbose: true, coerceTypes: false });
  return ajv.compile(withoutReferences(schema) as JsonSchema) as ValidateFunction;
}

/** What is described elsewhere (a movie script) is checked by its owner; here it is an object. */
function withoutReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReferences);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...rest } = value as Record<string, unknown>;
  const own = Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, key === 'examples' ? inner : withoutReferences(inner)]));
  return typeof $ref === 'string' ? { ...own, type: 'object' } : own;
}
