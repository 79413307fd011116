import type { ValidateFunction } from 'ajv';
import { checkDepth, type ParseMovieOptions, parseMovie } from './parse-movie.js';
import { hasPlaceholder } from './substitute.js';
import { withCssNames } from './validation/css-names.js';
import { withoutEmpty } from './validation/empty-values.js';
import { wordedError } from './validation/error-wording.js';
import { hinting } from './validation/explain.js';
import { type SchemaNode, scriptSchema } from './validation/schema.js';
import { loadValidator, type ValidatorSource } from './validation/validator.js';

const text = { type: 'string', pattern: '\\{\\{[^{}]*\\}\\}' };
const wholeText = { type: 'string', pattern: '^\\{\\{[^{}]*\\}\\}$' };

/** The movie schema, but each value may be a text with placeholders instead; for objects and arrays, one placeholder alone. */
function openSchema(node: SchemaNode): SchemaNode {
  // Conditions stay as they are: the one on an element's type does not hold while the type is not known, and leads to $defs.
  const { properties, items, $defs } = node;
  return {
    ...node,
    ...(properties !== undefined && { properties: mapValues(properties, openValue) }),
    ...(items !== undefined && { items: openValue(items) }),
    ...($defs !== undefined && { $defs: mapValues($defs, openSchema) }),
  } as SchemaNode;
}

function openValue(node: SchemaNode): SchemaNode {
  const structured = [...[node.type ?? []].flat()].some((type) => type === 'object' || type === 'array') || isStructured(node.$ref);
  return { if: structured ? wholeText : text, else: openSchema(node) } as SchemaNode;
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
  return { name: 'template', schema: openSchema(document as SchemaNode), options };
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
  hinting(script, () => {
    if (!validate(withCssNames(withoutEmpty(script)))) throw wordedError(validate.errors ?? []);
  });
  parseMovie(withStandIns(script, ''), options);
}

/** What stands for an unknown value that its owner can not do without, by owner and property. */
const standIns: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '': { scenes: [{}] },
  elements: { text: 'text', src: 'https://example.com/', prompt: 'prompt' },
  crop: { width: 1, height: 1 },
  rotate: { angle: 0 },
};
const unknownElement = { type: 'text', text: 'text' };
/** What hangs on variables that a render gives. */
const unknowns: ReadonlySet<string> = new Set(['variables', 'condition', 'iterate', 'iterate-as', 'iterate_as']);

/** A copy without the values that are not known, for the checks that the schema can not make. `owner` is the property that holds the value. */
function withStandIns(value: unknown, owner: string): unknown {
  if (Array.isArray(value)) return value.map((item) => (isOpen(item) ? unknownItem(owner) : withStandIns(item, owner)));
  if (typeof value !== 'object' || value === null) return value;
  if (owner === 'elements' && isOpen((value as { type?: unknown }).type)) return unknownElement;
  const entries = Object.entries(value).flatMap(([name, inner]): Array<[string, unknown]> => {
    if (unknowns.has(name)) return [];
    if (!isOpen(inner)) return [[name, withStandIns(inner, name)]];
    const standIn = standIns[owner]?.[name];
    return standIn === undefined ? [] : [[name, standIn]];
  });
  return Object.fromEntries(entries);
}

function isOpen(value: unknown): boolean {
  return typeof value === 'string' && hasPlaceholder(value);
}

function unknownItem(owner: string): unknown {
  return owner === 'elements' ? unknownElement : {};
}
