import { AppError } from '../../errors/index.js';
import { hasPlaceholder, listPlaceholders } from '../substitute.js';
import { propertyName, show } from './fail.js';

import { nearestName } from './spellings.js';
import { valueHint } from './value-hints.js';

/** Reads a script that is complete; where a value is refused says which variable it lacks, or what to write instead. */
export function withVariableHints<T>(script: unknown, variables: readonly string[], read: () => T): T {
  return rewordErrors(script, read, (error, value, path) => missingVariable(value, path, variables) ?? appendHint(error.message, value, path));
}

/** Reads a script whose placeholders may stay. */
export function withHints<T>(script: unknown, read: () => T): T {
  return rewordErrors(script, read, (error, value, path) => appendHint(error.message, value, path));
}

/** Reads what came of a script by its expressions; where a value is refused, says how the script has it. */
export function withSourceText<T>(script: unknown, read: () => T): T {
  return rewordErrors(script, read, ({ message }, value) => {
    const isTold = typeof value !== 'string' || !hasPlaceholder(value) || message.includes('{{') || message.includes('needs the variable');
    return isTold ? message : `${message} It is written ${show(value)}.`;
  });
}

function rewordErrors<T>(script: unknown, read: () => T, word: (error: AppError, value: unknown, path: string) => string): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError) || error.path === undefined) throw error;
    const message = word(error, valueAt(script, error.path), error.path);
    if (message === error.message) throw error;
    throw new AppError(error.code, { path: error.path, message, cause: error });
  }
}

function missingVariable(value: unknown, path: string, variables: readonly string[]): string | undefined {
  const [first] = typeof value === 'string' ? listPlaceholders(value) : [];
  if (first === undefined) return undefined;
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(first)) return `${propertyName(path)} needs {{${first}}}, for which the variables have no value.`;
  // Of a letter or two everything is near.
  const near = first.length > 2 ? nearestName(first, variables) : undefined;
  return `${propertyName(path)} needs the variable "${first}", which is not given${near === undefined ? '.' : `; did you mean "${near}"?`}`;
}

function appendHint(message: string, value: unknown, path: string): string {
  const hint = hintFor(message, value, path);
  return hint === undefined ? message : `${message.replace(/(?:\.|; did you mean [^?]*\?)$/, '')}; ${hint}.`;
}

function hintFor(message: string, value: unknown, path: string): string | undefined {
  if (typeof value === 'string' && /^(true|false)$/i.test(value) && message.includes('must be a boolean')) return `write ${value.toLowerCase()} without quotes`;
  if (message.startsWith('unknown property')) return undefined;
  // Keyframes have scales of their own.
  return path.includes('keyframes.') ? undefined : valueHint(propertyName(path), value);
}

/** The keys of a script may hold dots. */
function valueAt(value: unknown, path: string): unknown {
  if (path === '') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const key = Object.keys(value).find((name) => path === name || path.startsWith(`${name}.`));
  return key === undefined ? undefined : valueAt((value as Record<string, unknown>)[key], path.slice(key.length + 1));
}
