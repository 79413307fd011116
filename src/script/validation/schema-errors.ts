import type { ErrorObject } from 'ajv';
import type { JsonSchema } from '../../contract/index.js';
import { AppError, type PublicErrorCode } from '../../errors/index.js';
import { joinPath, show } from './fail.js';
import { ownerHint } from './owner-hint.js';
import { propertyHint } from './property-hints.js';
import { nearestName } from './spellings.js';

interface SchemaProblem {
  path: string;
  message: string;
}

/** One error in a client's words, from what the schema validator says. */
export function createSchemaError(errors: readonly ErrorObject[], code: PublicErrorCode = 'SCHEMA_VALIDATION_ERROR'): AppError {
  // The failed branch of a condition is reported before the condition itself, and is the exact place.
  const error = errors.find((candidate) => candidate.keyword !== 'if') ?? errors[0];
  const { path, message } = error === undefined ? { path: '', message: 'The movie script does not match the schema.' } : describeError(error);
  return new AppError(code, { path, message });
}

function describeError(error: ErrorObject): SchemaProblem {
  const path = dotted(error.instancePath);
  const schema = (error.parentSchema ?? {}) as JsonSchema;
  switch (error.keyword) {
    case 'required':
      return missing(path, String(error.params.missingProperty), schema, error.data);
    case 'additionalProperties':
      return describeUnknownProperty(path, String(error.params.additionalProperty), schema);
    case 'enum':
      return { path, message: choiceMessage(path, schema, error.data) };
    case 'minLength':
      return { path, message: `${label(path)} must not be empty.` };
    default:
      return { path, message: `${label(path)} must be ${expectation(schema, error.keyword)}, not ${shown(error)}.` };
  }
}

function missing(path: string, name: string, schema: JsonSchema, found: unknown): SchemaProblem {
  const at = joinPath(path, name);
  const known = Object.keys(schema.properties ?? {});
  const others = Object.keys(found as object).filter((key) => !known.includes(key));
  const misspelt = others.find((key) => nearestName(key, [name]) !== undefined) ?? others.find((key) => propertyHint(key, schema.title) !== undefined);
  if (misspelt !== undefined) return describeUnknownProperty(path, misspelt, schema);
  const whole = schema.title === undefined ? label(path) : owner(schema.title);
  const choices = schema.properties?.[name]?.enum;
  return { path: at, message: `${whole} needs the property '${name}'${choices === undefined ? '' : `: ${list(choices)}`}.` };
}

/** `more`: names that are known besides those of the schema. */
export function describeUnknownProperty(path: string, name: string, schema: JsonSchema, more: readonly string[] = []): SchemaProblem {
  const at = joinPath(path, name);
  const hint = propertyHint(name, schema.title) ?? ownerHint(name, schema.title);
  const near = hint === undefined ? nearestName(name, [...Object.keys(schema.properties ?? {}).filter(isOffered), ...more]) : undefined;
  if (near !== undefined) return { path: at, message: `unknown property '${shortened(name)}'; did you mean '${near}'?` };
  const rest = hint ?? (schema.title === 'Text settings' ? 'it is no CSS property' : 'it is not known here');
  return { path: at, message: `unknown property '${shortened(name)}'${schema.title === undefined ? '' : ` of ${owner(schema.title)}`}; ${rest}.` };
}

function isOffered(key: string): boolean {
  return !['id', 'comment', 'client-data', 'client_data'].includes(key);
}

/** "an image", "the text settings". */
function owner(title: string): string {
  const name = title === 'HTML' ? 'element of html' : title.toLowerCase();
  if (name.endsWith('settings')) return `the ${name}`;
  return name === 'subtitles' ? name : `${article(name)} ${name}`;
}

function choiceMessage(path: string, schema: JsonSchema, value: unknown): string {
  const name = label(path);
  // Conditions ("above 0, or -1") carry their wording; see the `then` branches of the schema.
  if (schema.title === undefined && schema.description !== undefined) return `${name} must be ${schema.description}, not ${show(value)}.`;
  const allowed = (schema.enum ?? []).filter((choice) => choice !== null);
  const near = typeof value === 'string' ? nearestName(value, allowed.map(String)) : paddedNumber(value, allowed);
  return `${name} must be one of ${list(allowed)}, not ${show(value)}${near === undefined ? '.' : `; did you mean ${show(near)}?`}`;
}

/** The style 3 of those who write "003". */
function paddedNumber(value: unknown, allowed: readonly unknown[]): string | undefined {
  const padded = typeof value === 'number' ? String(value).padStart(3, '0') : undefined;
  return allowed.includes(padded) ? padded : undefined;
}

function expectation(schema: JsonSchema, keyword: string): string {
  if (keyword === 'minItems') return `an array of at least ${count(schema.minItems ?? 0, 'item')}`;
  if (keyword === 'maxItems') return `an array of at most ${count(schema.maxItems ?? 0, 'item')}`;
  if (keyword === 'maxLength') return `at most ${count(schema.maxLength ?? 0, 'character')} long`;
  if (keyword === 'maxProperties')
    return schema.maxProperties === 0 ? 'an empty object' : `an object of at most ${count(schema.maxProperties ?? 0, 'property')}`;
  const pattern = schema.pattern ?? '';
  if (pattern.startsWith('^[Hh]')) return 'an http or https URL';
  if (pattern.includes('%')) return 'a number of seconds from 0 to 14400, or a percentage such as "50%"';
  if (pattern.includes('bold')) return 'a number from 1 to 1000, "normal" or "bold"';
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  // A pattern beside a number means that its strings are numbers too.
  const words = types.filter((type) => type !== 'string' || !types.some(isNumeric) || pattern === '');
  if (words.length === 0) return 'something else';
  return words.map((type) => (isNumeric(type) ? `${article(type)} ${type}${formatRange(schema)}` : `${article(type)} ${type}`)).join(' or ');
}

function isNumeric(type: string): boolean {
  return type === 'number' || type === 'integer';
}

export function formatRange(schema: JsonSchema): string {
  const { minimum, exclusiveMinimum, maximum } = schema;
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}${maximum === undefined ? '' : ` and up to ${maximum}`}`;
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? '' : ` of at most ${maximum}`;
}

function shown(error: ErrorObject): string {
  if (error.keyword.endsWith('Items')) return String((error.data as unknown[]).length);
  if (error.keyword === 'maxLength') return String((error.data as string).length);
  if (error.keyword === 'maxProperties') return count(Object.keys(error.data as object).length, 'property');
  if (error.keyword === 'type' && typeof error.data === 'string') return `the string ${show(error.data)}`;
  return show(error.data);
}

function dotted(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

function label(path: string): string {
  if (path === '') return 'The movie script';
  const [last = '', before = ''] = path.split('.').reverse();
  return /^\d+$/.test(last) ? `${before}.${last}` : shortened(last);
}

function shortened(name: string): string {
  return name.length > 60 ? `${name.slice(0, 57)}...` : name;
}

function list(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value))).join(', ');
}

function article(word: string): string {
  return /^[aeiou]/i.test(word) ? 'an' : 'a';
}

function count(amount: number, noun: string): string {
  if (amount === 1) return `1 ${noun}`;
  return `${amount} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}
