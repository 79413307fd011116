import type { ValidateFunction } from 'ajv';
import { normalizeCssNames } from './json2video/css-names.js';
import { dropEmptyValues } from './json2video/empty-values.js';
import { checkDepth, type ParseMovieOptions, parseMovie } from './parse-movie.js';
import { hasPlaceholder } from './substitute.js';
import { withHints } from './validation/error-hints.js';
import { type SchemaNode, scriptSchema } from './validation/schema.js';
import { createSchemaError } from './validation/schema-errors.js';
import { loadValidator, type ValidatorSource } from './validation/validator.js';

const text = { type: 'string', pattern: '\\{\\{[^{}]*\\}\\}' };
const wholeText = { type: 'string', pattern: '^\\{\\{[^{}]*\\}\\}$' };

/** The movie schema, but each value may be a text with placeholders instead; for objects and arrays, one placeholder alone. */
function allowPlaceholders(node: SchemaNode): SchemaNode {
  // Conditions stay as they are: the one on an element's type does not hold while the type is not known, and leads to $defs.
  const { properties, items, $defs } = node;
  return {
    ...node,
    ...(properties !== undefined && { properties: mapValues(properties, allowPlaceholder) }),
    ...(items !== undefined && { items: allowPlaceholder(items) }),
    ...($defs !== undefined && { $defs: mapValues($defs, allowPlaceholders) }),
  } as SchemaNode;
}

function allowPlaceholder(node: SchemaNode): SchemaNode {
  const structured = [...[node.type ?? []].flat()].some((type) => type === 'object' || type === 'array') || isStructured(node.$ref);
  return { if: structured ? wholeText : text, else: allowPlaceholders(node) } as SchemaNode;
}

function isStructured(ref: string | undefined): boolean {
  const part = ref === undefined ? undefined : (scriptSchema.$defs as Record<string, SchemaNode>)[ref.slice('#/$defs/'.length)];
  return [part?.type ?? []].flat().some((type) => type === 'object' || type === 'array');
}

function mapValues<T>(record: Readonly<Record<string, T>>, map: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

const { $id: _, ...document } = scriptSchema;
let validator: ValidateFunction | undefined;

export function templateValidation(): ValidatorSource {
  const options = { strict: true, allowUnionTypes: true, strictTypes: false, strictRequired: false, ownProperties: true, verbose: true };
  return { name: 'template', schema: allowPlaceholders(document as SchemaNode), options };
}

/** Loaded for the first template: render processes never see one. */
function templateValidator(): ValidateFunction {
  validator ??= loadValidator(templateValidation());
  return validator;
}

/**
 * Checks what can be known of a script before its placeholders are filled, by the rules of a render; throws
 * SCHEMA_VALIDATION_ERROR. A value with a placeholder is taken as right, a missing or misspelt property is not.
 */
export function checkTemplateScript(script: unknown, options: ParseMovieOptions = {}): void {
  checkDepth(script);
  const validate = templateValidator();
  withHints(script, () => {
    if (!validate(normalizeCssNames(dropEmptyValues(script)))) throw createSchemaError(validate.errors ?? []);
  });
  parseMovie(fillSamples(script, ''), options);
}

/** What stands for an unknown value that its owner can not do without, by owner and property. */
const sampleValues: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '': { scenes: [{}] },
  elements: { text: 'text', src: 'https://example.com/', prompt: 'prompt' },
  crop: { width: 1, height: 1 },
  rotate: { angle: 0 },
};
const sampleElement = { type: 'text', text: 'text' };
/** What hangs on variables that a render gives. */
const runtimeProperties: ReadonlySet<string> = new Set(['variables', 'condition', 'iterate', 'iterate-as', 'iterate_as']);

/** A copy without the values that are not known, for the checks that the schema can not make. `owner` is the property that holds the value. */
function fillSamples(value: unknown, owner: string): unknown {
  if (Array.isArray(value)) return value.map((item) => (isPlaceholder(item) ? sampleItem(owner) : fillSamples(item, owner)));
  if (typeof value !== 'object' || value === null) return value;
  if (owner === 'elements' && isPlaceholder((value as { type?: unknown }).type)) return sampleElement;
  const entries = Object.entries(value).flatMap(([name, inner]): Array<[string, unknown]> => {
    if (runtimeProperties.has(name)) return [];
    if (!isPlaceholder(inner)) return [[name, fillSamples(inner, name)]];
    const standIn = sampleValues[owner]?.[name];
    return standIn === undefined ? [] : [[name, standIn]];
  });
  return Object.fromEntries(entries);
}

function isPlaceholder(value: unknown): boolean {
  return typeof value === 'string' && hasPlaceholder(value);
}

function sampleItem(owner: string): unknown {
  return owner === 'elements' ? sampleElement : {};
}
