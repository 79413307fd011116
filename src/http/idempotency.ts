import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/index.js';
import type { IdempotencyKey } from '../jobs/index.js';
import { callerOf } from './plugins/admission.js';

/** Maximum length of an Idempotency-Key. */
export const maxKeyLength = 255;

/** The Idempotency-Key of a request with a fingerprint of the request; undefined without the header. */
export function readIdempotencyKey(request: FastifyRequest): IdempotencyKey | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key.length > maxKeyLength || !/^[\x20-\x7e]*[\x21-\x7e][\x20-\x7e]*$/.test(key)) {
    throw new AppError('INVALID_REQUEST', { message: `Idempotency-Key must be 1 to ${maxKeyLength} printable ASCII characters.`, path: 'Idempotency-Key' });
  }
  // The mode: requests with test and live keys have different responses.
  const identity = [request.method, request.routeOptions.url, callerOf(request).mode, request.body];
  return { key, fingerprint: createHash('sha256').update(canonicalJson(identity)).digest('hex') };
}

/** JSON with sorted keys. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`;
}
