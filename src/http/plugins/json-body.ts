import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../errors/index.js';
import { findSyntaxError } from '../../script/index.js';
import { HttpError } from '../error-body.js';

/** Maximum nesting; deeper documents could overflow the stack of recursive code. */
const maxDepth = 64;
/** Maximum members of one object or array; larger ones would block the event loop for seconds. */
const maxMembers = 20_000;
/** Maximum values of a document, for the same reason. */
const maxValues = 250_000;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses bodies of type application/json; any other or no content-type gets 415. */
export function installJsonBody(instance: FastifyInstance): void {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') throw new HttpError(415, { message: 'A request body must be sent without content-encoding.' });
    // As without a content type: DELETE needs no body, and other routes say what they miss.
    if (body.length === 0) return undefined;
    const text = decode(body);
    const code = request.routeOptions.config.bodyErrorCode ?? 'INVALID_REQUEST';
    const shape = measure(text);
    // Checked before parsing, which is expensive for many values.
    if (shape.values > maxValues) throw new AppError(code, { message: `The request body has more than ${maxValues} values.`, path: '' });
    if (shape.members > maxMembers)
      throw new AppError(code, { message: `An object or array of the request body has more than ${maxMembers} members.`, path: '' });
    const value = parse(text);
    // Checked before findForbiddenKey, which is recursive.
    if (shape.depth > maxDepth) throw new AppError(code, { message: `The request body is nested deeper than ${maxDepth} levels.`, path: '' });
    const path = mayHoldForbiddenKey.test(text) ? findForbiddenKey(value, '') : undefined;
    if (path !== undefined) throw new AppError(code, { message: 'The key __proto__ is not allowed.', path });
    return value;
  });
}

function decode(body: Buffer): string {
  try {
    return decoder.decode(body);
  } catch (error) {
    throw new AppError('INVALID_JSON', { message: 'The request body is not valid UTF-8.', cause: error });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const fault = findSyntaxError(text, 'the body');
    const where = text.trim() === '' ? ': it is empty.' : fault === undefined ? '.' : `: line ${fault.line}, column ${fault.column}: ${fault.message}.`;
    throw new AppError('INVALID_JSON', { message: `The request body is not valid JSON${where}`, cause: error });
  }
}

interface Shape {
  depth: number;
  values: number;
  /** Of the largest object or array. */
  members: number;
}

/** Counts brackets and commas outside strings. The result is meaningless, but as fast, for text that is not JSON. */
function measure(text: string): Shape {
  const shape: Shape = { depth: 0, values: 1, members: 0 };
  const open: number[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === 0x22) index = endOfString(text, index);
    else if (character === 0x7b || character === 0x5b) {
      shape.depth = Math.max(shape.depth, open.push(1));
      shape.values += 1;
    } else if (character === 0x7d || character === 0x5d) open.pop();
    else if (character === 0x2c) {
      shape.values += 1;
      const members = (open[open.length - 1] ?? 0) + 1;
      open[Math.max(0, open.length - 1)] = members;
      if (members > shape.members) shape.members = members;
    }
  }
  return shape;
}

/** Index of the closing quotation mark of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charCodeAt(index) !== 0x22) index += text.charCodeAt(index) === 0x5c ? 2 : 1;
  return index;
}

/** Matches the key as it is, and with an escaped underscore. */
const mayHoldForbiddenKey = /__proto__|\\u005f/i;

/** Dotted path of a `__proto__` key, which would set a prototype when the object is copied. */
function findForbiddenKey(value: unknown, path: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const innerPath = path === '' ? key : `${path}.${key}`;
    if (key === '__proto__') return innerPath;
    const found = findForbiddenKey(inner, innerPath);
    if (found !== undefined) return found;
  }
  return undefined;
}
