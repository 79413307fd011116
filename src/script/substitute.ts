import { asText, compileExpression, type Expression, ExpressionError, type Lookup, missing } from './expressions/index.js';
import { fail, joinPath, show } from './validation/fail.js';

/** Variables of a script: any JSON values by name. */
export type Variables = Readonly<Record<string, unknown>>;

/** Maximum size of a script after substitution, in JSON characters. */
export const MAX_SUBSTITUTED_CHARACTERS = 5 * 1024 * 1024;

/** Maximum number of text characters that all expressions of a script may read together. */
const MAX_WORK_CHARACTERS = 50 * 1024 * 1024;
const MAX_COMPILED = 5000;

const placeholders = /\{\{([^{}]*)\}\}/g;
const onePlaceholder = /^\{\{([^{}]*)\}\}$/;

/** Whether a text contains a placeholder. */
export function hasPlaceholder(text: string): boolean {
  return text.search(placeholders) !== -1;
}

/** The expressions between the braces of a text. */
export function listPlaceholders(text: string): string[] {
  return [...text.matchAll(placeholders)].map(([, inside = '']) => inside.trim());
}

/**
 * Returns a copy of a script with the placeholders of all strings (not keys) evaluated. One pass: results are not evaluated
 * again. A string that consists of one expression becomes its value with its type; within longer text values become text.
 * Placeholders of missing variables stay as written.
 */
export function substitute(script: unknown, variables: Variables): unknown {
  return new Substitution(new SubstitutionBudget(), scopeOf(variables)).fill(script, '');
}

/** Returns a copy of a script with additional movie variables, which override its own. */
export function mergeVariables(script: unknown, variables: Variables): unknown {
  if (typeof script !== 'object' || script === null || Array.isArray(script) || Object.keys(variables).length === 0) return script;
  const { variables: given } = script as { variables?: unknown };
  const own = typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {};
  return { ...script, variables: Object.fromEntries([...Object.entries(own), ...Object.entries(variables)]) };
}

/** Scope of an object's own properties. Keys such as `@name` and `?name` describe variables for forms and are excluded. */
export function scopeOf(variables: Variables): Lookup {
  return (name) => {
    if (!Object.hasOwn(variables, name) || name.startsWith('@') || name.startsWith('?')) return undefined;
    const value = variables[name];
    return value === undefined ? undefined : { value };
  };
}

/** Combines scopes; the first one that knows a name wins. */
export function nestScopes(...scopes: readonly Lookup[]): Lookup {
  return (name) => {
    for (const scope of scopes) {
      const found = scope(name);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Limits the output and work of all expressions of one script, and caches compiled expressions. */
export class SubstitutionBudget {
  readonly #sizes = new WeakMap<object, number>();
  readonly #compiled = new Map<string, Expression | ExpressionError>();
  #characters = 0;
  #work = 0;

  /** Adds to the size of the substituted script. Throws SCHEMA_VALIDATION_ERROR over the limit. */
  addOutput(characters: number, path: string): void {
    this.#characters += characters;
    if (this.#characters > MAX_SUBSTITUTED_CHARACTERS)
      fail(path, `With its variables the movie script is longer than ${MAX_SUBSTITUTED_CHARACTERS} characters.`);
  }

  /** JSON size of a value; cached for structures, which may be inserted thousands of times. */
  sizeOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) return asText(value).length;
    const size = this.#sizes.get(value) ?? asText(value).length;
    this.#sizes.set(value, size);
    return size;
  }

  /** Adds text read by an expression. Throws SCHEMA_VALIDATION_ERROR over the limit. */
  addWork(value: unknown): void {
    if (typeof value === 'string') this.#work += value.length;
    if (this.#work > MAX_WORK_CHARACTERS) fail('', `The expressions of the movie script work on more than ${MAX_WORK_CHARACTERS} characters together.`);
  }

  /** Compiles an expression or returns its syntax error. */
  compile(source: string): Expression | ExpressionError {
    let compiled = this.#compiled.get(source);
    if (compiled === undefined) {
      compiled = compileOrError(source);
      if (this.#compiled.size < MAX_COMPILED) this.#compiled.set(source, compiled);
    }
    return compiled;
  }
}

function compileOrError(source: string): Expression | ExpressionError {
  try {
    return compileExpression(source);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
}

/** Evaluates placeholders in one scope. */
export class Substitution {
  readonly #ledger: SubstitutionBudget;
  readonly #scope: Lookup;

  constructor(ledger: SubstitutionBudget, scope: Lookup) {
    this.#ledger = ledger;
    this.#scope = (name) => {
      const found = scope(name);
      if (found !== undefined) ledger.addWork(found.value);
      return found;
    };
  }

  /** Returns a copy of a value with all placeholders evaluated. */
  fill(value: unknown, path: string): unknown {
    if (typeof value === 'string') return this.#fillText(value, path);
    if (Array.isArray(value)) return value.map((item, index) => this.fill(item, joinPath(path, index)));
    if (typeof value !== 'object' || value === null) return value;
    // fromEntries defines each key as an own property, also one called __proto__.
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        this.#ledger.addOutput(key.length, path);
        return [key, this.fill(inner, joinPath(path, key))];
      }),
    );
  }

  /** The value of an expression, or `missing`. Throws SCHEMA_VALIDATION_ERROR for an invalid expression. */
  evaluate(inside: string, path: string): unknown {
    const source = inside.trim();
    // A variable that is the whole expression may have any characters in its name.
    const named = this.#scope(source);
    if (named !== undefined) return named.value;
    if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(source) && !literals.has(source)) return missing;
    const expression = this.#ledger.compile(source);
    try {
      if (expression instanceof ExpressionError) throw expression;
      return expression(this.#scope);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      if (error === expression && !looksLikeExpression(source)) return missing;
      return fail(path, `The expression ${show(`{{${inside}}}`)} ${error.message}.`);
    }
  }

  #fillText(text: string, path: string): unknown {
    this.#ledger.addOutput(text.length, path);
    const whole = onePlaceholder.exec(text)?.[1];
    if (whole !== undefined) {
      const value = this.evaluate(whole, path);
      if (value === missing) return text;
      this.#ledger.addOutput(this.#ledger.sizeOf(value), path);
      return value;
    }
    if (!text.includes('{{')) return text;
    return text.replace(placeholders, (written, inside: string) => {
      const value = this.evaluate(inside, path);
      if (value === missing) return written;
      const inserted = asText(value);
      this.#ledger.addOutput(inserted.length, path);
      return inserted;
    });
  }
}

const literals: ReadonlySet<string> = new Set(['true', 'false', 'null', 'and', 'or', 'not']);

/** Whether unparsable text between braces was probably meant as an expression; otherwise it is left as text. */
function looksLikeExpression(source: string): boolean {
  return /^[\p{L}\p{N}_"'(![-]/u.test(source) && /[+*/%()[\]=<>?&|]|\s-\s|\s(and|or)\s|^not\s/.test(source);
}
