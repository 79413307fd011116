/** Source locations of the values in a JSON text, which JSON.parse() does not report. */
export interface SourceLocations {
  /** Offset of each value by its dotted path, such as `scenes.0.duration`; '' is the document. */
  values: ReadonlyMap<string, number>;
  /** The first syntax error. */
  error?: { offset: number; expected: string };
}

/** Line and column, counted from 1. */
export interface SourceLocation {
  line: number;
  column: number;
}

const space = /[ \t\r\n]*/y;
const scalar = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings must not contain control characters
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
/** Maximum nesting, well within the stack size. */
const MAX_DEPTH = 500;

/** Finds the offsets of all values in a JSON text, up to the first syntax error. */
export function locateValues(text: string): SourceLocations {
  const values = new Map<string, number>();
  const error = scan(text, values);
  return { values, ...(error !== undefined && { error }) };
}

/** A syntax error with its location. */
export interface JsonSyntaxError extends SourceLocation {
  /** Names what was expected and what was found instead. */
  message: string;
}

/** Finds the first syntax error in a JSON text; undefined when there is none or the text is too large to scan. `whole` names the text in the message: "the file". */
export function findSyntaxError(text: string, whole: string): JsonSyntaxError | undefined {
  const error = scan(text, undefined);
  if (error === undefined) return undefined;
  const { offset, expected } = error;
  const found = offset >= text.trimEnd().length ? `${whole} ends` : `there is ${JSON.stringify(/^\S{0,20}/u.exec(text.slice(offset, offset + 80))?.[0] ?? '')}`;
  return { ...locationAt(text, offset), message: `expected ${expected}, but ${found}` };
}

function scan(text: string, values: Map<string, number> | undefined): SourceLocations['error'] {
  try {
    new Scanner(text, values).document();
    return undefined;
  } catch (error) {
    if (error instanceof ScanError) return { offset: error.offset, expected: error.message };
    // A string of millions of characters overflows the stack of the regular expression.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Converts an offset to a line and column. */
export function locationAt(text: string, offset: number): SourceLocation {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

class ScanError extends Error {
  readonly offset: number;

  constructor(offset: number, expected: string) {
    super(expected);
    this.offset = offset;
  }
}

class Scanner {
  readonly #text: string;
  /** Undefined when only errors are wanted, because building the paths of a large text is slow. */
  readonly #values: Map<string, number> | undefined;
  #at = 0;

  constructor(text: string, values: Map<string, number> | undefined) {
    this.#text = text;
    this.#values = values;
  }

  document(): void {
    this.#value('', 0);
    this.#take(space);
    if (this.#at < this.#text.length) throw new ScanError(this.#at, 'nothing after the end of the script');
  }

  #value(path: string, depth: number): void {
    this.#take(space);
    this.#values?.set(path, this.#at);
    const first = this.#text[this.#at];
    if (depth > MAX_DEPTH) throw new ScanError(this.#at, `at most ${MAX_DEPTH} levels`);
    if (first === '{') this.#members('}', () => this.#property(path, depth));
    else if (first === '[') this.#items(path, depth);
    else if (this.#take(first === '"' ? string : scalar) === undefined)
      throw new ScanError(this.#at, first === '"' ? 'a text that ends on its line' : 'a value');
  }

  #property(path: string, depth: number): void {
    const at = this.#at;
    const name = this.#take(string);
    if (name === undefined) throw new ScanError(at, 'a name in double quotes');
    this.#expect(':', "':' after the name");
    this.#value(this.#values === undefined ? '' : pathOf(path, JSON.parse(name)), depth + 1);
  }

  #items(path: string, depth: number): void {
    let index = 0;
    this.#members(']', () => {
      this.#value(this.#values === undefined ? '' : pathOf(path, String(index)), depth + 1);
      index += 1;
    });
  }

  /** Scans from the opening to the closing bracket. */
  #members(end: string, member: () => void): void {
    this.#at += 1;
    this.#take(space);
    if (this.#text[this.#at] === end) {
      this.#at += 1;
      return;
    }
    for (;;) {
      this.#take(space);
      member();
      this.#take(space);
      if (this.#text[this.#at] === end) break;
      this.#expect(',', `',' or '${end}'`);
    }
    this.#at += 1;
  }

  #expect(letter: string, expected: string): void {
    this.#take(space);
    if (this.#text[this.#at] !== letter) throw new ScanError(this.#at, expected);
    this.#at += 1;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}

const pathOf = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
