/** A field of the other format that is not in the script, or not exactly. */
export interface Note {
  /** Dotted path in the document: `timeline.tracks.0.clips.1.filter`. */
  path: string;
  kind: 'left out' | 'approximated';
  why: string;
}

type Json = Record<string, unknown>;

/** What an import could not do. Every object that is read is known here, so that no field of it is forgotten. */
export class Notes {
  readonly #notes: Note[] = [];
  readonly #read: Fields[] = [];

  /** Reads an object of the document. */
  fields(value: Json, path: string): Fields {
    const fields = new Fields(value, path, this);
    this.#read.push(fields);
    return fields;
  }

  leftOut(path: string, why: string): void {
    this.#add({ path, kind: 'left out', why });
  }

  approximated(path: string, why: string): void {
    this.#add({ path, kind: 'approximated', why });
  }

  /** All of them, with the fields that nobody asked for, in the order of the document. */
  finish(): Note[] {
    for (const fields of this.#read) for (const path of fields.unread()) this.leftOut(path, 'not known to the import');
    return this.#notes;
  }

  #add(note: Note): void {
    if (!this.#notes.some(({ path, why }) => path === note.path && why === note.why)) this.#notes.push(note);
  }
}

/** An object of the document; remembers which of its fields were read. */
export class Fields {
  readonly path: string;
  readonly #value: Json;
  readonly #notes: Notes;
  readonly #seen = new Set<string>();
  /** Objects inside, each read by one and the same. */
  readonly #inner = new Map<string, Fields>();

  constructor(value: Json, path: string, notes: Notes) {
    this.#value = value;
    this.path = path;
    this.#notes = notes;
  }

  at(name: string | number): string {
    return this.path === '' ? String(name) : `${this.path}.${name}`;
  }

  has(name: string): boolean {
    return this.#value[name] !== undefined && this.#value[name] !== null;
  }

  /** Said to be nothing, which is more than not being there. */
  isNull(name: string): boolean {
    return this.#value[name] === null;
  }

  /** As it stands there; null counts as absent. */
  raw(name: string): unknown {
    this.#seen.add(name);
    return this.#value[name] ?? undefined;
  }

  text(name: string): string | undefined {
    return this.#typed(name, 'a text', (value) => (typeof value === 'string' ? value : undefined));
  }

  number(name: string): number | undefined {
    return this.#typed(name, 'a number', (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined));
  }

  flag(name: string): boolean | undefined {
    return this.#typed(name, 'true or false', (value) => (typeof value === 'boolean' ? value : undefined));
  }

  object(name: string): Fields | undefined {
    return this.#typed(name, 'an object', (value) => (isObject(value) ? this.#inside(value, this.at(name)) : undefined));
  }

  /** The objects of a list. */
  list(name: string): Fields[] {
    const value = this.raw(name);
    if (value === undefined) return [];
    const items = Array.isArray(value) ? value : [value];
    return items.flatMap((item, index) => {
      const path = Array.isArray(value) ? `${this.at(name)}.${index}` : this.at(name);
      if (isObject(item)) return [this.#inside(item, path)];
      this.#notes.leftOut(path, 'it should be an object');
      return [];
    });
  }

  /** One of the names of a table. */
  choice<Value>(name: string, table: Readonly<Record<string, Value>>, instead = ''): Value | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (Object.hasOwn(table, text)) return table[text];
    this.leftOut(name, `there is nothing like ${JSON.stringify(text)}${instead}`);
    return undefined;
  }

  /** Says nothing about the film. */
  ignore(...names: string[]): void {
    for (const name of names) this.#seen.add(name);
  }

  /** Fields that have no counterpart, as far as they are there. */
  without(names: Readonly<Record<string, string>>): void {
    for (const [name, why] of Object.entries(names)) if (this.has(name)) this.leftOut(name, why);
  }

  leftOut(name: string, why: string): void {
    this.#seen.add(name);
    this.#notes.leftOut(this.at(name), why);
  }

  approximated(name: string, why: string): void {
    this.#seen.add(name);
    this.#notes.approximated(this.at(name), why);
  }

  unread(): string[] {
    return Object.keys(this.#value)
      .filter((name) => !this.#seen.has(name) && this.has(name))
      .map((name) => this.at(name));
  }

  #inside(value: Json, path: string): Fields {
    const fields = this.#inner.get(path) ?? this.#notes.fields(value, path);
    this.#inner.set(path, fields);
    return fields;
  }

  #typed<Value>(name: string, expected: string, read: (value: unknown) => Value | undefined): Value | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    const typed = read(value);
    if (typed === undefined) this.leftOut(name, `it should be ${expected}`);
    return typed;
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
