import type { JsonSchema } from '../../contract/index.js';
import { fail, joinPath, nearestName, show } from '../../script/index.js';
import { requiredNames, resolveRef } from './export-schema.js';

interface FieldValue {
  value: unknown;
  path: string;
}

/** The fields of one target in either spelling, validated against its schema definition. Null counts as absent. */
export class TargetFields {
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #part: JsonSchema;
  readonly #path: string;

  /** `what` names the object in messages, e.g. `an s3 target`. */
  constructor(value: unknown, part: JsonSchema, path: string, what: string) {
    const properties = part.properties ?? {};
    this.#object = asObject(value, path);
    this.#part = part;
    this.#path = path;
    for (const key of Object.keys(this.#object)) {
      if (!Object.hasOwn(properties, key) && !key.startsWith('_')) fail(joinPath(path, key), unknownKey(key, properties, what));
    }
    for (const name of requiredNames(part)) {
      if (this.#find(name) === undefined) fail(joinPath(path, name), `${name} is missing: ${what} needs ${requiredNames(part).join(', ')}.`);
    }
    for (const [name, node] of Object.entries(properties)) this.#check(name, resolveRef(node));
  }

  text(name: string): string {
    return this.optionalText(name) ?? '';
  }

  optionalText(name: string): string | undefined {
    const value = this.#find(name)?.value ?? this.#default(name);
    return value === undefined ? undefined : String(value);
  }

  flag(name: string): boolean {
    return this.optionalFlag(name) === true;
  }

  optionalFlag(name: string): boolean | undefined {
    const value = this.#find(name)?.value ?? this.#default(name);
    return value === undefined ? undefined : value === true;
  }

  /** The strings of a list; a single value becomes a list of one. */
  texts(name: string): string[] {
    const value = this.#find(name)?.value ?? [];
    return [value].flat().map(String);
  }

  has(name: string): boolean {
    return this.#find(name) !== undefined;
  }

  /** Dotted path of a field, whether or not it is present. */
  pathOf(name: string): string {
    return this.#find(name)?.path ?? joinPath(this.#path, name);
  }

  #find(name: string): FieldValue | undefined {
    for (const key of [name, name.replaceAll('_', '-')]) {
      const value = Object.hasOwn(this.#object, key) ? this.#object[key] : undefined;
      if (value !== undefined && value !== null) return { value, path: joinPath(this.#path, key) };
    }
    return undefined;
  }

  #default(name: string): unknown {
    const node = this.#part.properties?.[name];
    return node === undefined ? undefined : resolveRef(node).default;
  }

  #check(name: string, node: JsonSchema): void {
    const value = Object.hasOwn(this.#object, name) ? this.#object[name] : undefined;
    if (value === undefined || value === null) return;
    const path = joinPath(this.#path, name);
    checkValue(value, node, path, name);
    if (Array.isArray(value) && node.items !== undefined) {
      for (const [index, item] of value.entries()) checkValue(item, node.items, joinPath(path, index), `${name}.${index}`);
    }
  }
}

/** Casts a value to an object, or fails with an error at `path`. */
export function asObject(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(path, `${lastPart(path)} must be an object, not ${show(value)}.`);
  return value as Record<string, unknown>;
}

function unknownKey(key: string, properties: Record<string, unknown>, what: string): string {
  const names = Object.keys(properties);
  const near = nearestName(key, names);
  const known = names.filter((name) => !name.includes('-') && name !== 'client_data' && name !== 'comment' && name !== 'id');
  return `${show(key)} is not a field of ${what}${near === undefined ? '.' : `; did you mean "${near}"?`} Allowed: ${known.join(', ')}.`;
}

function checkValue(value: unknown, node: JsonSchema, path: string, name: string): void {
  if (!isValid(value, node)) fail(path, `${name} must be ${expectation(node)}, not ${shownValue(value, node)}.`);
}

function isValid(value: unknown, node: JsonSchema): boolean {
  if (node.const !== undefined) return value === node.const;
  if (node.enum !== undefined) return node.enum.includes(value);
  if (node.type === undefined) return true;
  const types = typesOf(node);
  if (typeof value === 'string') return types.includes('string') && isValidText(value, node, types.includes('integer'));
  if (typeof value === 'number') return types.includes('integer') && Number.isInteger(value) && inRange(value, node);
  if (typeof value === 'boolean') return types.includes('boolean');
  return Array.isArray(value) && types.includes('array') && value.length >= (node.minItems ?? 0) && value.length <= (node.maxItems ?? Infinity);
}

function isValidText(text: string, node: JsonSchema, isNumber: boolean): boolean {
  const length = [...text].length;
  if (length < (node.minLength ?? 0) || length > (node.maxLength ?? Infinity)) return false;
  if (node.pattern !== undefined && !new RegExp(node.pattern, 'u').test(text)) return false;
  return !isNumber || inRange(Number(text), node);
}

function inRange(value: number, { minimum = -Infinity, maximum = Infinity }: JsonSchema): boolean {
  return value >= minimum && value <= maximum;
}

function typesOf(node: JsonSchema): string[] {
  return [node.type ?? []].flat().filter((type) => type !== 'null');
}

function expectation(node: JsonSchema): string {
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum !== undefined) return `one of ${listed(node.enum.filter((choice) => choice !== null))}`;
  const types = typesOf(node);
  if (types.includes('integer')) return `a whole number from ${node.minimum} to ${node.maximum}`;
  if (types.includes('boolean')) return 'true or false';
  const longest = node.maxLength ?? 0;
  if (types.includes('string'))
    return `${textForm(node)} of up to ${longest} characters${types.includes('array') ? `, or a list of 1 to ${node.maxItems} of them` : ''}`;
  return `a list of up to ${node.maxItems ?? 0} texts`;
}

const forms: ReadonlyArray<[RegExp, string]> = [
  [/^\^\[Hh\]/, 'an http or https URL'],
  [/@/, 'an e-mail address'],
  [/SHA256:/, 'a fingerprint such as "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU"'],
  [/0-9A-Fa-f/, '32 pairs of hexadecimal digits with colons between them'],
  [/BEGIN/, 'a private key in PEM or OpenSSH form'],
  [/^\^\[A-Za-z0-9_\.:/, 'a host name or an IP address, without scheme, port or path,'],
  [/^\^\[A-Za-z0-9\]\[/, 'the name of a bucket (letters, digits, dots, hyphens)'],
  [/^\^\[A-Za-z0-9-\]/, 'letters, digits and hyphens'],
  [/^\^\[A-Z\]/, 'capitals, digits and underscores'],
  [/u001f/, 'one line of text'],
];

function textForm({ pattern = '' }: JsonSchema): string {
  return forms.find(([form]) => form.test(pattern))?.[1] ?? 'a text';
}

/** The value for an error message; secrets and URLs are not repeated. */
function shownValue(value: unknown, node: JsonSchema): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value !== 'string') return show(value);
  const longest = node.maxLength ?? Infinity;
  if (value.length > longest) return `one of ${value.length}`;
  return node.writeOnly === true || node.pattern?.startsWith('^[Hh]') ? (value === '' ? 'an empty text' : 'what is given') : show(value);
}

function listed(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}

function lastPart(path: string): string {
  const [last = '', before = ''] = path.split('.').reverse();
  return /^\d+$/.test(last) ? `${before}.${last}` : last;
}
