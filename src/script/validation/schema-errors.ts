import type { ErrorObject } from 'ajv';
import type { JsonSchema } from '../../contract/index.js';
import type { PublicErrorCode } from '../../errors/index.js';
import { joinPath, ScriptError, show } from './fail.js';
import { ownerHint } from './owner-hint.js';
import { propertyHint } from './property-hints.js';
import { nearestName } from './spellings.js';

/** Converts Ajv's errors to one error for the author of the script. */
export function createSchemaError(errors: readonly ErrorObject[], code: PublicErrorCode = 'SCHEMA_VALIDATION_ERROR'): ScriptError {
  // Ajv reports the failed branch of a condition, which is more exact, before the condition itself.
  const error = errors.find((candidate) => candidate.keyword !== 'if') ?? errors[0];
  return error === undefined ? new ScriptError('', 'The movie script does not match the schema.', { code }) : describeError(error, code);
}

function describeError(error: ErrorObject, code: PublicErrorCode): ScriptError {
  const path = dotted(error.instancePath);
  const schema = (error.parentSchema ?? {}) as JsonSchema;
  switch (error.keyword) {
    case 'required':
      return missingProperty(path, String(error.params.missingProperty), schema, error.data, code);
    case 'additionalProperties':
      return unknownProperty(path, String(error.params.additionalProperty), schema, { code });
    case 'enum':
      return invalidChoice(path, schema, error.data, code);
    case 'minLength':
      return new ScriptError(path, `${label(path)} must not be empty.`, { code });
    default: {
      const expected = expectation(schema, error.keyword);
      const kind = expected.startsWith('a boolean') ? 'boolean-expected' : undefined;
      return new ScriptError(path, `${label(path)} must be ${expected}, not ${shown(error)}.`, { code, kind });
    }
  }
}

function missingProperty(path: string, name: string, schema: JsonSchema, found: unknown, code: PublicErrorCode): ScriptError {
  const at = joinPath(path, name);
  const known = Object.keys(schema.properties ?? {});
  const others = Object.keys(found as object).filter((key) => !known.includes(key));
  const misspelt = others.find((key) => nearestName(key, [name]) !== undefined) ?? others.find((key) => propertyHint(key, schema.title) !== undefined);
  if (misspelt !== undefined) return unknownProperty(path, misspelt, schema, { code });
  const whole = schema.title === undefined ? label(path) : owner(schema.title);
  const choices = schema.properties?.[name]?.enum;
  return new ScriptError(at, `${whole} needs the property '${name}'${choices === undefined ? '' : `: ${list(choices)}`}.`, { code });
}

/** An error about a property that the schema does not have. `more`: further valid names. */
export function unknownProperty(
  path: string,
  name: string,
  schema: JsonSchema,
  { more = [], code = 'SCHEMA_VALIDATION_ERROR' }: { more?: Iterable<string>; code?: PublicErrorCode } = {},
): ScriptError {
  const at = joinPath(path, name);
  const kind = 'unknown-property';
  const hint = propertyHint(name, schema.title) ?? ownerHint(name, schema.title);
  const near = hint === undefined ? nearestName(name, [...Object.keys(schema.properties ?? {}).filter(isOffered), ...more]) : undefined;
  if (near !== undefined) return new ScriptError(at, `unknown property '${shortened(name)}'`, { code, kind, suggestion: `'${near}'` });
  const rest = hint ?? (schema.title === 'Text settings' ? 'it is not a CSS property' : 'it is not known here');
  return new ScriptError(at, `unknown property '${shortened(name)}'${schema.title === undefined ? '' : ` of ${owner(schema.title)}`}; ${rest}.`, {
    code,
    kind,
  });
}

function isOffered(key: string): boolean {
  return !['id', 'comment', 'client-data', 'client_data'].includes(key);
}

/** Names a part by its schema title: "an image", "the text settings". */
function owner(title: string): string {
  const name = title === 'HTML' ? 'element of html' : title.toLowerCase();
  if (name.endsWith('settings')) return `the ${name}`;
  return name === 'subtitles' ? name : `${article(name)} ${name}`;
}

function invalidChoice(path: string, schema: JsonSchema, value: unknown, code: PublicErrorCode): ScriptError {
  const name = label(path);
  // The `then` branches of the schema describe their values: "above 0, or -1".
  if (schema.title === undefined && schema.description !== undefined)
    return new ScriptError(path, `${name} must be ${schema.description}, not ${show(value)}.`, { code });
  const allowed = (schema.enum ?? []).filter((choice) => choice !== null);
  const near = typeof value === 'string' ? nearestName(value, allowed.map(String)) : paddedNumber(value, allowed);
  const suggestion = near === undefined ? undefined : show(near);
  return new ScriptError(path, `${name} must be one of ${list(allowed)}, not ${show(value)}.`, { code, suggestion });
}

/** Suggests "003" for the number 3. */
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
  if (pattern === '^[a-z0-9-]+$') return 'made of lower-case letters, digits and hyphens';
  if (pattern.includes('auto')) return `"auto" or a number${formatRange(schema)}`;
  if (pattern.includes('bold')) return 'a number from 1 to 1000, "normal" or "bold"';
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  // With a pattern, the strings are numeric strings and need no mention.
  const words = types.filter((type) => type !== 'string' || !types.some(isNumeric) || pattern === '');
  if (words.length === 0) return 'something else';
  return words.map((type) => (isNumeric(type) ? `${article(type)} ${type}${formatRange(schema)}` : `${article(type)} ${type}`)).join(' or ');
}

function isNumeric(type: string): boolean {
  return type === 'number' || type === 'integer';
}

/** The range of a numeric schema as words: " from 0 to 1". */
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
