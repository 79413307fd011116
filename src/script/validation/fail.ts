import { AppError } from '../../errors/index.js';

/** The script is wrong at `path`; the message says how and what is allowed. */
export function fail(path: string, message: string): never {
  throw new AppError('SCHEMA_VALIDATION_ERROR', { message, path });
}

export function joinPath(path: string, key: string | number): string {
  return path === '' ? String(key) : `${path}.${key}`;
}

/** The last part of a dotted path. */
export function propertyName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** A value as a message shows it: short, and harmless whatever it is. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (Array.isArray(value)) return 'an array';
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  return String(value);
}
