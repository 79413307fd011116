import { hasPlaceholder, listPlaceholders } from '../substitute.js';
import { propertyName, ScriptError, show } from './fail.js';
import { nearestName } from './spellings.js';
import { valueHint } from './value-hints.js';

/** Parses a script without placeholders. Errors name the variable that is missing, or suggest a valid value. */
export function withVariableHints<T>(script: unknown, variables: readonly string[], parse: () => T): T {
  return rewordErrors(script, parse, (error, value) => missingVariable(error, value, variables) ?? withHint(error, value));
}

/** Parses a script that may contain placeholders. Errors suggest a valid value. */
export function withHints<T>(script: unknown, parse: () => T): T {
  return rewordErrors(script, parse, withHint);
}

/** Parses the result of evaluating a script. Errors quote the original text of values that contain expressions. */
export function withSourceText<T>(script: unknown, parse: () => T): T {
  return rewordErrors(script, parse, (error, value) => {
    const isQuoted = error.kind === 'missing-variable' || typeof value !== 'string' || !hasPlaceholder(value);
    return isQuoted ? error : error.with({ message: `${error.message} It is written ${show(value)}.` });
  });
}

function rewordErrors<T>(script: unknown, parse: () => T, reword: (error: ScriptError, value: unknown) => ScriptError): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof ScriptError ? reword(error, valueAt(script, error.path ?? '')) : error;
  }
}

function missingVariable(error: ScriptError, value: unknown, variables: readonly string[]): ScriptError | undefined {
  const [first] = typeof value === 'string' ? listPlaceholders(value) : [];
  if (first === undefined) return undefined;
  const path = error.path ?? '';
  const options = { code: error.code, kind: 'missing-variable', cause: error } as const;
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(first))
    return new ScriptError(path, `${propertyName(path)} needs {{${first}}}, for which the variables have no value.`, options);
  // Names of one or two letters are similar to too many others.
  const near = first.length > 2 ? nearestName(first, variables) : undefined;
  const suggestion = near === undefined ? undefined : `"${near}"`;
  return new ScriptError(path, `${propertyName(path)} needs the variable "${first}", which is not given.`, { ...options, suggestion });
}

/** Appends a hint for the value, which replaces a suggestion. */
function withHint(error: ScriptError, value: unknown): ScriptError {
  const hint = hintFor(error, value);
  return hint === undefined ? error : error.with({ message: `${error.statement}; ${hint}.` });
}

function hintFor({ kind, path = '' }: ScriptError, value: unknown): string | undefined {
  if (kind === 'boolean-expected' && typeof value === 'string' && /^(true|false)$/i.test(value)) return `write ${value.toLowerCase()} without quotes`;
  // Keyframes have properties of the same names with other values.
  return kind === 'unknown-property' || path.includes('keyframes.') ? undefined : valueHint(propertyName(path), value);
}

/** The value at a dotted path; keys may contain dots. */
function valueAt(value: unknown, path: string): unknown {
  if (path === '') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const key = Object.keys(value).find((name) => path === name || path.startsWith(`${name}.`));
  return key === undefined ? undefined : valueAt((value as Record<string, unknown>)[key], path.slice(key.length + 1));
}
