import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../errors/index.js';
import { Refusal } from '../refusal.js';

/** Deeper documents parse, but overflow the stack of whatever walks them later. */
const maxDepth = 64;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Bodies are application/json and nothing else; a body without content-type is refused with 415 as well. */
export function installJsonBody(instance: FastifyInstance): void {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') throw new Refusal(415, { message: 'A request body must be sent without content-encoding.' });
    // Clients send content-type out of habit where there is nothing to say.
    if (request.method === 'DELETE' && body.length === 0) return undefined;
    const text = decode(body);
    const value = parse(text);
    const code = request.routeOptions.config.bodyErrorCode ?? 'INVALID_REQUEST';
    // First the depth: looking for keys is recursive.
    if (exceedsDepth(text)) throw new AppError(code, { message: `The request body is nested deeper than ${maxDepth} levels.`, path: '' });
    const path = findForbiddenKey(value, '');
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
    const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    const where = text.trim() === '' ? ': it is empty.' : position === undefined ? '.' : ` (character ${position}).`;
    throw new AppError('INVALID_JSON', { message: `The request body is not valid JSON${where}`, cause: error });
  }
}

/** Counts brackets outside of the strings of a valid JSON text. */
function exceedsDepth(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (quoted) {
      if (character === 0x5c) index += 1;
      else if (character === 0x22) quoted = false;
    } else if (character === 0x22) quoted = true;
    else if (character === 0x7b || character === 0x5b) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (character === 0x7d || character === 0x5d) depth -= 1;
  }
  return false;
}

/** The dotted path of a key that would set a prototype when the object is copied. */
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
