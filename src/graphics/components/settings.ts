import { createRequire } from 'node:module';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { createSchemaError, cssName, type Declarations, fail, isCssProperty, joinPath, nearestName, show } from '../../script/index.js';
import type { Component, GroupSchema } from './pack.js';
import { idleKeys, plainKey, styleKeys } from './style/declarations.js';

/** A group of settings with its defaults. */
export interface Group {
  path: string;
  /** Style properties from the script. */
  given: Declarations;
  /** Default style properties of the component. */
  defaults: Declarations;
  /** Properties that are not styles: text, src, from, to, … */
  values: Readonly<Record<string, unknown>>;
  /** Whether the script has the group. */
  isGiven: boolean;
  /** CSS properties that are not drawn, as spelled in the script. */
  unsupported: readonly string[];
}

/** Groups by name. */
export type Settings = ReadonlyMap<string, Group>;

const require = createRequire(import.meta.url);
let ajv: Ajv2020 | undefined;
const validators = new WeakMap<GroupSchema, ValidateFunction>();

/** Normalizes spellings, validates names and values by the component's schema, and applies defaults. Throws SCHEMA_VALIDATION_ERROR. */
export function readSettings(component: Component, settings: Readonly<Record<string, unknown>>, path: string): Settings {
  const groups = new Map<string, Group>();
  for (const [name, schema] of Object.entries(component.settings.properties ?? {})) groups.set(name, defaultsOf(schema, joinPath(path, name)));
  for (const [key, value] of Object.entries(settings)) {
    if (key.startsWith('_') || key === 'comment' || value === null || value === undefined) continue;
    const { name, schema } = findGroup(component, key, joinPath(path, key));
    groups.set(name, readGroup(name, schema, value, joinPath(path, key)));
  }
  return groups;
}

function defaultsOf(schema: GroupSchema, path: string): Group {
  const defaults: Record<string, string | number> = {};
  const values: Record<string, unknown> = {};
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (property.default === undefined) continue;
    if (styleKeys.includes(key)) defaults[key] = property.default as string | number;
    else values[key] = property.default;
  }
  return { path, given: {}, defaults, values, isGiven: false, unsupported: [] };
}

function findGroup(component: Component, key: string, path: string): { name: string; schema: GroupSchema } {
  const { properties = {}, patternProperties = {} } = component.settings;
  const wanted = key.trim().replaceAll('_', '-').toLowerCase();
  const own = Object.entries(properties).find(([name]) => name === wanted);
  if (own) return { name: own[0], schema: own[1] };
  const numbered = Object.entries(patternProperties).find(([pattern]) => new RegExp(pattern).test(wanted));
  if (numbered) return { name: wanted, schema: numbered[1] };
  const names = groupNames(component);
  const near = nearestName(key, names);
  return fail(
    path,
    `unknown group ${show(key)} of the component ${component.id}${near === undefined ? '.' : `; did you mean '${near}'?`} It has: ${listNames(names)}.`,
  );
}

/** Names of all groups, with every number of numbered ones. */
function groupNames(component: Component): string[] {
  const numbered = Object.keys(component.settings.patternProperties ?? {}).flatMap((pattern) => {
    const stem = /^\^([a-z-]+)/.exec(pattern)?.[1] ?? '';
    return Array.from({ length: 99 }, (_, i) => `${stem}${i + 1}`).filter((name) => new RegExp(pattern).test(name));
  });
  return [...Object.keys(component.settings.properties ?? {}), ...numbered];
}

function listNames(names: readonly string[]): string {
  return names.length > 40 ? `${names.slice(0, 40).join(', ')} and others` : names.join(', ');
}

/** Initial values, for which unsupported properties need no warning. */
const initial = /^(none|normal|auto|initial|inherit|unset|revert|static|visible|0|0px|0s)?$/;

function readGroup(name: string, schema: GroupSchema, value: unknown, path: string): Group {
  const object = asObject(schema, value, path);
  const group = defaultsOf(schema, path);
  const given: Record<string, string | number> = {};
  const values: Record<string, unknown> = {};
  const unsupported: string[] = [];
  for (const [key, own] of Object.entries(object)) {
    if (own === null || own === undefined || key.startsWith('_') || key === 'comment') continue;
    const plain = plainKey(key);
    const at = joinPath(path, key);
    const listed = Object.hasOwn(schema.properties ?? {}, plain);
    if (!listed && !(schema['x-style'] !== false && (styleKeys.includes(plain) || idleKeys.has(plain)))) {
      if (schema['x-style'] === false || !isCssProperty(cssName(key))) unknownKey(name, schema, key, at);
      if (!initial.test(String(own).trim())) unsupported.push(key);
      continue;
    }
    if (!styleKeys.includes(plain)) {
      if (listed) values[plain] = own;
      continue;
    }
    if (typeof own !== 'string' && typeof own !== 'number') fail(at, `${key} must be a string or a number, not ${show(own)}.`);
    if (typeof own === 'string' && own.length > 10_000) fail(at, `${key} must be at most 10000 characters long.`);
    // Forms send empty values for fields that were not filled.
    if (String(own).trim() !== '') given[plain] = own;
  }
  checkValues(schema, values, path, object);
  return { ...group, given, values: { ...group.values, ...values }, isGiven: true, unsupported };
}

/** Accepts a bare text or URL instead of the group that contains it. */
function asObject(schema: GroupSchema, value: unknown, path: string): Record<string, unknown> {
  const main = ['text', 'src', 'html', 'value'].find((key) => schema.properties?.[key] !== undefined);
  if (main !== undefined && (typeof value === 'string' || typeof value === 'number' || Array.isArray(value))) return { [main]: value };
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  return fail(path, `${path.slice(path.lastIndexOf('.') + 1)} must be an object${main === undefined ? '' : ` (or its ${main})`}, not ${show(value)}.`);
}

function unknownKey(group: string, schema: GroupSchema, key: string, path: string): never {
  const own = Object.keys(schema.properties ?? {});
  const names = schema['x-style'] === false ? own : [...new Set([...own, ...styleKeys])];
  const near = nearestName(key.replaceAll('_', '-'), names);
  const more = schema['x-style'] === false ? '' : ' and the style properties of docs/packs.md';
  fail(
    path,
    `unknown property ${show(key)} of the group '${group}'${near === undefined ? '.' : `; did you mean '${near}'?`} It takes: ${listNames(own)}${more}.`,
  );
}

/** Validates values by the schema and converts numeric strings to numbers in place. */
function checkValues(schema: GroupSchema, values: Record<string, unknown>, path: string, spelled: Record<string, unknown>): void {
  let validate = validators.get(schema);
  if (validate === undefined) {
    validate = compile({ type: 'object', properties: schema.properties ?? {} });
    validators.set(schema, validate);
  }
  if (validate(values)) return;
  const error = createSchemaError(validate.errors ?? []);
  const [first = '', ...rest] = (error.path ?? '').split('.');
  const key = Object.keys(spelled).find((name) => plainKey(name) === first) ?? first;
  throw error.with({ path: [path, key, ...rest].filter((part) => part !== '').join('.') });
}

/** Loads Ajv with the first component, because it is slow to load. */
function compile(schema: object): ValidateFunction {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  ajv ??= new Ajv2020({ strict: false, coerceTypes: true, allErrors: false, verbose: true, ownProperties: true });
  return ajv.compile(schema);
}
