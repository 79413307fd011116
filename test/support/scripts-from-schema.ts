import fc from 'fast-check';
import { movieSchema } from '../../src/script/index.js';

interface Node {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  type?: string | string[];
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: Node;
  required?: string[];
  properties?: Record<string, Node>;
  allOf?: Node[];
  if?: Node;
  then?: Node;
  else?: Node;
}

const parts = movieSchema.$defs as Record<string, Node>;
const deepest = 7;

/** Movie scripts generated from the schema. Most are valid; only examples satisfy patterns. */
export const scriptFromSchema: fc.Arbitrary<Record<string, unknown>> = anyOf(movieSchema as Node, 0) as fc.Arbitrary<Record<string, unknown>>;

function anyOf(node: Node | boolean, depth: number): fc.Arbitrary<unknown> {
  if (typeof node === 'boolean') return fc.constantFrom(1, 'x', true);
  const known = target(node);
  if (known.const !== undefined) return fc.constant(known.const);
  if (known.enum !== undefined) return fc.constantFrom(...known.enum);
  const types = [known.type ?? (known.properties === undefined ? 'string' : 'object')].flat();
  const values = types.map((type) => ofType(known, type, depth));
  const examples = known.examples === undefined ? [] : [fc.constantFrom(...known.examples)];
  return fc.oneof(...examples, ...values);
}

function target(node: Node): Node {
  const name = node.$ref?.match(/^#\/\$defs\/(.+)$/)?.[1];
  return name === undefined ? node : target(parts[name] ?? {});
}

function ofType(node: Node, type: string, depth: number): fc.Arbitrary<unknown> {
  const low = node.minimum ?? node.exclusiveMinimum ?? -1000;
  const high = Math.max(low, node.maximum ?? 1000);
  switch (type) {
    case 'integer':
      return fc.integer({ min: Math.ceil(low), max: Math.floor(high) });
    case 'number':
      return fc.oneof(fc.constantFrom(low, high), fc.double({ min: low, max: high, noNaN: true }));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const items =
        depth > deepest
          ? fc.constant([])
          : fc.array(anyOf(node.items ?? {}, depth + 1), { minLength: node.minItems ?? 0, maxLength: Math.max(3, node.minItems ?? 0) });
      return items;
    }
    case 'object':
      return objectOf(node, depth);
    default:
      return fc.string({ minLength: node.minLength ?? 0, maxLength: Math.min(node.maxLength ?? 12, 12) });
  }
}

/** An object of one of the schema's conditional kinds, if it has any, with some of its properties. */
function objectOf(node: Node, depth: number): fc.Arbitrary<unknown> {
  const kinds = (node.allOf ?? []).filter((branch) => branch.if?.properties !== undefined && branch.then !== undefined);
  if (kinds.length > 0 && node.properties?.type !== undefined) {
    return fc.oneof(...kinds.map((kind) => objectOf(merged(node, kind), depth)));
  }
  const properties = Object.entries(node.properties ?? {});
  if (properties.length === 0 || depth > deepest) return fc.constant({});
  const required = new Set(node.required ?? []);
  const always = fc.record(Object.fromEntries(properties.filter(([name]) => required.has(name)).map(([name, part]) => [name, anyOf(part, depth + 1)])));
  const rest = properties.filter(([name]) => !required.has(name));
  if (rest.length === 0) return always;
  const some = fc.array(
    fc.constantFrom(...rest).chain(([name, part]) => anyOf(part, depth + 1).map((value): [string, unknown] => [name, value])),
    { maxLength: depth < 2 ? 4 : 6 },
  );
  return fc.tuple(always, some).map(([first, more]) => ({ ...Object.fromEntries(more), ...first }));
}

function merged(node: Node, kind: Node): Node {
  const then = target(kind.then ?? {});
  return {
    ...then,
    type: 'object',
    required: [...(node.required ?? []), ...(then.required ?? [])],
    properties: { ...node.properties, ...then.properties, ...kind.if?.properties },
  };
}

const strange = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 0, 1e308, -0, 0.1, '', ' ', 'x', '{{x}}', '#fff', '1920', [], {}, [[]], { type: 'text' }, '\u0000', '😀'),
  fc.string(),
  fc.jsonValue({ maxDepth: 1 }),
);
const names = ['type', 'x', 'duration', '_a', 'comment', 'constructor', 'toString', 'hasOwnProperty', 'scenes', 'elements', 'font-size', 'font_size', ''];

/** Generated scripts with up to three values, keys or members changed, removed, duplicated or moved. */
export const mutatedScript: fc.Arbitrary<unknown> = fc
  .tuple(scriptFromSchema, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 4 }), strange, fc.constantFrom(...names)), { minLength: 1, maxLength: 3 }))
  .map(([script, changes]) => {
    const copy = structuredClone(script);
    for (const [at, kind, value, name] of changes) change(copy, at, kind, value, name);
    // JSON arrays have no named properties.
    return JSON.parse(JSON.stringify(copy)) as unknown;
  });

function change(root: object, at: number, kind: number, value: unknown, name: string): void {
  const places: Array<[object, string]> = [];
  const walk = (holder: object): void => {
    for (const [key, inner] of Object.entries(holder)) {
      places.push([holder, key]);
      if (typeof inner === 'object' && inner !== null) walk(inner);
    }
  };
  walk(root);
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return;
  const holder = place[0] as Record<string, unknown>;
  const key = place[1];
  if (kind === 0) holder[key] = structuredClone(value);
  else if (kind === 1) delete holder[key];
  else if (kind === 2) holder[name] = structuredClone(holder[key]);
  else if (kind === 3) holder[name] = structuredClone(value);
  else holder[key] = [holder[key]];
}
