import { AppError, type PublicErrorCode } from '../../errors/index.js';

interface ScriptErrorOptions {
  code?: PublicErrorCode;
  /** Decides which hints fit: see error-hints.ts. */
  kind?: 'unknown-property' | 'boolean-expected' | 'missing-variable' | undefined;
  /** What the author may have meant; a hint replaces it. */
  suggestion?: string | undefined;
  cause?: unknown;
}

/** A field of a script is invalid. */
export class ScriptError extends AppError {
  readonly kind: ScriptErrorOptions['kind'];
  /** The message without suggestion and final period. */
  readonly statement: string;

  constructor(path: string, message: string, { code = 'SCHEMA_VALIDATION_ERROR', kind, suggestion, cause }: ScriptErrorOptions = {}) {
    const statement = message.endsWith('.') ? message.slice(0, -1) : message;
    super(code, { path, message: suggestion === undefined ? message : `${statement}; did you mean ${suggestion}?`, cause });
    this.kind = kind;
    this.statement = statement;
  }

  /** The same error at another path, or with another message. */
  with({ path = this.path ?? '', message = this.message }: { path?: string; message?: string }): ScriptError {
    return new ScriptError(path, message, { code: this.code, kind: this.kind, cause: this });
  }
}

/** Throws SCHEMA_VALIDATION_ERROR. The message says what is wrong at `path` and what is allowed. */
export function fail(path: string, message: string): never {
  throw new ScriptError(path, message);
}

/** Appends a key to a dotted path. */
export function joinPath(path: string, key: string | number): string {
  return path === '' ? String(key) : `${path}.${key}`;
}

/** The last part of a dotted path. */
export function propertyName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** Joins names for a message: `a, b or c`. */
export function alternatives(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** Formats a value for a message: short and in one line. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (Array.isArray(value)) return 'an array';
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  return String(value);
}
