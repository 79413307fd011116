/** A field of the source document that was omitted or approximated. */
export interface Note {
  /** Dotted path in the document: `timeline.tracks.0.clips.1.filter`. */
  path: string;
  kind: 'left out' | 'approximated';
  why: string;
}

type Json = Record<string, unknown>;

/** Collects notes, and all objects that are read, so that their unread fields are reported. */
export class ImportNotes {
  readonly #notes: Note[] = [];
  readonly #read: SourceFields[] = [];

  /** Reads an object of the document. */
  fields(value: Json, path: string): SourceFields {
    const fields = new SourceFields(value, path, this);
    this.#read.push(fields);
    return fields;
  }

  omit(path: string, why: string): void {
    this.#add({ path, kind: 'left out', why });
  }

  approximate(path: string, why: string): void {
    this.#add({ path, kind: 'approximated', why });
  }

  /** All notes, including the fields that were never read. */
  finish(): Note[] {
    for (const fields of this.#read) for (const path of fields.unread()) this.omit(path, 'unknown field');
    return this.#notes;
  }

  #add(note: Note): void {
    if (!this.#notes.some(({ path, why }) => path === note.path && why === note.why)) this.#notes.push(note);
  }
}

/** An object of the document that records which of its fields are read. */
export class SourceFields {
  readonly path: string;
  readonly #value: Json;
  readonly #notes: ImportNotes;
  readonly #seen = new Set<string>();
  /** Nested objects, one SourceFields each. */
  readonly #inner = new Map<string, SourceFields>();

  constructor(value: Json, path: string, notes: ImportNotes) {
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

  /** Whether the field is explicitly null. */
  isNull(name: string): boolean {
    return this.#value[name] === null;
  }

  /** The raw value; null counts as absent. */
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

  object(name: string): SourceFields | undefined {
    return this.#typed(name, 'an object', (value) => (isObject(value) ? this.#inside(value, this.at(name)) : undefined));
  }

  /** The objects of a list. */
  list(name: string): SourceFields[] {
    const value = this.raw(name);
    if (value === undefined) return [];
    const items = Array.isArray(value) ? value : [value];
    return items.flatMap((item, index) => {
      const path = Array.isArray(value) ? `${this.at(name)}.${index}` : this.at(name);
      if (isObject(item)) return [this.#inside(item, path)];
      this.#notes.omit(path, 'it must be an object');
      return [];
    });
  }

  /** One of the names of a table. */
  choice<Value>(name: string, table: Readonly<Record<string, Value>>, instead = ''): Value | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (Object.hasOwn(table, text)) return table[text];
    this.omit(name, `${JSON.stringify(text)} is not supported${instead}`);
    return undefined;
  }

  /** Marks fields as read that do not affect the output. */
  ignore(...names: string[]): void {
    for (const name of names) this.#seen.add(name);
  }

  /** Omits the fields that are present, with their reasons. */
  omitAll(names: Readonly<Record<string, string>>): void {
    for (const [name, why] of Object.entries(names)) if (this.has(name)) this.omit(name, why);
  }

  omit(name: string, why: string): void {
    this.#seen.add(name);
    this.#notes.omit(this.at(name), why);
  }

  approximate(name: string, why: string): void {
    this.#seen.add(name);
    this.#notes.approximate(this.at(name), why);
  }

  unread(): string[] {
    return Object.keys(this.#value)
      .filter((name) => !this.#seen.has(name) && this.has(name))
      .map((name) => this.at(name));
  }

  #inside(value: Json, path: string): SourceFields {
    const fields = this.#inner.get(path) ?? this.#notes.fields(value, path);
    this.#inner.set(path, fields);
    return fields;
  }

  #typed<Value>(name: string, expected: string, read: (value: unknown) => Value | undefined): Value | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    const typed = read(value);
    if (typed === undefined) this.omit(name, `it must be ${expected}`);
    return typed;
  }
}

/** Rounds to thousandths. */
export function round(value: number): number {
  return Math.round(value * 1000) / 1000 || 0;
}

/** Rounds to the nearest even integer, as canvas sizes must be. */
export function even(value: number): number {
  return Math.round(value / 2) * 2;
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
