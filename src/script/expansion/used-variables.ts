import { isObject, type Raw } from '../raw.js';

/**
 * Returns a copy of a script without the variables that only its exports use, so that stored scripts do not contain
 * credentials.
 */
export function dropUnusedVariables(script: unknown): unknown {
  if (!isObject(script) || !isObject(script.variables)) return script;
  const { exports: _, variables, ...rest } = script;
  const named = referencedNames(rest);
  return { ...script, variables: Object.fromEntries(Object.entries(variables as Raw).filter(([name]) => named.has(name))) };
}

/** All names that the expressions of a script may refer to. */
function referencedNames(script: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  const open: unknown[] = [script];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') for (const [, inside = ''] of value.matchAll(/\{\{([^{}]*)\}\}/g)) addNames(inside, names);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'iterate' && typeof inner === 'string') addNames(inner, names);
      open.push(inner);
    }
  }
  return names;
}

function addNames(expression: string, names: Set<string>): void {
  names.add(expression.trim());
  for (const [name] of expression.matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)) names.add(name);
}
