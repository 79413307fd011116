import { createRequire } from 'node:module';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { HttpTypes, JsonSchema, PublicErrorCode } from '../../contract/index.js';
import { AppError } from '../../errors/index.js';
import { createSchemaError } from '../../script/index.js';
import { type RequestName, requestSchema } from './schemas.js';

const require = createRequire(import.meta.url);

/**
 * A validator of request bodies. It is compiled on the first request, so that the start of the service does not load Ajv.
 * Throws AppError with `code`; a movie script in the body is only checked to be an object.
 */
export function createBodyCheck<Name extends RequestName>(name: Name, code: PublicErrorCode): (body: unknown) => HttpTypes[Name] {
  let validate: ValidateFunction<HttpTypes[Name]> | undefined;
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      const actual = body === undefined ? ', not empty' : '';
      throw new AppError(code, { message: `The request body must be a JSON object${actual}.`, path: '' });
    }
    validate ??= compile(name);
    if (validate(body)) return body;
    throw createSchemaError(validate.errors ?? [], code);
  };
}

function compile<Name extends RequestName>(name: Name): ValidateFunction<HttpTypes[Name]> {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, ownProperties: true, verbose: true, coerceTypes: false });
  const schema = JSON.stringify(requestSchema(name), (_key, node: unknown) => (isReference(node) ? { ...node, $ref: undefined, type: 'object' } : node));
  return ajv.compile<HttpTypes[Name]>(JSON.parse(schema) as JsonSchema);
}

function isReference(node: unknown): node is JsonSchema {
  return typeof node === 'object' && node !== null && '$ref' in node && node.$ref !== undefined;
}
