import type { JsonSchema } from '../../contract/index.js';
import type { Color } from '../movie.js';
import { colorForms, parseColor } from '../values/colors.js';
import { type LengthScale, lengthForms, parseLength } from '../values/lengths.js';
import { fail, joinPath, propertyName, show } from './fail.js';
import { propertySchema } from './schema.js';
import { formatRange } from './schema-errors.js';
import { spellings } from './spellings.js';

/** An object of a script with its schema. */
interface FieldSource {
  object: Readonly<Record<string, unknown>>;
  /** Dotted path of the object. */
  path: string;
  schema: JsonSchema;
}

/** A property of a script. */
export interface FoundProperty {
  value: unknown;
  path: string;
  schema: JsonSchema;
}

/**
 * Reads properties of schema-valid objects under all their spellings, from several objects by precedence (an
 * element before its settings). Names are hyphenated; defaults and limits come from the schema; null counts
 * as absent.
 */
export class Fields {
  readonly #sources: readonly FieldSource[];

  constructor(...sources: FieldSource[]) {
    this.#sources = sources;
  }

  /** The property with its path and schema; undefined if absent. */
  find(name: string): FoundProperty | undefined {
    for (const { object, path, schema } of this.#sources) {
      for (const key of spellings(name)) {
        if (!Object.hasOwn(object, key)) continue;
        const value = object[key];
        const property = propertySchema(schema, key);
        if (value !== undefined && value !== null && property !== undefined) return { value, path: joinPath(path, key), schema: property };
      }
    }
    return undefined;
  }

  /** A number of the script, or the schema's default. Throws SCHEMA_VALIDATION_ERROR if out of range. */
  number(name: string): number {
    return this.optionalNumber(name) ?? Number(this.#default(name));
  }

  optionalNumber(name: string): number | undefined {
    const found = this.find(name);
    return found === undefined ? undefined : numberOf(found);
  }

  flag(name: string): boolean {
    return (this.find(name)?.value ?? this.#default(name)) === true;
  }

  /** A string of the script, or the schema's default. */
  string(name: string): string {
    return this.optionalString(name) ?? String(this.#default(name));
  }

  optionalString(name: string): string | undefined {
    const value = this.find(name)?.value;
    return value === undefined ? undefined : String(value);
  }

  length(name: string, scale: LengthScale): number | undefined {
    const found = this.find(name);
    return found === undefined ? undefined : lengthOf(found, scale);
  }

  color(name: string): Color {
    const found = this.find(name) ?? { value: this.#default(name), path: name };
    return colorOf(found.value, found.path);
  }

  object(name: string): Fields | undefined {
    const found = this.find(name);
    if (found === undefined) return undefined;
    return new Fields({ object: found.value as Record<string, unknown>, path: found.path, schema: found.schema });
  }

  /** Path of a property, also if it is absent. */
  pathOf(name: string): string {
    return this.find(name)?.path ?? joinPath(this.#sources[0]?.path ?? '', name);
  }

  #default(name: string): unknown {
    for (const { schema } of this.#sources) {
      for (const key of spellings(name)) {
        const value = propertySchema(schema, key)?.default;
        if (value !== undefined) return value;
      }
    }
    throw new Error(`the movie schema gives no default for "${name}"`);
  }
}

/** Checks the range of numeric strings, of which the schema checks only the form. */
function numberOf(found: FoundProperty): number {
  if (typeof found.value === 'boolean') return Number(found.value);
  const value = Number(found.value);
  if (!isWithin(value, found.schema)) fail(found.path, `${propertyName(found.path)} must be a number${formatRange(found.schema)}, not ${show(found.value)}.`);
  return value;
}

/** Parses a length in canvas pixels. Throws SCHEMA_VALIDATION_ERROR; `forms` describes valid values. */
export function lengthOf(found: FoundProperty, scale: LengthScale, forms = lengthForms): number {
  const length = parseLength(found.value as number | string, scale);
  if (length === undefined) fail(found.path, `${propertyName(found.path)} must be ${forms}, not ${show(found.value)}.`);
  if (!isWithin(length, found.schema))
    fail(found.path, `${propertyName(found.path)} must be a length${formatRange(found.schema)} pixels, not ${show(found.value)}.`);
  return length;
}

function isWithin(value: number, schema: JsonSchema): boolean {
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity } = schema;
  return Number.isFinite(value) && value >= minimum && value > exclusiveMinimum && value <= maximum;
}

/** Parses a colour. Throws SCHEMA_VALIDATION_ERROR. */
export function colorOf(value: unknown, path: string): Color {
  const color = parseColor(String(value));
  return color ?? fail(path, `${propertyName(path)} must be a colour (${colorForms}), not ${show(value)}.`);
}
