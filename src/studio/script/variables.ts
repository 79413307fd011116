/** A variable with a form field. */
export interface FormVariable {
  name: string;
  kind: 'text' | 'number' | 'boolean';
  /** Value in the script; undefined when the script uses the name without declaring it. */
  value: string | number | boolean | undefined;
}

const single = /\{\{\s*([\p{L}_][\p{L}\p{N}_]*)\s*\}\}/gu;
/** Names of variables that the service defines: times of elements. */
const predefined = /_(start|end|duration|extratime)$/;

/** Variables that the movie declares, followed by placeholders without a declaration. Arrays and objects have no form field. */
export function variablesOf(movie: unknown): FormVariable[] {
  if (!isObject(movie)) return [];
  const declared = isObject(movie.variables) ? movie.variables : {};
  const found = new Map<string, FormVariable>();
  for (const [name, value] of Object.entries(declared)) {
    if (name.startsWith('@') || name.startsWith('?')) continue;
    if (typeof value === 'string') found.set(name, { name, kind: 'text', value });
    if (typeof value === 'number') found.set(name, { name, kind: 'number', value });
    if (typeof value === 'boolean') found.set(name, { name, kind: 'boolean', value });
  }
  const inner = innerNames(movie);
  for (const name of namesIn(movie)) {
    if (found.has(name) || name in declared || inner.has(name) || predefined.test(name)) continue;
    found.set(name, { name, kind: 'text', value: undefined });
  }
  return [...found.values()];
}

function namesIn(value: unknown): Set<string> {
  const names = new Set<string>();
  visit(value, (text) => {
    for (const [, name = ''] of text.matchAll(single)) names.add(name);
  });
  return names;
}

/** Names that scenes, elements and iterations define. */
function innerNames(movie: Record<string, unknown>): Set<string> {
  const names = new Set<string>(['item']);
  const collect = (part: unknown): void => {
    if (!isObject(part)) return;
    for (const name of Object.keys(isObject(part.variables) ? part.variables : {})) names.add(name);
    for (const key of ['iterate-as', 'iterate_as']) if (typeof part[key] === 'string') names.add(part[key]);
    // Fields of the iterated items are variables, too.
    if (typeof part.iterate === 'string') {
      const list = isObject(movie.variables) ? movie.variables[part.iterate] : undefined;
      for (const item of Array.isArray(list) ? list : []) for (const name of Object.keys(isObject(item) ? item : {})) names.add(name);
    }
    for (const inner of Array.isArray(part.elements) ? part.elements : []) collect(inner);
  };
  for (const scene of Array.isArray(movie.scenes) ? movie.scenes : []) collect(scene);
  for (const element of Array.isArray(movie.elements) ? movie.elements : []) collect(element);
  return names;
}

function visit(value: unknown, onText: (text: string) => void): void {
  if (typeof value === 'string') onText(value);
  else if (Array.isArray(value)) for (const item of value) visit(item, onText);
  else if (isObject(value)) for (const item of Object.values(value)) visit(item, onText);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy of the movie with the values of the form as variables. */
export function withValues(movie: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (!isObject(movie) || Object.keys(values).length === 0) return movie;
  return { ...movie, variables: { ...(isObject(movie.variables) ? movie.variables : {}), ...values } };
}
