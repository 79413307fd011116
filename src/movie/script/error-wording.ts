import type { ErrorObject } from 'ajv';
import { AppError, type PublicErrorCode } from '../../errors/index.js';
import { joinPath, show } from './fail.js';
import { plannedKinds, plannedProperties } from './planned.js';
import { type SchemaNode, schemaPart } from './schema.js';
import { nearestName } from './spellings.js';

interface Complaint {
  path: string;
  message: string;
}

/** One error in a client's words, from what the schema validator says. */
export function wordedError(errors: readonly ErrorObject[], code: PublicErrorCode = 'SCHEMA_VALIDATION_ERROR'): AppError {
  // The failed branch of a condition is reported before the condition itself, and is the exact place.
  const error = errors.find((candidate) => candidate.keyword !== 'if') ?? errors[0];
  const { path, message } = error === undefined ? { path: '', message: 'The movie script does not match the schema.' } : complaint(error);
  return new AppError(code, { path, message });
}

function complaint(error: ErrorObject): Complaint {
  const path = dotted(error.instancePath);
  const schema = (error.parentSchema ?? {}) as SchemaNode;
  switch (error.keyword) {
    case 'required':
      return missing(path, String(error.params.missingProperty), schema, error.data);
    case 'additionalProperties':
      return unknownProperty(path, String(error.params.additionalProperty), schema);
    case 'enum':
      return { path, message: choiceMessage(path, schema, error.data) };
    case 'minLength':
      return { path, message: `${label(path)} must not be empty.` };
    default:
      return { path, message: `${label(path)} must be ${expectation(schema, error.keyword)}, not ${shown(error)}.` };
  }
}

function missing(path: string, name: string, schema: SchemaNode, found: unknown): Complaint {
  const at = joinPath(path, name);
  const known = Object.keys(schema.properties ?? {});
  const others = Object.keys(found as object).filter((key) => !known.includes(key));
  const misspelt = others.find((key) => nearestName(key, [name]) !== undefined);
  if (misspelt !== undefined) return unknownProperty(path, misspelt, schema);
  const owner = schema.title === undefined ? label(path) : `${article(schema.title)} ${schema.title.toLowerCase()}`;
  const choices = schema.properties?.[name]?.enum;
  return { path: at, message: `${owner} needs the property '${name}'${choices === undefined ? '' : `: ${list(choices)}`}.` };
}

function unknownProperty(path: string, name: string, schema: SchemaNode): Complaint {
  const at = joinPath(path, name);
  if (plannedProperties.has(name.replaceAll('_', '-')))
    return { path: at, message: `This version does not support the property '${shortened(name)}' here yet.` };
  const near = hasOtherOwner(name)
    ? undefined
    : nearestName(
        name,
        Object.keys(schema.properties ?? {}).filter((key) => key !== 'id' && key !== 'comment'),
      );
  if (near !== undefined) return { path: at, message: `unknown property '${shortened(name)}'; did you mean '${near}'?` };
  return {
    path: at,
    message: `unknown property '${shortened(name)}'${schema.title === undefined ? '' : ` of ${article(schema.title)} ${schema.title.toLowerCase()}`}; it is not known here.`,
  };
}

/** Properties of the other kinds are no misspellings. */
function hasOtherOwner(name: string): boolean {
  return ['text', 'video'].some((kind) => Object.hasOwn(schemaPart(kind).properties ?? {}, name));
}

function choiceMessage(path: string, schema: SchemaNode, value: unknown): string {
  const name = label(path);
  // Conditions ("above 0, or -1") carry their wording; see the `then` branches of the schema.
  if (schema.title === undefined && schema.description !== undefined) return `${name} must be ${schema.description}, not ${show(value)}.`;
  const allowed = (schema.enum ?? []).filter((choice) => choice !== null);
  const planned = typeof value === 'string' && plannedFor(path)?.has(value) === true;
  if (planned) return `This version does not draw ${name} ${show(value)} yet; it draws ${list(allowed)}.`;
  const near = typeof value === 'string' ? nearestName(value, allowed.map(String)) : undefined;
  return `${name} must be one of ${list(allowed)}, not ${show(value)}${near === undefined ? '.' : `; did you mean ${show(near)}?`}`;
}

function plannedFor(path: string): ReadonlySet<string> | undefined {
  if (/elements\.\d+\.type$/.test(path)) return plannedKinds;
  return undefined;
}

function expectation(schema: SchemaNode, keyword: string): string {
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
  return words.map((type) => (isNumeric(type) ? `${article(type)} ${type}${range(schema)}` : `${article(type)} ${type}`)).join(' or ');
}

function isNumeric(type: string): boolean {
  return type === 'number' || type === 'integer';
}

export function range(schema: SchemaNode): string {
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
