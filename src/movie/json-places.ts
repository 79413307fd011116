/** Where things are in a JSON text. JSON.parse() tells neither that, nor, for most faults, where they are. */
export interface JsonPlaces {
  /** Offset of each value by its dotted path: `scenes.0.duration`; '' is the whole. */
  values: ReadonlyMap<string, number>;
  /** The first thing that is not JSON. */
  fault?: { offset: number; expected: string };
}

export interface Place {
  line: number;
  column: number;
}

const space = /[ \t\r\n]*/y;
const scalar = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they may not stand in a JSON text
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
/** Deeper than any script, and far from the end of the stack. */
const deepest = 500;

export function findPlaces(text: string): JsonPlaces {
  const values = new Map<string, number>();
  try {
    new Scanner(text, values).document();
    return { values };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { values, fault: { offset: error.offset, expected: error.message } };
  }
}

/** Lines and columns count from 1. */
export function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

class Fault extends Error {
  readonly offset: number;

  constructor(offset: number, expected: string) {
    super(expected);
    this.offset = offset;
  }
}

class Scanner {
  readonly #text: string;
  readonly #values: Map<string, number>;
  #at = 0;

  constructor(text: string, values: Map<string, number>) {
    this.#text = text;
    this.#values = values;
  }

  document(): void {
    this.#value('', 0);
    this.#take(space);
    if (this.#at < this.#text.length) throw new Fault(this.#at, 'nothing after the end of the script');
  }

  #value(path: string, depth: number): void {
    this.#take(space);
    this.#values.set(path, this.#at);
    const first = this.#text[this.#at];
    if (depth > deepest) throw new Fault(this.#at, `at most ${deepest} levels`);
    if (first === '{') this.#members('}', () => this.#property(path, depth));
    else if (first === '[') this.#items(path, depth);
    else if (this.#take(first === '"' ? string : scalar) === undefined) throw new Fault(this.#at, first === '"' ? 'a text that ends on its line' : 'a value');
  }

  #property(path: string, depth: number): void {
    const at = this.#at;
    const name = this.#take(string);
    if (name === undefined) throw new Fault(at, 'a name in double quotes');
    this.#expect(':', "':' after the name");
    this.#value(path === '' ? JSON.parse(name) : `${path}.${JSON.parse(name)}`, depth + 1);
  }

  #items(path: string, depth: number): void {
    let index = 0;
    this.#members(']', () => {
      this.#value(path === '' ? String(index) : `${path}.${index}`, depth + 1);
      index += 1;
    });
  }

  /** From the opening bracket to the closing one. */
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
    if (this.#text[this.#at] !== letter) throw new Fault(this.#at, expected);
    this.#at += 1;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}
