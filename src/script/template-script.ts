import type { ValidateFunction } from 'ajv';
import type { JsonSchema } from '../contract/index.js';
import { normalizeTemplateJson2Video } from './json2video/index.js';
import { checkDepth, type ParseMovieOptions, parseMovie } from './parse-movie.js';
import { hasPlaceholder } from './substitute.js';
import { withHints } from './validation/error-hints.js';
import { scriptSchema } from './validation/schema.js';
import { createSchemaError } from './validation/schema-errors.js';
import { loadValidator, type ValidatorSource } from './validation/validator.js';

const text = { type: 'string', pattern: '\\{\\{[^{}]*\\}\\}' };
const wholeText = { type: 'string', pattern: '^\\{\\{[^{}]*\\}\\}$' };

/** Derives a schema in which each value may be text with placeholders instead; objects and arrays, a single placeholder. */
function allowPlaceholders(node: JsonSchema): JsonSchema {
  // Conditions stay unchanged: the condition on an element's type leads to $defs and does not apply while the type is a placeholder.
  const { properties, items, $defs } = node;
  return {
    ...node,
    ...(properties !== undefined && { properties: mapValues(properties, allowPlaceholder) }),
    ...(items !== undefined && { items: allowPlaceholder(items) }),
    ...($defs !== undefined && { $defs: mapValues($defs, allowPlaceholders) }),
  };
}

function allowPlaceholder(node: JsonSchema): JsonSchema {
  const structured = [node.type ?? []].flat().some((type) => type === 'object' || type === 'array') || isStructured(node.$ref);
  return { if: structured ? wholeText : text, else: allowPlaceholders(node) };
}

function isStructured(ref: string | undefined): boolean {
  const part = ref === undefined ? undefined : scriptSchema.$defs?.[ref.slice('#/$defs/'.length)];
  return [part?.type ?? []].flat().some((type) => type === 'object' || type === 'array');
}

function mapValues<T>(record: Readonly<Record<string, T>>, map: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

let validator: ValidateFunction | undefined;

/** Source of the template validator. */
export function templateValidation(): ValidatorSource {
  const options = { strict: true, allowUnionTypes: true, strictTypes: false, strictRequired: false, ownProperties: true, verbose: true };
  return { name: 'template', schema: { ...allowPlaceholders(scriptSchema), $id: undefined }, options };
}

/** Loaded on first use, because render processes never validate templates. */
function templateValidator(): ValidateFunction {
  validator ??= loadValidator(templateValidation());
  return validator;
}

/**
 * Validates a template's script before its placeholders are filled. Values with placeholders are accepted; missing and misspelt
 * properties are not. Throws SCHEMA_VALIDATION_ERROR.
 */
export function checkTemplateScript(script: unknown, options: ParseMovieOptions = {}): void {
  checkDepth(script);
  const validate = templateValidator();
  withHints(script, () => {
    if (!validate(normalizeTemplateJson2Video(script))) throw createSchemaError(validate.errors ?? []);
  });
  parseMovie(fillSamples(script, ''), options);
}

/** Sample values of required properties that are placeholders, by owner and property. */
const sampleValues: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '': { scenes: [{}] },
  elements: { text: 'text', src: 'https://example.com/', prompt: 'prompt' },
  crop: { width: 1, height: 1 },
  rotate: { angle: 0 },
};
const sampleElement = { type: 'text', text: 'text' };
/** Properties that depend on the variables of a render. */
const runtimeProperties: ReadonlySet<string> = new Set(['variables', 'condition', 'iterate', 'iterate-as', 'iterate_as']);

/** Returns a copy without placeholders, for the checks beyond the schema: required values become samples, others are dropped. `owner` is the property that holds the value. */
function fillSamples(value: unknown, owner: string): unknown {
  if (Array.isArray(value)) return value.map((item) => (isPlaceholder(item) ? sampleItem(owner) : fillSamples(item, owner)));
  if (typeof value !== 'object' || value === null) return value;
  if (owner === 'elements' && isPlaceholder((value as { type?: unknown }).type)) return sampleElement;
  const entries = Object.entries(value).flatMap(([name, inner]): Array<[string, unknown]> => {
    if (runtimeProperties.has(name)) return [];
    if (!isPlaceholder(inner)) return [[name, fillSamples(inner, name)]];
    const sample = sampleValues[owner]?.[name];
    return sample === undefined ? [] : [[name, sample]];
  });
  return Object.fromEntries(entries);
}

function isPlaceholder(value: unknown): boolean {
  return typeof value === 'string' && hasPlaceholder(value);
}

function sampleItem(owner: string): unknown {
  return owner === 'elements' ? sampleElement : {};
}
