import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { movieSchema, parseMovie } from '../../../src/script/index.js';

type Node = Record<string, unknown>;

/** Every part of the schema that holds a value of its own, with its JSON pointer. */
function partsWith(key: 'examples' | 'default', node: unknown = movieSchema, pointer = ''): Array<{ pointer: string; value: unknown }> {
  if (typeof node !== 'object' || node === null) return [];
  const own = Object.hasOwn(node, key) && !pointer.endsWith('/properties') ? [(node as Node)[key]].flat().map((value) => ({ pointer, value })) : [];
  const inner = Object.entries(node).flatMap(([name, child]) =>
    name === 'examples' ? [] : partsWith(key, child, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
  return [...own, ...inner];
}

const ajv = new Ajv2020({ allowUnionTypes: true, strict: true });
ajv.addSchema(movieSchema, 'movie');

describe('the movie schema', () => {
  test('is a valid 2020-12 schema', () => {
    expect(movieSchema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(ajv.validateSchema(movieSchema)).toBe(true);
  });

  test('uses nothing that validators disagree on, or that makes errors vague', () => {
    const keys = new Set<string>();
    JSON.stringify(movieSchema, (key, value) => {
      if (key === 'examples') return undefined;
      // An output has a property of that name.
      if (key !== 'format' || typeof value === 'string') keys.add(key);
      // Of two spellings of an export's field one must be there; its errors are worded without the schema.
      return /^export[A-Z]\w+$/.test(key) ? undefined : value;
    });
    for (const key of ['oneOf', 'anyOf', 'not', '$dynamicRef', 'unevaluatedItems', 'unevaluatedProperties', 'uniqueItems', 'format'])
      expect(keys).not.toContain(key);
  });

  test.each(partsWith('examples'))('the example at $pointer is valid', ({ pointer, value }) => {
    const valid = ajv.compile({ $ref: `movie#${encodeURI(pointer)}` });
    expect(valid(value), JSON.stringify(valid.errors)).toBe(true);
  });

  test.each(partsWith('default'))('the default at $pointer is valid', ({ pointer, value }) => {
    const valid = ajv.compile({ $ref: `movie#${encodeURI(pointer)}` });
    expect(valid(value), JSON.stringify(valid.errors)).toBe(true);
  });

  test('its examples are movies', () => {
    for (const example of movieSchema.examples as unknown[]) expect(() => parseMovie(example)).not.toThrow();
  });

  test('says what every property of an element is', () => {
    const parts = movieSchema.$defs as Record<string, { properties?: Record<string, { $ref?: string; description?: string; const?: string }> }>;
    for (const kind of ['text', 'image', 'video', 'audio', 'scene']) {
      for (const [name, property] of Object.entries(parts[kind]?.properties ?? {})) {
        const target = property.$ref === undefined ? property : parts[property.$ref.replace('#/$defs/', '')];
        expect((target as { description?: string; const?: string }).description ?? property.const, `${kind}.${name}`).toBeTruthy();
      }
    }
  });

  test('limits every list, text and number', () => {
    const unlimited: string[] = [];
    const walk = (node: unknown, pointer: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const { type, maxItems, maxLength, maximum, pattern } = node as Node;
      const types = [type].flat();
      const named = Object.hasOwn(node, 'title');
      if (types.includes('array') && maxItems === undefined) unlimited.push(pointer);
      if (named && types.includes('string') && maxLength === undefined && !Object.hasOwn(node, 'if') && !/\{\d+,\d+\}\$$/.test(String(pattern)))
        unlimited.push(pointer);
      const isId = pointer === '/$defs/id';
      if (named && !isId && (types.includes('number') || types.includes('integer')) && maximum === undefined) unlimited.push(pointer);
      // A condition accepts nothing.
      for (const [key, child] of Object.entries(node)) if (!['examples', 'default', 'if'].includes(key)) walk(child, `${pointer}/${key}`);
    };
    walk(movieSchema, '');
    expect(unlimited).toEqual([]);
  });
});
