import { fail, joinPath } from './fail.js';

/** What a client fills a template with: any JSON values by name. */
export type Variables = Readonly<Record<string, unknown>>;

/** Most characters that a script may have after its placeholders are filled, as JSON. */
export const MAX_SUBSTITUTED_CHARACTERS = 5 * 1024 * 1024;

const placeholders = /\{\{([^{}]*)\}\}/g;
const onePlaceholder = /^\{\{([^{}]*)\}\}$/;

/** True for text with at least one placeholder. */
export function hasPlaceholder(text: string): boolean {
  return text.search(placeholders) !== -1;
}

/**
 * A copy of a script with its placeholders filled, in every string but not in keys. One pass: what is filled in is
 * not looked at again. A string that is wholly one placeholder becomes the value with its type; inside a longer
 * text values become text; a placeholder without a variable stays as written.
 */
export function substitute(script: unknown, variables: Variables): unknown {
  return new Substitution(variables).fill(script, '');
}

class Substitution {
  readonly #variables: Variables;
  readonly #sizes = new Map<string, number>();
  #characters = 0;

  constructor(variables: Variables) {
    this.#variables = variables;
  }

  fill(value: unknown, path: string): unknown {
    if (typeof value === 'string') return this.#fillText(value, path);
    if (Array.isArray(value)) return value.map((item, index) => this.fill(item, joinPath(path, index)));
    if (typeof value !== 'object' || value === null) return value;
    // fromEntries defines each key as an own property, also one called __proto__.
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        this.#count(key.length, path);
        return [key, this.fill(inner, joinPath(path, key))];
      }),
    );
  }

  #fillText(text: string, path: string): unknown {
    const whole = onePlaceholder.exec(text)?.[1];
    if (whole !== undefined) {
      const found = this.#evaluate(whole);
      if (found === undefined) return text;
      this.#count(this.#sizeOf(whole, found.value), path);
      return found.value;
    }
    const filled = text.replace(placeholders, (written, inside: string) => {
      const found = this.#evaluate(inside);
      if (found === undefined) return written;
      const inserted = asText(found.value);
      this.#count(inserted.length, path);
      return inserted;
    });
    this.#count(text.length, path);
    return filled;
  }

  /** What stands between the braces. So far a name; undefined when there is no such variable. */
  #evaluate(inside: string): { value: unknown } | undefined {
    const name = inside.trim();
    if (!Object.hasOwn(this.#variables, name) || this.#variables[name] === undefined) return undefined;
    return { value: this.#variables[name] };
  }

  /** A value may be inserted thousands of times: it is measured once. */
  #sizeOf(name: string, value: unknown): number {
    const known = this.#sizes.get(name) ?? JSON.stringify(value).length;
    this.#sizes.set(name, known);
    return known;
  }

  #count(characters: number, path: string): void {
    this.#characters += characters;
    if (this.#characters > MAX_SUBSTITUTED_CHARACTERS)
      fail(path, `With its variables the movie script is longer than ${MAX_SUBSTITUTED_CHARACTERS} characters.`);
  }
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
